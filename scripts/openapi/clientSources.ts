import { createHash } from "node:crypto"
import { clientDocument, type Json, type Operation, operationsOf } from "./clientDocument.ts"
import { loadOpenApiTool } from "./loadOpenApiTool.ts"

export const mendCommand = "npm run client:generate"

const header = `// Made from the OpenAPI document by \`${mendCommand}\`; do not edit.\n`

/** Names the document that the types were made of. */
export const digestOf = (document: Json): string =>
  createHash("sha256")
    .update(JSON.stringify(clientDocument(document)))
    .digest("hex")

const call = ({ answer, kind, method, path, query, shared }: Operation): string => {
  if (answer !== "data") {
    if (kind !== "query") throw new Error(`${method} ${path}: make.${kind} knows of no answer without data`)
    return `make.query("${method}", "${path}", "${answer}")`
  }
  const lists = shared.length > 0 ? [query, shared] : query.length > 0 ? [query] : []
  const more = kind === "json" ? lists.map((names) => `, ${JSON.stringify(names)}`).join("") : ""
  return `make.${kind}("${method}", "${path}"${more})`
}

const group = (tag: string, operations: ReadonlyArray<Operation>): string =>
  [
    `    this.${tag} = {`,
    operations
      .map((operation) => `      /** ${operation.summary}. */\n      ${operation.name}: ${call(operation)}`)
      .join(",\n"),
    "    }"
  ].join("\n")

/** `operations.ts`: which operation is sent where, one member for each tag. */
export const operationsSource = (document: Json): string => {
  const operations = operationsOf(clientDocument(document))
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  return [
    header,
    'import type { Make } from "../Operation.ts"\n',
    "/** Every operation of the API, by its tag and name. */",
    "export class Operations {",
    ...tags.map((tag) => `  readonly ${tag}`),
    "",
    "  constructor(make: Make) {",
    ...tags.map((tag) =>
      group(
        tag,
        operations.filter((operation) => operation.tag === tag)
      )
    ),
    "  }",
    "}",
    ""
  ].join("\n")
}

/** `wire.ts`: the types of everything that goes over the wire, by openapi-typescript. */
export const wireSource = async (document: Json): Promise<string> => {
  const tool = await loadOpenApiTool("openapi-typescript")
  const openapiTS = tool.default.default ?? tool.default
  const types: string = tool.astToString(await openapiTS(clientDocument(document), { silent: true }))
  return `${header}// document: ${digestOf(document)}\n\n${types}`
}
