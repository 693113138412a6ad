import { createLoopbox, type Loopbox } from "@loopbox/embedded"
import fastify from "fastify"
import { Hono } from "hono"
import { createServer } from "node:http"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { adminToken, startExample, stopExamples } from "./exampleServer.ts"
import { bringGif, expectEnvelope, firstFrame, makeKey, middleGif, type Send, sendTo } from "./visitor.ts"

let loopbox: Loopbox
beforeAll(async () => {
  loopbox = await createLoopbox({ api: { adminToken } })
})
afterAll(() => loopbox.close())
afterEach(stopExamples)

/** Whether somebody else's request is told of Express. */
const isOfExpress = (told: string | undefined) => told?.includes("express.json") === true

describe("a mount in Fastify", () => {
  it("leaves the body parsers of the app as they were, under any prefix", async () => {
    const app = fastify()
    app.register(loopbox.fastify(), { prefix: "/a/b" })
    app.post("/own", (request) => ({ got: request.body }))
    const own = await app.inject({ method: "POST", url: "/own", payload: { one: 1 } })
    assert.deepStrictEqual(own.json(), { got: { one: 1 } })
    const url = await app.listen({ port: 0 })
    const docs = await fetch(`${url}/a/b/livez?x=1`)
    assert.strictEqual(docs.status, 200)
    await docs.text()
    await app.close()
  })

  it("keeps the headers that hooks of the app have set, and its own where both have one", async () => {
    const app = fastify()
    app.addHook("onRequest", async (_request, reply) => {
      reply.header("access-control-allow-origin", "https://app.example.com").header("content-type", "text/plain")
    })
    app.register(loopbox.fastify(), { prefix: "/social" })
    const { headers } = await app.inject({ method: "GET", url: "/social/livez" })
    assert.strictEqual(headers["access-control-allow-origin"], "https://app.example.com")
    assert.match(String(headers["content-type"]), /^application\/json/)
    await app.close()
  })
})

describe("prefixes", () => {
  it("may have letters that addresses write by number, in Fastify, Hono and node:http", async () => {
    const app = fastify()
    app.register(loopbox.fastify(), { prefix: "/söcial api" })
    const url = await app.listen({ port: 0, host: "127.0.0.1" })
    const { port } = new URL(url)
    const path = "/s%C3%B6cial%20api"
    const key = await makeKey(sendTo(Number(port)), path)
    assert.match(await firstFrame(Number(port), key, path), /"type":"hello"/)
    await app.close()

    const hono = new Hono()
    hono.all("/söcial api/*", loopbox.hono())
    assert.strictEqual((await hono.request(`http://x${path}/livez`)).status, 200)

    for (const prefix of ["/söcial api/", "s%c3%b6cial%20api"]) {
      const server = createServer(loopbox.node({ prefix }))
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
      const address = server.address()
      const bare = typeof address === "object" ? address?.port : undefined
      assert.strictEqual((await fetch(`http://127.0.0.1:${bare}${path}/livez`)).status, 200)
      server.close()
    }
  })

  it("may have parameters in Fastify", async () => {
    const app = fastify()
    app.register(loopbox.fastify(), { prefix: "/:tenant/social" })
    const port = Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port)
    const key = await makeKey(sendTo(port), "/acme/social")
    await bringGif(sendTo(port), key, `http://127.0.0.1:${port}`, middleGif, "/acme/social")
    assert.match(await firstFrame(port, key, "/acme/social"), /"type":"hello"/)
    await app.close()
  })
})

describe("a mount in Hono", () => {
  const sendBy =
    (app: Hono): Send =>
    async (path, init) =>
      app.request(`http://127.0.0.1:9${path}`, init)

  it("takes the prefix from its route, and uploads as they stream", async () => {
    const app = new Hono()
    app.all("/social/*", loopbox.hono())
    const send = sendBy(app)
    await expectEnvelope(send)
    await bringGif(send, await makeKey(send), "http://127.0.0.1:9", middleGif)
  })

  it("names a body that was read before", async () => {
    const app = new Hono()
    app.use(async (context, next) => {
      await context.req.json()
      await next()
    })
    app.all("/social/*", loopbox.hono())
    const errors: Array<string> = []
    app.onError((error, context) => {
      errors.push(error.message)
      return context.text("failed", 500)
    })
    assert.strictEqual((await sendBy(app)("/social/v1/media", { method: "POST", body: "{}" })).status, 500)
    assert.include(errors[0], "POST /social/v1/media: a body parser read the body")
    assert.include(errors[0], "request.clone()")
    assert.isFalse(isOfExpress(errors[0]))
  })
})

describe("a mount in Koa, and in others on node:http", () => {
  it("names a body that was read before, and takes its bytes where they are given back", async () => {
    const handle = loopbox.node({ prefix: "/social" })
    for (const isKept of [false, true]) {
      // As koa-bodyparser does it, which keeps what it read on a request of its own.
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.once("end", () => {
          if (isKept) Object.assign(request, { rawBody: Buffer.concat(chunks).toString() })
          handle(request, response)
        })
      })
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
      const address = server.address()
      const send = sendTo(typeof address === "object" && address !== null ? address.port : 0)
      const headers = { "content-type": "application/json", authorization: `Bearer ${adminToken}` }
      const body = JSON.stringify({ name: "Acme", plan: "growth" })
      const answer = await send("/social/v1/admin/workspaces", { method: "POST", headers, body })
      const text = await answer.text()
      assert.deepStrictEqual([answer.status, isOfExpress(text)], [isKept ? 201 : 500, false])
      if (!isKept) assert.include(text, "below koa-bodyparser: ctx.req.rawBody = ctx.request.rawBody")
      await new Promise((closed) => server.close(closed))
    }
  })
})

describe("a mount in Hono on an older @hono/node-server", () => {
  it("answers with one length, takes uploads and opens the live socket", async () => {
    const older = new URL("olderHonoServer.mjs", import.meta.url).href
    const { port, stop } = await startExample("hono/server.mjs", [`--import=${older}`])
    let ended: number | null
    try {
      const send = sendTo(port)
      await expectEnvelope(send)
      const key = await makeKey(send)
      await bringGif(send, key, `http://127.0.0.1:${port}`, middleGif)
      assert.match(await firstFrame(port, key), /"type":"hello"/)
    } finally {
      ended = await stop()
    }
    assert.strictEqual(ended, 0)
  })
})

describe("a mount in Next", () => {
  it("is the exports of a route file that catches all segments, called as Next calls them", async () => {
    process.env["ADMIN_TOKEN"] = adminToken
    const folder = new URL("../next/", import.meta.url)
    // By address: the files are JavaScript without types.
    const route: ReturnType<Loopbox["next"]> = await import(new URL("app/social/[[...loopbox]]/route.js", folder).href)
    const methods = new Map(Object.entries(route))
    const send: Send = async (path, init) => {
      const request = new Request(`https://localhost:3000${path}`, init)
      request.headers.set("host", "app.example")
      const [, , ...loopboxSegments] = new URL(request.url).pathname.split("/")
      const handle = methods.get(request.method) ?? assert.fail(`no export ${request.method}`)
      return handle(request, { params: Promise.resolve({ loopbox: loopboxSegments }) })
    }
    await expectEnvelope(send)
    await bringGif(send, await makeKey(send), "https://app.example", middleGif)
    const own: { readonly loopbox: () => Promise<Loopbox> } = await import(new URL("loopbox.js", folder).href)
    await (await own.loopbox()).close()
  })
})
