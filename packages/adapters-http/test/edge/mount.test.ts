import { assert, describe, it, layer } from "@effect/vitest"
import { type HttpOptions, HttpSettings, NodeHandler, WebHandler } from "@loopbox/adapters-http"
import * as NodeWS from "@effect/platform-node/NodeWS"
import { Duration, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { comment, connectAccount, makeInbox, scopes } from "../inbox/inboxSupport.ts"
import { followAt, seqsOf, typesOf } from "../sockets/socketSupport.ts"
import { gif, makeWorkspace, sendRaw, services, signingKey } from "../support.ts"

const mountedWith = (options: Partial<HttpOptions>) =>
  Layer.mergeAll(NodeHandler.layer, WebHandler.layer).pipe(
    Layer.provideMerge(HttpSettings.layer({ publicUrl: "https://api.example/", signingKey, ...options })),
    Layer.provideMerge(services)
  )
const mounted = mountedWith({})
const gifHeaders = (key: string) => ({ authorization: `Bearer ${key}`, "content-type": "image/gif" })

/** Somebody else's server on a free port, until the scope closes. */
const listen = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly server: ReturnType<typeof createServer>; readonly port: number }>((resume) => {
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed({ server, port: typeof address === "object" && address !== null ? address.port : 0 }))
      })
    }),
    ({ server }) => Effect.sync(() => server.close())
  )

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

describe("NodeHandler", () => {
  layer(mounted, { excludeTestServices: true })((it) => {
    it.effect("leaves what a monitor of somebody else's server has kept of a body as it was", () =>
      Effect.gen(function* () {
        const handler = yield* NodeHandler
        const kept: Array<Uint8Array> = []
        const { port } = yield* listen((request, response) => {
          const push = request.push.bind(request)
          request.push = (chunk: unknown, ...others) => {
            if (chunk instanceof Uint8Array) kept.push(chunk)
            return push(chunk, ...others)
          }
          handler(request, response)
        })
        const { key } = yield* makeWorkspace()
        const body = JSON.stringify({ name: "x".repeat(200_000) })
        const { status } = yield* Effect.promise(() =>
          fetch(`http://127.0.0.1:${port}/v1/media/gif-conversions`, {
            method: "POST",
            headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
            body
          })
        )
        assert.strictEqual(status, 422)
        assert.isAbove(kept.length, 1)
        assert.strictEqual(Buffer.concat(kept).toString(), body)
      }).pipe(Effect.scoped)
    )

    it.effect("serves the routes inside somebody else's server", () =>
      Effect.gen(function* () {
        const handler = yield* NodeHandler
        const { port } = yield* listen((request, response) => {
          if (request.url === "/own") response.end("theirs")
          else handler(request, response)
        })
        const { key } = yield* makeWorkspace()
        const base = `http://127.0.0.1:${port}`
        assert.strictEqual(yield* Effect.promise(async () => (await fetch(`${base}/own`)).text()), "theirs")
        const uploaded = yield* Effect.promise(async () => {
          const response = await fetch(`${base}/v1/media`, {
            method: "POST",
            headers: gifHeaders(key),
            body: new Uint8Array(gif)
          })
          return { status: response.status, text: await response.text() }
        })
        assert.strictEqual(uploaded.status, 201)
        assert.match(uploaded.text, /"download_url":"https:\/\/api\.example\/v1\/media\//)
        const text = yield* sendRaw(port, "GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert.match(text, /^HTTP\/1\.1 404 [^]*"code":"NOT_FOUND"/)
      }).pipe(Effect.scoped)
    )

    it.effect("has no live socket where it is not given the server's upgrades", () =>
      Effect.gen(function* () {
        const { port } = yield* listen(yield* NodeHandler)
        const { key } = yield* makeInbox()
        const lines = [
          `GET /v1/inbox/ws?${scopes.workspace} HTTP/1.1`,
          "Host: x",
          `Authorization: Bearer ${key}`,
          "Connection: close",
          "\r\n"
        ]
        assert.match(yield* sendRaw(port, lines.join("\r\n")), /^HTTP\/1\.1 426 [^]*"code":"UPGRADE_REQUIRED"/)
      }).pipe(Effect.scoped)
    )

    it.effect("follows inboxes beside the server's own WebSockets, and refuses by HTTP", () =>
      Effect.gen(function* () {
        const handler = yield* NodeHandler
        const { port, server } = yield* listen(handler)
        const own = new NodeWS.WebSocketServer({ noServer: true })
        server.on("upgrade", (request, socket, head) => {
          if (request.url === "/own") own.handleUpgrade(request, socket, head, (ws) => ws.send("theirs"))
          else handler.upgrade(request, socket, head)
        })
        const theirs = yield* Effect.callback<string>((resume) => {
          const socket = new NodeWS.WebSocket(`ws://127.0.0.1:${port}/own`)
          socket.once("message", (data) => {
            socket.terminate()
            resume(Effect.succeed(String(data)))
          })
        })
        assert.strictEqual(theirs, "theirs")

        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id, "u1")
        const follower = yield* followAt(scopes.user("u1"), { key, port })
        yield* follower.until(1)
        yield* comment(account, ["a"])
        assert.deepEqual(typesOf(yield* follower.until(2)), ["hello", "inbox.new_item"])
        assert.deepEqual(seqsOf(follower.frames), [0, 1])
        follower.socket.send("x".repeat(4_097))
        assert.strictEqual(yield* follower.closed, 1009)

        const ask = (path: string) => {
          const lines = [
            `GET ${path} HTTP/1.1`,
            "Host: x",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "\r\n"
          ]
          return sendRaw(port, lines.join("\r\n"))
        }
        assert.match(yield* ask("/v1/inbox/ws"), /^HTTP\/1\.1 401 [^]*"code":"UNAUTHORIZED"/)
        assert.match(yield* ask("/nothing"), /^HTTP\/1\.1 404 [^]*"code":"NOT_FOUND"/)
      }).pipe(Effect.scoped)
    )
  })

  it.live("keeps nothing of the requests that became sockets", () =>
    Effect.gen(function* () {
      const handler = yield* NodeHandler
      const { port, server } = yield* listen(handler)
      const requests: Array<WeakRef<IncomingMessage>> = []
      server.on("upgrade", (incoming, socket, head) => {
        requests.push(new WeakRef(incoming))
        handler.upgrade(incoming, socket, head)
      })
      const { key } = yield* makeInbox()
      const followers = yield* Effect.replicateEffect(followAt(scopes.workspace, { key, port }), 10)
      for (const follower of followers) yield* follower.until(1)
      const alive = () => requests.filter((request) => request.deref() !== undefined).length
      yield* Effect.andThen(Effect.sleep("20 millis"), Effect.sync(collectGarbage)).pipe(
        Effect.repeat({ times: 10, while: () => alive() > 1 })
      )
      assert.strictEqual(requests.length, 10)
      // Node or V8 may hold the last one until the next.
      assert.isAtMost(alive(), 1)
      for (const { socket } of followers) assert.strictEqual(socket.readyState, socket.OPEN)
    }).pipe(Effect.provide(mounted), Effect.scoped)
  )

  it.live("tells its sockets 1012 when its layer ends, and the server can close", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(mounted, scope)
      yield* Effect.gen(function* () {
        const handler = yield* NodeHandler
        const { port, server } = yield* listen(handler)
        server.on("upgrade", handler.upgrade)
        const { key } = yield* makeInbox()
        const follower = yield* followAt(scopes.workspace, { key, port })
        yield* follower.until(1)
        yield* Scope.close(scope, Exit.void)
        assert.strictEqual(yield* follower.closed, 1012)
        yield* Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
        })
      }).pipe(Effect.provideContext(context), Effect.scoped)
    })
  )
})

