import { assert, describe, layer } from "@effect/vitest"
import type { AccessEntry } from "@loopbox/adapters-http/server/edge/requestFacts"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { makeInbox, scopes } from "../inbox/inboxSupport.ts"
import { follow } from "../sockets/socketSupport.ts"
import { adminToken, call, makeWorkspace, portOf, sendRaw, serverWith, services, uploadGif } from "../support.ts"

const entries: Array<AccessEntry> = []
let looks = 0
// The look goes on for as long as the one who asked may take to leave.
const hasLeft = Deferred.makeUnsafe<void>()
const logged = serverWith({
  accessLog: (entry) => void entries.push(entry),
  healthTimeout: "5 minutes",
  healthChecks: [
    {
      name: "slow",
      run: Effect.suspend(() => {
        looks += 1
        return Effect.as(Deferred.await(hasLeft), "well")
      })
    }
  ]
}).pipe(Layer.provideMerge(services))

describe("the access log", () => {
  layer(logged, { excludeTestServices: true })((it) => {
    it.effect("has one entry for each request, with whose it was and nothing that came with it", () =>
      Effect.gen(function* () {
        const { key, keyId, workspace } = yield* makeWorkspace()
        const id = yield* uploadGif(key)
        entries.length = 0
        const headers = { "x-request-id": "given.1" }
        yield* call("GET", `/v1/media/${id}?token=of-mine&external_user_id=of-mine`, { key, headers })
        yield* call("GET", "/v1/media", { key: "lbx_test_of-mine" })
        yield* call("GET", "/path/of-mine")
        yield* call("DELETE", "/v1/media")
        yield* call("GET", "/v1/admin/workspaces", { key: adminToken })
        assert.deepEqual(
          entries.map(({ keyId, method, route, status, workspaceId }) => ({
            keyId,
            method,
            route,
            status,
            workspaceId
          })),
          [
            { keyId, workspaceId: workspace.id, method: "GET", route: "/v1/media/:id", status: 200 },
            { keyId: undefined, workspaceId: undefined, method: "GET", route: "/v1/media", status: 401 },
            { keyId: undefined, workspaceId: undefined, method: "GET", route: "none", status: 404 },
            { keyId: undefined, workspaceId: undefined, method: "DELETE", route: "/v1/media", status: 405 },
            { keyId: undefined, workspaceId: undefined, method: "GET", route: "/v1/admin/workspaces", status: 200 }
          ]
        )
        assert.strictEqual(entries[0]?.requestId, "given.1")
        assert.isTrue(entries.every(({ milliseconds }) => milliseconds >= 0 && milliseconds < 60_000))
        const said = JSON.stringify(entries)
        for (const secret of [key, adminToken, id, "of-mine"]) assert.notInclude(said, secret)
      })
    )

    it.effect("has one for each that was refused before any route, and the metrics count it", () =>
      Effect.gen(function* () {
        const port = yield* portOf
        entries.length = 0
        yield* sendRaw(port, "GET /livez HTTP/1.1\r\nhost: x\r\nof mine: x\r\n\r\n")
        const long = "x".repeat(100_000)
        yield* sendRaw(port, `GET /livez HTTP/1.1\r\nhost: x\r\nx-long: ${long}\r\n\r\n`)
        yield* sendRaw(port, "CONNECT of.mine:443 HTTP/1.1\r\nhost: of.mine:443\r\n\r\n")
        yield* sendRaw(port, "of mine\r\n\r\n")
        assert.deepEqual(
          entries.map(({ method, route, status }) => `${method} ${route} ${status}`),
          ["GET none 400", "GET none 431", "CONNECT none 400", "other none 400"]
        )
        assert.strictEqual(new Set(entries.map(({ requestId }) => requestId)).size, 4)
        assert.notInclude(JSON.stringify(entries), "mine")
        const { text } = yield* call("GET", "/metrics")
        const counted = text.split("\n").filter((line) => /^http_requests_total.*route="none"/.test(line))
        assert.isTrue(counted.some((line) => line.includes('status="431"')))
        assert.isTrue(counted.some((line) => line.includes('status="400"')))
      })
    )
    it.effect("tells of a WebSocket when it ends, though its request ended with 101", () =>
      Effect.gen(function* () {
        const { id, key, keyId } = yield* makeInbox()
        entries.length = 0
        yield* Effect.gen(function* () {
          const follower = yield* follow(scopes.workspace, { key })
          yield* follower.until(1)
          // An answer of a later request, so that the socket's would have been told, too.
          yield* call("GET", "/livez")
          assert.deepEqual(
            entries.map(({ route }) => route),
            ["/livez"]
          )
          entries.length = 0
        }).pipe(Effect.scoped)
        yield* Effect.sleep("20 millis").pipe(Effect.repeat({ while: () => entries.length === 0 }))
        assert.deepEqual(
          entries.map(({ keyId, route, status, workspaceId }) => ({ keyId, route, status, workspaceId })),
          [{ keyId, workspaceId: id, route: "/v1/inbox/ws", status: 101 }]
        )
      })
    )
    it.effect("says of a client that left that it did", () =>
      Effect.gen(function* () {
        entries.length = 0
        const leaving = yield* Effect.forkChild(call("GET", "/readyz"))
        yield* Effect.sleep("20 millis").pipe(Effect.repeat({ while: () => looks === 0 }))
        yield* Fiber.interrupt(leaving)
        yield* Effect.sleep("20 millis").pipe(Effect.repeat({ while: () => entries.length === 0 }))
        yield* Deferred.succeed(hasLeft, undefined)
        assert.deepEqual(
          entries.map(({ route, status }) => [route, status]),
          [["/readyz", 499]]
        )
      })
    )
  })
})
