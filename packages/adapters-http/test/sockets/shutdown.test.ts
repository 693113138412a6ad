import { assert, describe, it } from "@effect/vitest"
import { Access } from "@loopbox/core/access/Access"
import { InboxAccess } from "@loopbox/core/access/InboxAccess"
import { Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { HttpServer } from "effect/http"
import { connect, type Socket } from "node:net"
import { gif, makeWorkspace, portOf, serverWith, services, uploadGif } from "../support.ts"

/** Authentication that takes its time stands for a request in flight; `begun` tells that it is. */
const slowAccess = (wait: "300 millis" | "1 hour", begun: Deferred.Deferred<void>) =>
  Layer.effect(
    Access,
    Effect.map(Access, (access) =>
      Access.of({
        authenticate: (token) =>
          Effect.andThen(Deferred.succeed(begun, undefined), Effect.delay(access.authenticate(token), wait))
      })
    )
  ).pipe((slow) => Layer.fresh(InboxAccess.layer).pipe(Layer.provideMerge(slow)), Layer.provide(services))

/** Far more than a stop takes on a busy machine, far less than what it must not wait for: a minute and more. */
const atOnce_ms = 30_000

const start = Effect.fnUntraced(function* (wait: "300 millis" | "1 hour", drain: "2 minutes" | "200 millis") {
  const begun = yield* Deferred.make<void>()
  const scope = yield* Scope.make()
  const server = serverWith({ drain }).pipe(Layer.provide(slowAccess(wait, begun)), Layer.provideMerge(services))
  const context = yield* Layer.buildWithScope(server, scope)
  const { address } = yield* Effect.provideContext(HttpServer.HttpServer, context)
  return { scope, port: "port" in address ? address.port : 0, begun: Deferred.await(begun) }
})

/** A keep-alive connection: everything that comes, and when it closed. */
const converse = (port: number, text: string) => {
  const heard = { text: "", closed: false }
  const socket = connect(port, "127.0.0.1", () => socket.write(text))
  socket.on("data", (data) => (heard.text += data.toString()))
  socket.on("error", () => {})
  const answered = Effect.promise(() => new Promise<void>((resolve) => socket.once("data", () => resolve())))
  const closed = new Promise<void>((resolve) =>
    socket.on("close", () => {
      heard.closed = true
      resolve()
    })
  )
  return { heard, answered, closed }
}
const request = "GET /v1/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer lbx_x\r\n\r\n"

/** A client that asks and then reads nothing, until it is told to. */
const slowReader = (port: number, text: string) =>
  Effect.callback<{ socket: Socket; heard: { bytes: number; closed: Promise<void> } }>((resume) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text))
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()))
    const heard = { bytes: 0, closed }
    socket.on("error", () => {})
    socket.on("data", (data) => (heard.bytes += data.length))
    socket.once("data", () => {
      socket.pause()
      resume(Effect.succeed({ socket, heard }))
    })
  })

describe("a server that stops (design §7)", () => {
  it.live("answers what is in flight, takes nothing new, and ends", () =>
    Effect.gen(function* () {
      const { begun, port, scope } = yield* start("300 millis", "2 minutes")
      const idle = converse(port, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
      yield* idle.answered
      const busy = converse(port, request)
      yield* begun
      const startedAt = performance.now()
      yield* Scope.close(scope, Exit.void)
      assert.isBelow(performance.now() - startedAt, atOnce_ms)
      yield* Effect.promise(() => Promise.all([idle.closed, busy.closed]))
      assert.match(busy.heard.text, /^HTTP\/1\.1 401 /)
      assert.match(busy.heard.text, /\r\nconnection: close\r\n/i)
      const refused = converse(port, request)
      yield* Effect.promise(() => refused.closed)
      assert.strictEqual(refused.heard.text, "")
    })
  )
  it.live("answers 503 to what it cannot wait for", () =>
    Effect.gen(function* () {
      const { begun, port, scope } = yield* start("1 hour", "200 millis")
      const stuck = converse(port, request)
      const conversion = converse(port, request.replace("/v1/media", "/v1/media/gif-conversions"))
      yield* begun
      const startedAt = performance.now()
      yield* Scope.close(scope, Exit.void)
      assert.isBelow(performance.now() - startedAt, atOnce_ms)
      yield* Effect.promise(() => Promise.all([stuck.closed, conversion.closed]))
      assert.match(stuck.heard.text, /^HTTP\/1\.1 503 [^]*"code":"TEMPORARILY_UNAVAILABLE"/)
      assert.match(conversion.heard.text, /^HTTP\/1\.1 503 [^]*"code":"media_processing_unavailable"/)
    })
  )
  const startWithFile = Effect.fnUntraced(function* (drain: "2 minutes" | "200 millis") {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(serverWith({ drain }).pipe(Layer.provideMerge(services)), scope)
    const bytes = new Uint8Array(30 * 1024 * 1024)
    bytes.set(gif)
    const get = yield* Effect.gen(function* () {
      const { key } = yield* makeWorkspace()
      const id = yield* uploadGif(key, bytes)
      return `GET /v1/media/${id}/content HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
    }).pipe(Effect.provideContext(context))
    const port = yield* Effect.provideContext(portOf, context)
    return { scope, size: bytes.length, ...(yield* slowReader(port, get)) }
  })

  it.live("lets a download that has begun come to its end, and then closes its connection", () =>
    Effect.gen(function* () {
      const { heard, scope, size, socket } = yield* startWithFile("2 minutes")
      const startedAt = performance.now()
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* Effect.sleep("200 millis")
      socket.resume()
      yield* Fiber.join(closing)
      assert.isBelow(performance.now() - startedAt, atOnce_ms)
      yield* Effect.promise(() => heard.closed)
      assert.isAbove(heard.bytes, size)
    })
  )
  it.live("tears a download that does not end", () =>
    Effect.gen(function* () {
      const { heard, scope, size, socket } = yield* startWithFile("200 millis")
      const startedAt = performance.now()
      yield* Scope.close(scope, Exit.void)
      assert.isBelow(performance.now() - startedAt, atOnce_ms)
      socket.resume()
      yield* Effect.promise(() => heard.closed)
      assert.isBelow(heard.bytes, size)
    })
  )
  it.live("does not wait for a request that never came whole", () =>
    Effect.gen(function* () {
      const { port, scope } = yield* start("300 millis", "200 millis")
      const half = converse(port, "GET /livez HTTP/1.1\r\nHost:")
      yield* Effect.sleep("100 millis")
      const startedAt = performance.now()
      yield* Scope.close(scope, Exit.void)
      assert.isBelow(performance.now() - startedAt, atOnce_ms)
      yield* Effect.promise(() => half.closed)
    })
  )
  it.live("tells that a port is taken", () =>
    Effect.gen(function* () {
      const { port, scope } = yield* start("300 millis", "200 millis")
      const second = yield* Effect.flip(Layer.build(serverWith({ port }).pipe(Layer.provide(services))))
      assert.strictEqual(second._tag, "ServeError")
      yield* Scope.close(scope, Exit.void)
    })
  )
})