describe("WebHandler", () => {
  layer(mounted, { excludeTestServices: true })((it) => {
    it.effect("answers requests of the fetch standard, streams included", () =>
      Effect.gen(function* () {
        const handler = yield* WebHandler
        const { key } = yield* makeWorkspace()
        const send = (path: string, init: RequestInit = {}) =>
          Effect.promise(async () => {
            const response = await handler(new Request(`https://api.example${path}`, init))
            return { status: response.status, headers: response.headers, text: await response.text() }
          })
        const uploaded = yield* send("/v1/media", {
          method: "POST",
          headers: gifHeaders(key),
          body: new Uint8Array(gif)
        })
        assert.strictEqual(uploaded.status, 201)
        const url = new URL(JSON.parse(uploaded.text).data.download_url)
        const part = yield* send(url.pathname + url.search, { headers: { range: "bytes=0-5" } })
        assert.strictEqual(part.status, 206)
        assert.strictEqual(part.text, "GIF89a")
        const form = new FormData()
        form.append("file", new Blob([new Uint8Array(gif)], { type: "image/gif" }), "a.gif")
        const posted = yield* send("/v1/media", {
          method: "POST",
          headers: { authorization: `Bearer ${key}` },
          body: form
        })
        assert.strictEqual(posted.status, 201)
        const large = yield* send("/v1/media/gif-conversions", {
          method: "POST",
          headers: { authorization: `Bearer ${key}` },
          body: new Uint8Array(2 * 1024 * 1024)
        })
        assert.strictEqual(large.status, 413)
        assert.strictEqual((yield* send("/nothing")).status, 404)
        assert.strictEqual((yield* send("/v1/media", { method: "PATCH" })).status, 405)
      })
    )
  })
})

