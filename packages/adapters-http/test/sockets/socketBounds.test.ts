import { assert, describe, it, layer } from "@effect/vitest"
import { Drain } from "@loopbox/adapters-http/server/edge/Drain"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { call, portOf, sendRaw, serverWith, services } from "../support.ts"
import { issueKey, makeInbox, scopes } from "../inbox/inboxSupport.ts"
import { follow, followAt, handshakeText } from "./socketSupport.ts"

const { workspace } = scopes

/** Head of the answer to a handshake that is refused. */
const shake = (key: string) => Effect.flatMap(portOf, (port) => sendRaw(port, handshakeText(key, workspace)))

describe("sockets of one workspace and of one key (L4)", () => {
  const bounded = serverWith({ sockets: { maxSockets: 5, maxPerWorkspace: 3, maxPerCaller: 2 } })
  layer(bounded.pipe(Layer.provideMerge(services)), { excludeTestServices: true })((it) => {
    it.effect("are 429 above their bounds, and others' are taken", () =>
      Effect.gen(function* () {
        const one = yield* makeInbox()
        const second = (yield* issueKey(one.id, "owner")).key
        const open = (key: string) => follow(workspace, { key })
        const tooMany = /^HTTP\/1\.1 429 [^]*retry-after: \d+\r\n[^]*"code":"RATE_LIMITED"/i
        const first = yield* open(one.key)
        yield* open(one.key)
        assert.match(yield* shake(one.key), tooMany)
        yield* open(second)
        assert.match(yield* shake(second), tooMany)
        const other = yield* makeInbox()
        yield* open(other.key)
        yield* open(other.key)
        const third = yield* makeInbox()
        assert.match(yield* shake(third.key), /^HTTP\/1\.1 503 /)
        first.socket.close()
        yield* first.closed
        // The server hears of it a moment later.
        yield* shake(one.key).pipe(
          Effect.delay("20 millis"),
          Effect.repeat({ until: (answer) => answer.startsWith("HTTP/1.1 101 ") })
        )
      }).pipe(Effect.scoped)
    )
  })
})

describe("a stop", () => {
  it.live("pauses while requests are taken as before, then closes sockets one after the other with 1012", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const stopping = serverWith({ pause: "400 millis" }).pipe(Layer.provideMerge(services))
      const context = yield* Layer.buildWithScope(stopping, scope)
      yield* Effect.gen(function* () {
        const port = yield* portOf
        const { key } = yield* makeInbox()
        const followers = yield* Effect.forEach(Array.from({ length: 40 }), () => followAt(workspace, { key, port }), {
          concurrency: 8
        })
        const closedAt: Array<number> = []
        for (const { socket } of followers) socket.on("close", () => closedAt.push(performance.now()))
        const startedAt = performance.now()
        yield* Context.get(context, Drain).begin
        assert.strictEqual((yield* call("GET", "/readyz")).status, 503)
        assert.strictEqual((yield* call("GET", `/v1/inbox?${workspace}`, { key })).status, 200)
        yield* Scope.close(scope, Exit.void)
        for (const { closed } of followers) assert.strictEqual(yield* closed, 1012)
        assert.isAbove(Math.min(...closedAt) - startedAt, 390)
        // Five milliseconds each: 200 in all.
        assert.isAbove(Math.max(...closedAt) - Math.min(...closedAt), 100)
        assert.isBelow(performance.now() - startedAt, 60_000)
      }).pipe(Effect.scoped, Effect.provideContext(context))
    })
  )
})
