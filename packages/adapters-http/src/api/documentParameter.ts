import * as Predicate from "effect/Predicate"

type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json => Predicate.isObject(value)

const headerNames: Readonly<Record<string, string>> = {
  "idempotency-key": "Idempotency-Key",
  "x-filename": "X-Filename",
  "x-workspace-id": "X-Workspace-Id"
}

/** What one schema says instead of another; its description stays. */
const instead = (schema: unknown, other: Json): Json =>
  isJson(schema) && "description" in schema ? { ...other, description: schema["description"] } : other

const isTruthValue = (schema: unknown): boolean =>
  isJson(schema) && Array.isArray(schema["enum"]) && schema["enum"].join() === "true,false"

/** The generator describes the text of a query; this says what the text means. */
const queryOf = (path: string, name: unknown, schema: unknown): unknown => {
  if (name === "limit") {
    return { type: "integer", minimum: 1, maximum: path === "/v1/inbox" ? 500 : 100, default: 50 }
  }
  if (name === "inbox_scope") return instead(schema, { type: "string", enum: ["managed_user", "workspace"] })
  return isTruthValue(schema) ? instead(schema, { type: "boolean" }) : schema
}

/** A parameter with its name as people write it, and with numbers and truth values as what they are. */
export const completeParameter = (path: string, parameter: unknown): unknown => {
  if (!isJson(parameter)) return parameter
  const { in: place, name, schema } = parameter
  if (place === "header" && Predicate.isString(name)) return { ...parameter, name: headerNames[name] ?? name }
  return place === "query" ? { ...parameter, schema: queryOf(path, name, schema) } : parameter
}
