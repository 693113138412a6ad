import { clientDocument, type Json, objectOf, operationsOf } from "./clientDocument.ts"

const begins = "<!-- operations -->"
const ends = "<!-- /operations -->"

const descriptionsOf = (document: Json): ReadonlyMap<string, string> =>
  new Map(
    (Array.isArray(document["tags"]) ? document["tags"] : [])
      .map(objectOf)
      .map(({ description, name }) => [String(name), String(description)])
  )

const idsOf = (path: string): string => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).join(", ")

/** A page with the table of all operations between its two marks, as the document has them. */
export const withOperationsTable = (page: string, document: Json): string => {
  const [start, end] = [page.indexOf(begins), page.indexOf(ends)]
  if (start < 0 || end < start) throw new Error(`The page has no ${begins} … ${ends}`)
  const operations = operationsOf(clientDocument(document))
  const descriptions = descriptionsOf(document)
  const rows = [...new Set(operations.map(({ tag }) => tag))].map((tag) => {
    const calls = operations.filter((one) => one.tag === tag).map(({ name, path }) => `\`${name}(${idsOf(path)})\``)
    return `| \`${tag}\` | ${descriptions.get(tag) ?? ""} | ${calls.join(", ")} |`
  })
  const table = ["| `loopbox.` | | |", "|---|---|---|", ...rows].join("\n")
  return `${page.slice(0, start)}${begins}\n\n${table}\n\n${page.slice(end)}`
}
