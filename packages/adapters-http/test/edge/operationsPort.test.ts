import { assert, describe, layer } from "@effect/vitest"
import { OperationsPort } from "@loopbox/adapters-http/node/operationsPort"
import { Effect, Layer, Option } from "effect"
import { adminToken, call, codeOf, serverWith, services } from "../support.ts"

const withPort = serverWith({
  operationsPort: 0,
  healthChecks: [{ name: "disk", run: Effect.succeed("/var/lib takes files") }]
}).pipe(Layer.provideMerge(services))

describe("a port of operations (api-2.md §18)", () => {
  layer(withPort, { excludeTestServices: true })((it) => {
    it.effect("takes /metrics, /readyz and /v1/admin, which are 404 on the main one", () =>
      Effect.gen(function* () {
        const { address } = yield* OperationsPort
        const ops = `http://127.0.0.1:${Option.isSome(address) ? address.value.port : 0}`
        for (const path of ["/metrics", "/readyz", "/v1/admin/workspaces"]) {
          assert.strictEqual((yield* call("GET", `${ops}${path}`, { key: adminToken })).status, 200, path)
          assert.strictEqual(codeOf(yield* call("GET", path, { key: adminToken })), "404 NOT_FOUND", path)
        }
        const made = yield* call("POST", `${ops}/v1/admin/workspaces`, {
          key: adminToken,
          json: { name: "Acme", plan: "basic" }
        })
        assert.strictEqual(made.status, 201)
        assert.strictEqual(codeOf(yield* call("POST", "/v1/admin/workspaces", { json: {} })), "404 NOT_FOUND")
        assert.strictEqual(codeOf(yield* call("OPTIONS", "/readyz")), "404 NOT_FOUND")
      })
    )
    it.effect("leaves the rest on the main one, /livez on both", () =>
      Effect.gen(function* () {
        const { address } = yield* OperationsPort
        const ops = `http://127.0.0.1:${Option.isSome(address) ? address.value.port : 0}`
        for (const path of ["/openapi.json", "/docs"]) {
          assert.strictEqual((yield* call("GET", path)).status, 200, path)
        }
        for (const path of ["/openapi.json", "/docs", "/v1/media", "/v1/inbox/ws", "/v1/webhooks/meta", "/none"]) {
          assert.strictEqual(codeOf(yield* call("GET", `${ops}${path}`)), "404 NOT_FOUND", path)
        }
        assert.strictEqual((yield* call("GET", "/livez")).status, 200)
        assert.strictEqual((yield* call("GET", `${ops}/livez`)).status, 200)
        assert.include((yield* call("GET", `${ops}/readyz`)).text, "/var/lib takes files")
      })
    )
  })
})
