import { assert, describe, layer } from "@effect/vitest"
import { HttpSettings, NodeHandler, WebHandler } from "@loopbox/adapters-http"
import { Effect, Layer } from "effect"
import { createServer } from "node:http"
import { gif, makeWorkspace, sendRaw, services, signingKey } from "./support.ts"

const settings = HttpSettings.layer({ publicUrl: "https://api.example/", signingKey })
const mounted = Layer.mergeAll(NodeHandler.layer, WebHandler.layer).pipe(
  Layer.provideMerge(settings),
  Layer.provideMerge(services)
)
const gifHeaders = (key: string) => ({ authorization: `Bearer ${key}`, "content-type": "image/gif" })

describe("NodeHandler", () => {
  layer(mounted, { excludeTestServices: true })((it) => {
    it.effect("serves the routes inside somebody else's server", () =>
      Effect.gen(function* () {
        const handler = yield* NodeHandler
        const server = yield* Effect.acquireRelease(
          Effect.callback<ReturnType<typeof createServer>>((resume) => {
            const server = createServer((request, response) => {
              if (request.url === "/own") response.end("theirs")
              else handler(request, response)
            })
            server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
          }),
          (server) => Effect.sync(() => server.close())
        )
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
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
  })
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
