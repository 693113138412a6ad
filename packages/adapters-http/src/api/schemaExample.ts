import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"

type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json => Predicate.isObject(value)
const objectOf = (value: unknown): Json => (isJson(value) ? value : {})
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Deeper than any answer: a schema that refers to itself ends here. */
const maxDepth = 12

/** What every envelope has. */
const envelope: Json = { request_id: "req_01k9j8m2x4v6q8s0t2w4y6z8ab", next_cursor: null }

const namedBy = (schemas: Json, ref: unknown): unknown =>
  Predicate.isString(ref) ? schemas[ref.slice("#/components/schemas/".length)] : undefined

/** What the schema says itself: its first example, or the only value that it allows. */
const saidBy = (schema: Json): Option.Option<unknown> => {
  if ("const" in schema) return Option.some(schema["const"])
  const [first] = [...listOf(schema["examples"]), ...listOf(schema["enum"])]
  if (first !== undefined) return Option.some(first)
  return schema["type"] === "null" ? Option.some(null) : Option.none()
}

/**
 * An example of a schema of the document, put together from the examples of its parts; none where a part that is a plain
 * text or number has none. `schemas` are the document's, by name.
 */
export const schemaExample = (schemas: Json, schema: unknown, depth = 0): Option.Option<unknown> => {
  if (!isJson(schema) || depth > maxDepth) return Option.none()
  const inner = (part: unknown) => schemaExample(schemas, part, depth + 1)
  const said = saidBy(schema)
  if (Option.isSome(said)) return said
  if ("$ref" in schema) return inner(namedBy(schemas, schema["$ref"]))
  const choices = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])]
  if (choices.length > 0) return Option.firstSomeOf(choices.map(inner))
  if (isJson(schema["items"])) return Option.map(inner(schema["items"]), (item) => [item])
  if (!isJson(schema["properties"])) {
    return schema["type"] === "object" && schema["additionalProperties"] === false ? Option.some({}) : Option.none()
  }
  const members = Object.entries(objectOf(schema["properties"])).map(([name, part]) =>
    Option.map(
      Option.orElse(inner(part), () => Option.fromUndefinedOr(depth === 0 ? envelope[name] : undefined)),
      (value) => [name, value] as const
    )
  )
  return Option.map(Option.all(members), (entries) => Object.fromEntries(entries))
}
