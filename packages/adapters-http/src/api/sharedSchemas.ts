import * as Predicate from "effect/Predicate"

type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json => Predicate.isObject(value)
const objectOf = (value: unknown): Json => (isJson(value) ? value : {})

const shape = (schema: unknown): string => {
  const { description: _description, ...rest } = objectOf(schema)
  return JSON.stringify(rest)
}

/** `Post_2` of `Post`. */
const baseOf = (name: string): string => name.replace(/_\d+$/, "")

const replaceRefs = (value: unknown, replaced: ReadonlyMap<string, Json>): unknown => {
  if (Array.isArray(value)) return value.map((part) => replaceRefs(part, replaced))
  if (!isJson(value)) return value
  const { $ref } = value
  const one = Predicate.isString($ref) ? replaced.get($ref) : undefined
  if (one !== undefined) return { ...value, ...one }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaceRefs(part, replaced)]))
}

/**
 * The generator gives a schema that is used once more with a description of its own another name, `Post_2`. Here it is the
 * first one again, with the description beside the reference: one type for whoever generates types.
 */
export const shareSchemas = (document: Json): Json => {
  const components = objectOf(document["components"])
  const schemas = objectOf(components["schemas"])
  const replaced = new Map<string, Json>()
  for (const [name, schema] of Object.entries(schemas)) {
    const base = baseOf(name)
    if (base === name || !(base in schemas) || shape(schema) !== shape(schemas[base])) continue
    const { description } = objectOf(schema)
    const $ref = `#/components/schemas/${base}`
    replaced.set(
      `#/components/schemas/${name}`,
      description === undefined || description === objectOf(schemas[base])["description"]
        ? { $ref }
        : { $ref, description }
    )
  }
  const kept = Object.entries(schemas).filter(([name]) => !replaced.has(`#/components/schemas/${name}`))
  const shared = { ...document, components: { ...components, schemas: Object.fromEntries(kept) } }
  return objectOf(replaceRefs(shared, replaced))
}
