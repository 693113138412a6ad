import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { call, server, type Wire } from "../support.ts"

/** Every object inside, with where it stands. */
function* objectsIn(value: unknown, path = "#"): Generator<readonly [string, Readonly<Record<string, unknown>>]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* objectsIn(item, `${path}/${index}`)
  } else if (typeof value === "object" && value !== null) {
    yield [path, { ...value }]
    for (const [key, item] of Object.entries(value)) yield* objectsIn(item, `${path}/${key}`)
  }
}
const at = (document: Wire, ref: string) =>
  ref
    .slice(2)
    .split("/")
    .reduce<Wire | undefined>((value, key) => value?.[key.replaceAll("~1", "/")], document)

const { version }: Wire = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))

/** The members that a schema names itself, those that it refers to included. */
const membersOf = (document: Wire, schema: Wire | undefined): ReadonlyArray<string> => {
  if (schema === undefined) return []
  const { $ref } = { ...schema }
  const parts = [...Object.values({ ...schema["allOf"] }), ...($ref === undefined ? [] : [at(document, String($ref))])]
  return [...Object.keys({ ...schema["properties"] }), ...parts.flatMap((part) => membersOf(document, part))]
}

describe("GET /openapi.json (api.md §9)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    const load = Effect.map(call("GET", "/openapi.json"), ({ body }) => body)
    const operations = (document: Wire) =>
      Object.entries({ ...document["paths"] }).flatMap(([path, item]) =>
        Object.entries({ ...item }).map(([method, operation]) => ({ path, method, operation }))
      )

    it.effect("is an OpenAPI 3.1 document whose references all lead somewhere", () =>
      Effect.gen(function* () {
        const document = yield* load
        assert.match(String(document["openapi"]), /^3\.1\./)
        assert.isString(document["info"]?.["title"])
        assert.isString(document["info"]?.["version"])
        for (const [path, object] of objectsIn(document)) {
          const { $ref } = object
          if (typeof $ref === "string") assert.isDefined(at(document, $ref), `${path}: ${$ref}`)
        }
      })
    )
    it.effect("describes every operation once, with its parameters and what it answers", () =>
      Effect.gen(function* () {
        const document = yield* load
        const ids = new Set<string>()
        const all = operations(document)
        assert.isAtLeast(all.length, 50)
        for (const { method, operation, path } of all) {
          const name = `${method} ${path}`
          ids.add(String(operation["operationId"]))
          assert.isString(operation["summary"], name)
          const parameters = Object.values({ ...operation["parameters"] })
          for (const [, id] of path.matchAll(/\{(\w+)\}/g)) {
            assert.isTrue(
              parameters.some((parameter) => `${parameter["name"]} ${parameter["in"]}` === `${id} path`),
              name
            )
          }
          for (const [status, response] of Object.entries({ ...operation["responses"] })) {
            assert.isString(response["description"], `${name} ${status}`)
            assert.isDefined(response["headers"]?.["X-Request-Id"], `${name} ${status}`)
            if (status === "429" || (status === "503" && path.startsWith("/v1"))) {
              assert.isDefined(response["headers"]?.["Retry-After"], `${name} ${status}`)
            }
            if (Number(status) >= 400 && path.startsWith("/v1")) {
              const json = response["content"]?.["application/json"]
              const codes = Object.values({
                ...json?.["schema"]?.["properties"]?.["error"]?.["properties"]?.["code"]?.["enum"]
              })
              assert.isAbove(codes.length, 0, `${name} ${status}`)
              assert.sameMembers(Object.keys({ ...json?.["examples"] }), codes.map(String))
            }
          }
        }
        assert.strictEqual(ids.size, all.length)
      })
    )
    it.effect("says where it is served, and which version of Loopbox it describes", () =>
      Effect.gen(function* () {
        const document = yield* load
        assert.isNotEmpty(Object.values({ ...document["servers"] }))
        assert.strictEqual(String(document["info"]?.["version"]), String(version))
      })
    )
    it.effect("says of every operation what it does, below a tag that is described", () =>
      Effect.gen(function* () {
        const document = yield* load
        const tags = Object.values({ ...document["tags"] }).map((tag) => String(tag["name"]))
        for (const { method, operation, path } of operations(document)) {
          const name = `${method} ${path}`
          const { description, summary } = operation
          assert.isAbove(String(summary ?? "").length, 5, name)
          assert.isAbove(String(description ?? "").length, 20, name)
          assert.notStrictEqual(String(description), String(summary), name)
          const own = Object.values({ ...operation["tags"] }).map(String)
          assert.isNotEmpty(own, name)
          assert.includeMembers(tags, own, name)
        }
      })
    )
    it.effect("has an example of each error as it is answered, which its schema allows", () =>
      Effect.gen(function* () {
        const document = yield* load
        for (const { method, operation, path } of operations(document)) {
          for (const [status, response] of Object.entries({ ...operation["responses"] })) {
            const json = response["content"]?.["application/json"]
            const isError = Number(status) >= 400 && path.startsWith("/v1")
            for (const [code, example] of Object.entries(isError ? { ...json?.["examples"] } : {})) {
              const name = `${method} ${path} ${status} ${code}`
              const error = { ...example["value"]?.["error"] }
              assert.strictEqual(String(error["code"]), code, name)
              assert.isAbove(String(error["message"]).length, 15, name)
              assert.notInclude(String(error["message"]), "What is wrong", name)
              const known = membersOf(document, json?.["schema"]?.["properties"]?.["error"])
              assert.includeMembers([...known], Object.keys(error), name)
            }
          }
        }
      })
    )
    it.effect("has every code of api.md §6 at the submit, and bytes and ranges at the download", () =>
      Effect.gen(function* () {
        const document = yield* load
        const submit = document["paths"]?.["/v1/media/gif-conversions"]?.["post"]
        const codes = Object.entries({ ...submit?.["responses"] }).flatMap(([status, response]) =>
          Object.keys({ ...response["content"]?.["application/json"]?.["examples"] }).map((code) => `${status} ${code}`)
        )
        assert.includeMembers(codes, [
          "401 UNAUTHORIZED",
          "422 validation_error",
          "422 gif_media_required",
          "422 invalid_background_color",
          "409 idempotency_conflict",
          "404 media_not_found",
          "409 input_media_unavailable",
          "422 gif_size_exceeded",
          "429 media_processing_capacity_exceeded",
          "429 gif_conversion_rate_limit_exceeded",
          "429 RATE_LIMITED",
          "503 media_processing_unavailable",
          "413 PAYLOAD_TOO_LARGE",
          "415 UNSUPPORTED_MEDIA_TYPE",
          "500 INTERNAL_ERROR"
        ])
        const list = document["paths"]?.["/v1/inbox"]?.["get"]
        const codesOf = (operation: Wire | undefined) =>
          Object.entries({ ...operation?.["responses"] }).flatMap(([status, response]) =>
            Object.keys({ ...response["content"]?.["application/json"]?.["examples"] }).map(
              (code) => `${status} ${code}`
            )
          )
        const access = [
          "400 INBOX_SCOPE_REQUIRED",
          "400 INBOX_SCOPE_INVALID",
          "400 VALIDATION_ERROR",
          "401 UNAUTHORIZED",
          "402 PLAN_FEATURE_NOT_AVAILABLE",
          "403 INSUFFICIENT_ROLE",
          "403 API_KEY_CREATOR_REQUIRED",
          "404 MANAGED_USER_NOT_FOUND",
          "429 RATE_LIMITED",
          "500 INBOX_SCOPE_LOOKUP_FAILED",
          "500 INTERNAL_ERROR",
          "503 TEMPORARILY_UNAVAILABLE"
        ]
        assert.sameMembers(codesOf(list), access)
        assert.isDefined(list?.["responses"]?.["500"]?.["headers"]?.["Retry-After"])
        const socket = document["paths"]?.["/v1/inbox/ws"]?.["get"]
        assert.sameMembers(codesOf(socket), [...access, "426 UPGRADE_REQUIRED"])
        assert.isDefined(socket?.["responses"]?.["101"])
        assert.includeMembers(Object.keys({ ...document["components"]?.["schemas"] }), ["InboxEvent", "InboxItem"])
        const session = document["paths"]?.["/v1/connect/sessions"]?.["post"]
        assert.includeMembers(codesOf(session), [
          "409 NETWORK_NOT_CONFIGURED",
          "404 NOT_FOUND",
          "400 INBOX_SCOPE_INVALID"
        ])
        assert.notInclude(codesOf(session), "402 PLAN_FEATURE_NOT_AVAILABLE")
        const reconnect = document["paths"]?.["/v1/accounts/{id}/reconnect"]?.["post"]
        assert.deepEqual<unknown>(reconnect?.["requestBody"]?.["required"], false)
        const check = document["paths"]?.["/v1/accounts/{id}/check"]?.["post"]
        assert.includeMembers(codesOf(check), [
          "409 ACCOUNT_DISCONNECTED",
          "429 PLATFORM_RATE_LIMITED",
          "502 PLATFORM_ERROR"
        ])
        for (const callback of ["deauthorize", "data-deletion"])
          assert.isDefined(document["paths"]?.[`/v1/webhooks/meta/${callback}`]?.["post"]?.["requestBody"])
        for (const endpoint of ["meta", "threads", "x"])
          assert.isDefined(document["paths"]?.[`/v1/webhooks/${endpoint}`]?.["post"])
        const reply = document["paths"]?.["/v1/inbox/{id}/reply"]?.["post"]
        assert.includeMembers(codesOf(reply), [
          ...access,
          "202 X_REMOTE_ACCEPTED_RECONCILING",
          "404 NOT_FOUND",
          "409 X_WRITE_OUTCOME_PENDING",
          "409 X_WRITE_NEEDS_RECONCILIATION",
          "409 IDEMPOTENCY_KEY_CONFLICT",
          "409 X_RECONNECT_REQUIRED",
          "422 PLATFORM_ERROR",
          "429 PLATFORM_RATE_LIMITED",
          "502 PLATFORM_ERROR"
        ])
        assert.isDefined(reply?.["responses"]?.["200"]?.["headers"]?.["X-Operation-Id"])
        const replyBody = reply?.["requestBody"]?.["content"]?.["application/json"]?.["schema"]
        assert.match(String(replyBody?.["properties"]?.["text"]?.["description"]), /x_reply 280/)
        const key = Object.values({ ...reply?.["parameters"] }).find((one) => String(one["name"]) === "Idempotency-Key")
        assert.match(String(key?.["schema"]?.["description"]), /Required for x_reply/)
        const sync = document["paths"]?.["/v1/inbox/sync"]?.["post"]
        assert.includeMembers(codesOf(sync), [...access, "404 NOT_FOUND", "409 VALIDATION_ERROR"])
        assert.deepStrictEqual<unknown>(sync?.["requestBody"]?.["required"], false)
        const run = document["paths"]?.["/v1/inbox/sync/{id}"]?.["get"]
        assert.includeMembers(codesOf(run), [...access, "404 NOT_FOUND"])
        for (const name of ["InboxSync", "BackfillConfirmation", "MediaContext"])
          assert.isDefined(document["components"]?.["schemas"]?.[name]?.["examples"])
        const context = document["paths"]?.["/v1/inbox/{id}/media-context"]?.["get"]
        assert.includeMembers(codesOf(context), [...access, "404 NOT_FOUND", "502 PLATFORM_ERROR"])
        assert.containsAllKeys({ ...context?.["responses"]?.["200"]?.["headers"] }, ["X-Cache", "Age"])
        for (const path of ["outbound-operations/{id}", "x-outbound-operations/{requestID}"])
          assert.isDefined(document["paths"]?.[`/v1/inbox/${path}`]?.["get"])
        assert.isDefined(document["components"]?.["schemas"]?.["OutboundOperation"]?.["examples"])
        const download = document["paths"]?.["/v1/media/{id}/content"]?.["get"]
        assert.isDefined(download?.["responses"]?.["206"]?.["headers"]?.["Content-Range"])
        assert.isDefined(download?.["responses"]?.["416"]?.["headers"]?.["Content-Range"])
        assert.isDefined(download?.["responses"]?.["200"]?.["content"]?.["video/mp4"])
        const upload = document["paths"]?.["/v1/media"]?.["post"]?.["requestBody"]?.["content"]
        assert.includeMembers(Object.keys({ ...upload }), ["image/gif", "multipart/form-data", "application/json"])
        assert.isDefined(document["components"]?.["schemas"]?.["ConversionJob"]?.["examples"])
      })
    )
  })
})
