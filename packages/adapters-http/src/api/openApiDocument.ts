import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { type ErrorCode, errorCodes } from "./errorCodes.ts"
import { exportExample } from "./deliveryExamples.ts"
import { completeParameter } from "./documentParameter.ts"
import { errorExample } from "./errorExamples.ts"
import { rawPaths, rawTags } from "./rawDocument.ts"
import { schemaExample } from "./schemaExample.ts"
import { shareSchemas } from "./sharedSchemas.ts"

type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json => Predicate.isObject(value)
const objectOf = (value: unknown): Json => (isJson(value) ? value : {})
const mapValues = (record: Json, f: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value, key)]))

const text = (description: string, pattern?: string) => ({
  description,
  schema: { type: "string", ...(pattern === undefined ? {} : { pattern }) }
})
const count = (description: string) => ({ description, schema: { type: "integer", minimum: 0 } })

const headers: Json = {
  "X-Request-Id": text("The same as `request_id`; a given one is kept.", "^[A-Za-z0-9._-]{1,128}$"),
  "RateLimit-Limit": count("Requests that the key may make at once."),
  "RateLimit-Remaining": count("Requests that are left now."),
  "RateLimit-Reset": count("Seconds until all of them are there again."),
  "Retry-After": count("Seconds to wait before the next try."),
  "WWW-Authenticate": text("`Bearer`."),
  "X-Operation-Id": text("The operation of the reply, once there is one."),
  "X-Cache": text("`hit`, `miss`, or `stale` where the network is down."),
  Age: count("Seconds since the network said it.")
}

/** INBOX_SCOPE_LOOKUP_FAILED says when to try again. */
const hasRetry = (status: string, codes: ReadonlyArray<string>) =>
  status === "429" || status === "503" || codes.includes("INBOX_SCOPE_LOOKUP_FAILED")

/** Headers of a path's own. */
const ownHeaders = (path: string, status: string): ReadonlyArray<string> => {
  if (path.endsWith("/media-context") && status === "200") return ["X-Cache", "Age"]
  if (path.includes("/outbound-operations/") || path.includes("/x-outbound-operations/")) {
    return status === "200" ? ["X-Operation-Id"] : []
  }
  const isOfReply = path.endsWith("/reply") && ["200", "202", "409", "422", "429", "502"].includes(status)
  return isOfReply ? ["X-Operation-Id"] : []
}

const headersOf = (path: string, status: string, codes: ReadonlyArray<string>, hasKey: boolean): Json => {
  const names = ["X-Request-Id", ...ownHeaders(path, status)]
  if (hasKey && status !== "401") names.push("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
  if (hasRetry(status, codes)) names.push("Retry-After")
  if (status === "401") names.push("WWW-Authenticate")
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code)

/** All texts that a schema allows for its members called `code`. */
const codesIn = (schema: unknown): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap(codesIn)
  if (!isJson(schema)) return []
  const own = isJson(schema["code"]) ? enumsIn(schema["code"]) : []
  return [...own, ...Object.values(schema).flatMap(codesIn)]
}
const enumsIn = (schema: unknown): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap(enumsIn)
  if (!isJson(schema)) return []
  const own = Array.isArray(schema["enum"]) ? schema["enum"].filter(Predicate.isString) : []
  return [...own, ...Object.values(schema).flatMap(enumsIn)]
}

/** An error says its codes, each with an example, instead of the envelope written out for every one of them. */
const errorOf = (path: string, status: string, codes: ReadonlyArray<ErrorCode>): Json => ({
  // As seen from the reference's page, /docs, wherever a host has it.
  description: codes.map((code) => `[\`${code}\`](docs/guides/limits-and-errors#${code})`).join(", "),
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: ["error", "request_id"],
        properties: {
          error: { allOf: [{ $ref: "#/components/schemas/Error" }], properties: { code: { enum: codes } } },
          request_id: { type: "string" }
        }
      },
      examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(path, status, code) }]))
    }
  }
})

const errorSchema = {
  type: "object",
  required: ["code", "message"],
  properties: {
    code: { type: "string" },
    message: { type: "string", description: "For a person: what to do." },
    details: {
      type: "object",
      properties: {
        issues: {
          type: "array",
          items: { $ref: "#/components/schemas/Issue" },
          description: "All faults at once."
        },
        reset_at: { type: "string", format: "date-time", description: "When one more is admitted." },
        limit: { type: "integer", description: "The limit that was reached." },
        reason: { type: "string", description: "Which of the code's causes it is." },
        operation_id: { type: "string", description: "The operation of the reply." },
        network_code: { type: ["string", "null"], description: "The network's own code." },
        missing_scopes: {
          type: "array",
          items: { type: "string" },
          description: "What the account's credential lacks."
        },
        settings: {
          type: "array",
          items: { type: "string" },
          description: "Names of the settings that the host lacks."
        },
        required_plan: { type: "string", description: "The least plan that has it." }
      }
    }
  }
}

