import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, server, type Wire } from "../support.ts"

interface Operation {
  readonly name: string
  readonly path: string
  readonly operation: Wire
}

const operationsOf = (document: Wire): ReadonlyArray<Operation> =>
  Object.entries({ ...document["paths"] }).flatMap(([path, item]) =>
    Object.entries({ ...item }).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      operation
    }))
  )

const isFile = ([type, media]: readonly [type: string, media: Wire]): boolean =>
  type === "multipart/form-data" ||
  (String(media["schema"]?.["format"]) === "binary" && type !== "application/x-ndjson")

const withoutExample = ({ name, operation }: Operation): ReadonlyArray<string> =>
  [["request", operation["requestBody"]] as const, ...Object.entries({ ...operation["responses"] })].flatMap(
    ([status, part]) =>
      Object.entries({ ...part?.["content"] })
        .filter((media) => !isFile(media) && media[1]["example"] === undefined && media[1]["examples"] === undefined)
        .map(([type]) => `${name} ${status} ${type}`)
  )

describe("what programs make of /openapi.json", () => {
  layer(server, { excludeTestServices: true })((it) => {
    const load = Effect.map(call("GET", "/openapi.json"), ({ body }) => body)

    it.effect("every request and answer, errors included, has an example of its whole; files have none", () =>
      Effect.gen(function* () {
        const operations = operationsOf(yield* load)
        assert.deepStrictEqual(
          operations.flatMap(withoutExample),
          [],
          "Add `examples: [{ … }]` to the annotations of the schema in packages/adapters-http/src/api, " +
            "or to those of each member that is a plain text or number."
        )
        const list = operations.find(({ name }) => name === "GET /v1/inbox")
        const example = list?.operation["responses"]?.["200"]?.["content"]?.["application/json"]?.["example"]
        assert.hasAllKeys({ ...example }, ["data", "next_cursor", "request_id"])
        assert.match(String(example?.["data"]?.[0]?.["id"]), /^itm_/)
      })
    )
    it.effect("an operation's id is its tag and a name in camel case, as a client calls it", () =>
      Effect.gen(function* () {
        const wrong = operationsOf(yield* load)
          .filter(({ path }) => path.startsWith("/v1/"))
          .filter(({ operation }) => {
            const [tag = ""] = Object.values({ ...operation["tags"] }).map(String)
            const [first = "", name = "", ...more] = String(operation["operationId"]).split(".")
            return first !== tag || more.length > 0 || !/^[a-z][A-Za-z]*$/.test(tag) || !/^[a-z][A-Za-z]*$/.test(name)
          })
          .map(({ name, operation }) => `${name}: ${String(operation["operationId"])}`)
        assert.deepStrictEqual(wrong, [], "Name the group and the endpoint in camel case: `inbox`, `countUnread`.")
      })
    )
    it.effect("a schema that is described anew where it is used keeps its one name", () =>
      Effect.gen(function* () {
        const document = yield* load
        const names = Object.keys({ ...document["components"]?.["schemas"] })
        assert.deepStrictEqual(
          names.filter((name) => /_\d+$/.test(name)),
          [],
          "Two different schemas have one identifier: give each its own."
        )
        assert.includeMembers(names, ["Post", "ConnectedAccount", "InboxItem"])
      })
    )
    it.effect("numbers, truth values and scopes of a query are described as what they mean", () =>
      Effect.gen(function* () {
        const document = yield* load
        const parameters = Object.values({ ...document["paths"]?.["/v1/inbox"]?.["get"]?.["parameters"] })
        const schemaOf = (name: string) =>
          parameters.find((parameter) => String(parameter["name"]) === name)?.["schema"]
        assert.deepEqual<unknown>(schemaOf("is_read"), { type: "boolean" })
        assert.deepEqual<unknown>(schemaOf("limit"), { type: "integer", minimum: 1, maximum: 500, default: 50 })
        assert.deepEqual<unknown>({ ...schemaOf("inbox_scope")?.["enum"] }, { 0: "managed_user", 1: "workspace" })
      })
    )
  })
})
