/** What a client needs of the OpenAPI document: its operations, what they take and what they answer when all is well. */

export type Json = Readonly<Record<string, unknown>>

export const objectOf = (value: unknown): Json => (typeof value === "object" && value !== null ? { ...value } : {})
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const mapValues = (record: Json, f: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value, key)]))

/** The networks' webhooks, probes and the page of operations are nobody's to call; the socket has a function of its own. */
const isOffered = (path: string): boolean =>
  path.startsWith("/v1/") && !path.startsWith("/v1/webhooks/") && path !== "/v1/inbox/ws"

/** A document without its examples, which are for people. */
const withoutExamples = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutExamples)
  if (typeof value !== "object" || value === null) return value
  const kept = Object.entries(value).filter(([key, part]) => key !== "example" && !(key === "examples" && isList(part)))
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutExamples(part)]))
}
const isList = (value: unknown): boolean => Array.isArray(value) || (typeof value === "object" && value !== null)

const jsonOf = (media: unknown): Json => objectOf(objectOf(objectOf(media)["content"])["application/json"])
const propertiesOf = (schema: unknown): Json => objectOf(objectOf(schema)["properties"])

const isRefusal = (response: unknown): boolean => "error" in propertiesOf(jsonOf(response)["schema"])

const successesOf = (responses: Json): Json =>
  mapValues(
    Object.fromEntries(
      Object.entries(responses).filter(([status, response]) => Number(status) < 300 && !isRefusal(response))
    ),
    (response) => {
      const { content, description } = objectOf(response)
      return { description, ...(content === undefined ? {} : { content }) }
    }
  )

const shortened = (operation: Json): Json => {
  const { description, operationId, parameters, requestBody, responses, summary, tags } = operation
  return {
    tags,
    operationId,
    summary,
    description,
    parameters,
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: successesOf(objectOf(responses))
  }
}

const offeredPaths = (document: Json): Json =>
  Object.fromEntries(Object.entries(objectOf(document["paths"])).filter(([path]) => isOffered(path)))

/** Every code of an error that an operation of the client may be refused with. */
const errorCodesOf = (paths: Json): ReadonlyArray<string> => {
  const codes = Object.values(paths)
    .flatMap((item) => Object.values(objectOf(item)))
    .flatMap((operation) => Object.values(objectOf(objectOf(operation)["responses"])))
    .map((response) => objectOf(propertiesOf(propertiesOf(jsonOf(response)["schema"])["error"])["code"]))
    .flatMap((code) => listOf(code["enum"]).map(String))
  return [...new Set(codes)].sort()
}

/** The part of the host's document that the client is made of. */
export const clientDocument = (document: Json): Json => {
  const paths = offeredPaths(document)
  const schemas = objectOf(objectOf(document["components"])["schemas"])
  return objectOf(
    withoutExamples({
      openapi: document["openapi"],
      info: { title: "Loopbox", version: "" },
      paths: mapValues(paths, (item) => mapValues(objectOf(item), (operation) => shortened(objectOf(operation)))),
      components: {
        schemas: {
          ...schemas,
          ErrorCode: { type: "string", enum: errorCodesOf(paths), description: "The codes of errors at this version." }
        }
      }
    })
  )
}

export interface Operation {
  readonly tag: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly summary: string
  /**
   * `list`: pages with a cursor; `json`: a body of JSON beside the query; `file`: a body of bytes; `query`: neither.
   */
  readonly kind: "list" | "json" | "file" | "query"
  /** What is answered when all is well: `data`, a file as it is, or 204. */
  readonly answer: "data" | "file" | "nothing"
  /** Members that belong to the query, where there is a body of JSON, too. */
  readonly query: ReadonlyArray<string>
  /** Members that the query and the body have. */
  readonly shared: ReadonlyArray<string>
}

const kindOf = (operation: Json): Operation["kind"] => {
  const types = Object.keys(objectOf(objectOf(operation["requestBody"])["content"]))
  if (types.some((type) => type !== "application/json")) return "file"
  if (types.length > 0) return "json"
  const answers = Object.values(objectOf(operation["responses"]))
  return answers.some((answer) => "next_cursor" in propertiesOf(jsonOf(answer)["schema"])) ? "list" : "query"
}

const answerOf = (operation: Json): Operation["answer"] => {
  const answers = Object.values(objectOf(operation["responses"]))
  if (answers.every((answer) => objectOf(answer)["content"] === undefined)) return "nothing"
  return answers.some((answer) => "data" in propertiesOf(jsonOf(answer)["schema"])) ? "data" : "file"
}

/** The members that a schema has itself, and by what it is made of. */
const memberNames = (document: Json, schema: unknown): ReadonlyArray<string> => {
  const { $ref, allOf, anyOf, oneOf, properties } = objectOf(schema)
  const named =
    typeof $ref === "string"
      ? [objectOf(objectOf(document["components"])["schemas"])[$ref.split("/").at(-1) ?? ""]]
      : []
  const parts = [...named, ...listOf(allOf), ...listOf(anyOf), ...listOf(oneOf)]
  return [...Object.keys(objectOf(properties)), ...parts.flatMap((part) => memberNames(document, part))]
}

const operationOf = (document: Json, method: string, path: string, operation: Json): Operation => {
  const [tag = "", name = ""] = String(operation["operationId"]).split(".")
  const parameters = listOf(operation["parameters"]).map(objectOf)
  const query = parameters.filter(({ in: place }) => place === "query").map((parameter) => String(parameter["name"]))
  const body = memberNames(document, jsonOf(operation["requestBody"])["schema"])
  return {
    tag,
    name,
    method: method.toUpperCase(),
    path,
    summary: String(operation["summary"]),
    kind: kindOf(operation),
    answer: answerOf(operation),
    query: query.filter((name) => !body.includes(name)),
    shared: query.filter((name) => body.includes(name))
  }
}

/** The operations of a client's document, in its order. */
export const operationsOf = (document: Json): ReadonlyArray<Operation> =>
  Object.entries(objectOf(document["paths"])).flatMap(([path, item]) =>
    Object.entries(objectOf(item)).map(([method, operation]) =>
      operationOf(document, method, path, objectOf(operation))
    )
  )