/**
 * A schema of answers as clients may rely on it: members may be added, so that an unknown one is no fault; and
 * without bounds that only say how JavaScript counts.
 */
const open = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(open)
  if (!isJson(schema)) return schema
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !(key === "additionalProperties" && value === false) &&
      !(key === "minimum" && value === Number.MIN_SAFE_INTEGER) &&
      !(key === "maximum" && value === Number.MAX_SAFE_INTEGER)
  )
  return Object.fromEntries(kept.map(([key, value]) => [key, open(value)]))
}

/** The one success that says by an error's envelope what is missing yet (api.md §3). */
const isError = (status: string, codes: ReadonlyArray<ErrorCode>): boolean =>
  (Number(status) >= 400 && codes.length > 0) || codes.includes("X_REMOTE_ACCEPTED_RECONCILING")

/** An answer has an example of its whole, envelope included; files have none. */
const withExamples = (schemas: Json, response: Json): Json => {
  if (!isJson(response["content"])) return response
  const content = mapValues(response["content"], (given, type) => {
    const media = objectOf(given)
    if ("example" in media || "examples" in media) return media
    if (type === "application/x-ndjson") return { ...media, example: exportExample }
    const example = schemaExample(schemas, media["schema"])
    return Option.isSome(example) ? { ...media, example: example.value } : media
  })
  return { ...response, content }
}

const completeResponse = (schemas: Json, path: string, given: unknown, status: string, hasKey: boolean): Json => {
  const codes = [...new Set(codesIn(objectOf(given)["content"]))].filter(isErrorCode)
  const response = isError(status, codes)
    ? { ...objectOf(given), ...errorOf(path, status, codes) }
    : withExamples(schemas, objectOf(open(given)))
  return { ...response, headers: { ...headersOf(path, status, codes, hasKey), ...objectOf(response["headers"]) } }
}

/** A sync without a body polls, and nothing has to be said to connect again; the generator takes every one for required. */
const hasOptionalBody = (path: string) => path === "/v1/inbox/sync" || path.endsWith("/reconnect")

const completeOperation = (schemas: Json, path: string, operation: Json): Json => {
  const security = JSON.stringify(operation["security"] ?? [])
  const hasKey = security.includes("apiKey") || security.includes("credential")
  const given = objectOf(operation["responses"])
  const known = codesIn(objectOf(objectOf(given["500"])["content"]))
  const broken = errorOf(path, "500", [...new Set([...known.filter(isErrorCode), "INTERNAL_ERROR" as const])])
  const unread = errorOf(path, "431", ["HEADERS_TOO_LARGE"])
  const all: Json = path.startsWith("/v1/") ? { ...given, "500": broken } : { ...given, "431": unread }
  const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"] : []
  const body = isJson(operation["requestBody"])
    ? {
        requestBody: {
          ...withExamples(schemas, operation["requestBody"]),
          ...(hasOptionalBody(path) ? { required: false } : {})
        }
      }
    : {}
  return {
    ...operation,
    ...body,
    parameters: parameters.map((parameter) => completeParameter(path, parameter)),
    responses: mapValues(all, (response, status) => completeResponse(schemas, path, response, status, hasKey))
  }
}

/** Whom a path is for; pages show one part of the API at a time. */
const partOf = (path: string): string => {
  if (path.startsWith("/v1/admin/")) return "Administration"
  return path.startsWith("/v1/") && !path.startsWith("/v1/webhooks/") ? "API" : "Operations"
}

/** The tags of each part, in the order in which the parts come (Redoc and others read it, and our own page). */
const tagGroupsOf = (paths: Json) => {
  const groups = new Map<string, Set<unknown>>([
    ["API", new Set()],
    ["Administration", new Set()],
    ["Operations", new Set()]
  ])
  for (const [path, item] of Object.entries(paths)) {
    for (const operation of Object.values(objectOf(item))) {
      const { tags } = objectOf(operation)
      for (const tag of Array.isArray(tags) ? tags : []) groups.get(partOf(path))?.add(tag)
    }
  }
  return Array.from(groups, ([name, tags]) => ({ name, tags: [...tags] }))
}

/** What the generator cannot know: headers that the edge sets on every answer, and the error that is no refusal. */
export const completeDocument = (given: Json): Json => {
  const document = shareSchemas(given)
  const components = objectOf(document["components"])
  const schemas: Json = { ...objectOf(open(components["schemas"])), Error: errorSchema }
  const paths: Json = { ...objectOf(document["paths"]), ...rawPaths }
  return {
    ...document,
    info: { ...objectOf(document["info"]), contact: { name: "The maintainers of Loopbox" } },
    "x-tagGroups": tagGroupsOf(paths),
    tags: [...(Array.isArray(document["tags"]) ? document["tags"] : []), ...rawTags],
    paths: mapValues(paths, (item, path) =>
      mapValues(objectOf(item), (operation) => completeOperation(schemas, path, objectOf(operation)))
    ),
    components: {
      ...components,
      headers,
      schemas
    }
  }
}