/** An upload of a GIF that waits in its middle: `go` sends the rest. */
const slowUpload = () => {
  let go = (): void => {}
  const gone = new Promise<void>((resume) => {
    go = resume
  })
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(new Uint8Array(gif).subarray(0, 20)),
      pull: async (controller) => {
        await gone
        controller.enqueue(new Uint8Array(gif).subarray(20))
        controller.close()
      }
    },
    { highWaterMark: 0 }
  )
  return { body, go }
}

const upload = (key: string, body: ReadableStream): RequestInit & { readonly duplex: "half" } => ({
  method: "POST",
  headers: gifHeaders(key),
  body,
  duplex: "half"
})

type Mounted = Layer.Success<typeof mounted>

/** A mount whose end a test brings about itself. */
const untilItEnds = <A, E>(
  options: Partial<HttpOptions>,
  use: (close: Effect.Effect<void>) => Effect.Effect<A, E, Mounted | Scope.Scope>
) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(mountedWith(options), scope)
    return yield* use(Scope.close(scope, Exit.void)).pipe(Effect.provideContext(context), Effect.scoped)
  })

describe("the end of a mount", () => {
  const mounts = [
    [
      "NodeHandler",
      Effect.gen(function* () {
        const { port } = yield* listen(yield* NodeHandler)
        return async (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
      })
    ],
    [
      "WebHandler",
      Effect.map(
        WebHandler,
        (handler) => async (path: string, init?: RequestInit) => handler(new Request(`http://127.0.0.1:9${path}`, init))
      )
    ]
  ] as const
  for (const [name, connect] of mounts) {
    it.live(`answers the requests that are in hand, and refuses others (${name})`, () =>
      untilItEnds({}, (close) =>
        Effect.gen(function* () {
          const send = yield* connect
          const { key } = yield* makeWorkspace()
          const { body, go } = slowUpload()
          const uploaded = send("/v1/media", upload(key, body))
          yield* Effect.sleep("50 millis")
          const closed = yield* Effect.forkChild(close)
          yield* Effect.sleep("50 millis")
          const late = yield* Effect.promise(async () =>
            send("/v1/media", { headers: { authorization: `Bearer ${key}` } })
          )
          assert.strictEqual(late.status, 503)
          assert.strictEqual(late.headers.get("retry-after"), "5")
          assert.include(yield* Effect.promise(async () => late.text()), "TEMPORARILY_UNAVAILABLE")
          // Conversions have a code of their own for it (api.md §6, row 13).
          for (const path of ["/v1/media/gif-conversions", "/v1/media/audio-overlays/mpj_1"]) {
            const text = yield* Effect.promise(async () => (await send(path)).text())
            assert.include(text, '"code":"media_processing_unavailable"', path)
          }
          assert.isUndefined(closed.pollUnsafe())
          go()
          assert.strictEqual((yield* Effect.promise(async () => uploaded)).status, 201)
          yield* Fiber.join(closed)
        })
      )
    )

    it.live(`waits for a request that does not end as long as it is told to (${name})`, () =>
      untilItEnds({ drain: "100 millis" }, (close) =>
        Effect.gen(function* () {
          const send = yield* connect
          const { key } = yield* makeWorkspace()
          const { body, go } = slowUpload()
          const uploaded = send("/v1/media", upload(key, body)).then(
            ({ status }) => status,
            () => "broken off"
          )
          yield* Effect.sleep("50 millis")
          // The rest of the body comes only after: without a bound this would never end.
          const [waited] = yield* Effect.timed(Effect.timeout(close, "4 seconds"))
          assert.isAtLeast(Duration.toMillis(waited), 90)
          const status = yield* Effect.timeout(
            Effect.promise(async () => uploaded),
            "4 seconds"
          )
          assert.include([503, "broken off"], status)
          go()
        })
      )
    )

    it.live(`breaks off a file that nobody reads to its end (${name})`, () =>
      untilItEnds({ drain: "100 millis" }, (close) =>
        Effect.gen(function* () {
          const send = yield* connect
          const { key } = yield* makeWorkspace()
          // More than what lies between a server and a client that does not read.
          const bytes = new Uint8Array(30 * 1024 * 1024)
          bytes.set(gif)
          const init = { method: "POST", headers: gifHeaders(key), body: bytes }
          const made = yield* Effect.promise(async () => (await send("/v1/media", init)).json())
          const address = new URL(made.data.download_url)
          const file = yield* Effect.promise(async () => send(address.pathname + address.search))
          yield* Effect.timeout(close, "4 seconds")
          const read = Effect.tryPromise(async () => file.arrayBuffer())
          const exit = yield* Effect.exit(Effect.timeout(read, "4 seconds"))
          assert.isTrue(Exit.isFailure(exit) && !String(exit).includes("TimeoutError"), String(exit))
        })
      )
    )
  }
})
