import { createLoopbox, type Loopbox } from "@loopbox/embedded"
import express from "express"
import { createRequire } from "node:module"
import { createConnection, type Server } from "node:net"
import { createServer } from "node:http"
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { adminToken } from "./exampleServer.ts"
import { bringGif, firstFrame, makeKey, middleGif, type Send, sendTo } from "./visitor.ts"

const express4: typeof express = createRequire(import.meta.url)("express4")

let loopbox: Loopbox
beforeAll(async () => {
  loopbox = await createLoopbox({ api: { adminToken } })
})
afterAll(() => loopbox.close())

/** What an app answers while it listens, and the errors that its mount gave it. */
const withApp = async (
  make: (app: express.Express) => void,
  use: (send: Send, port: number, errors: ReadonlyArray<string>) => Promise<void>,
  library = express
) => {
  const app = library()
  const errors: Array<string> = []
  make(app)
  app.use("/social", loopbox.express())
  const onError: express.ErrorRequestHandler = (error, _request, response, _next) => {
    errors.push(error instanceof Error ? error.message : String(error))
    response.status(500).end()
  }
  app.use(onError)
  const server: Server = createServer(app)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  await use(sendTo(port), port, errors)
  await new Promise((done) => server.close(done))
}

/** What compression, morgan and express-session do by the package on-headers: they look for headers where the text is none. */
const hearsHeaders: express.RequestHandler = (_request, response, next) => {
  const writeHead = response.writeHead.bind(response)
  const heard = (status: number, ...given: ReadonlyArray<unknown>) => {
    const headers = given[typeof given[0] === "string" ? 1 : 0]
    for (const [name, value] of Object.entries(Object(headers))) response.setHeader(name, String(value))
    return writeHead(status)
  }
  Object.assign(response, { writeHead: heard })
  next()
}

const administer = (send: Send, init: RequestInit) =>
  send("/social/v1/admin/workspaces", {
    method: "POST",
    ...init,
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json", ...init.headers }
  })
const workspace = JSON.stringify({ name: "Acmé", plan: "growth" })
const deliver = (send: Send) =>
  send("/social/v1/webhooks/meta", { method: "POST", body: "{}", headers: { "content-type": "application/json" } })

describe("a mount in Express", () => {
  it.each([
    ["4", express4],
    ["5", express]
  ])("takes JSON, uploads and sockets below the body parsers of Express %s", async (_version, library) => {
    await withApp(
      (app) => {
        app.use(library.json())
        app.use(library.urlencoded({ extended: true }))
      },
      async (send, port, errors) => {
        const key = await makeKey(send)
        await bringGif(send, key, `http://127.0.0.1:${port}`, middleGif)
        assert.match(await firstFrame(port, key), /"type":"hello"/)
        assert.deepStrictEqual(errors, [])
      },
      library
    )
  })

  it("takes bodies that came compressed, as text, or as a buffer", async () => {
    await withApp(
      (app) => app.use(express.json()),
      async (send) => {
        const response = await administer(send, { body: gzipSync(workspace), headers: { "content-encoding": "gzip" } })
        assert.strictEqual(response.status, 201, await response.text())
      }
    )
    for (const parse of [express.text({ type: "*/*" }), express.raw({ type: "*/*", limit: "50mb" })]) {
      await withApp(
        (app) => app.use(parse),
        async (send) => assert.include(await (await administer(send, { body: workspace })).text(), "Acmé")
      )
    }
    await withApp(
      (app) => app.use(express.raw({ type: "*/*", limit: "50mb" })),
      async (send, port) => bringGif(send, await makeKey(send), `http://127.0.0.1:${port}`, middleGif)
    )
  })

  it("names what read a webhook, whose signature is over bytes that are gone", async () => {
    await withApp(
      (app) => app.use(express.json()),
      async (send, _port, errors) => {
        assert.strictEqual((await deliver(send)).status, 500)
        assert.include(errors[0], "POST /v1/webhooks/meta: a body parser read the body (application/json)")
        assert.include(errors[0], "express.json({ verify:")
        assert.include(errors[0], "Mount Loopbox above body parsers")
      }
    )
  })

  it("takes a webhook whose bytes were kept", async () => {
    const verify: NonNullable<Parameters<typeof express.json>[0]>["verify"] = (request, _response, bytes) =>
      void Object.assign(request, { rawBody: bytes })
    await withApp(
      (app) => app.use(express.json({ verify })),
      async (send, _port, errors) => {
        // No network is configured: it was read, and is refused by what it says.
        assert.notStrictEqual((await deliver(send)).status, 500)
        assert.deepStrictEqual(errors, [])
      }
    )
  })

  it("names what read an upload and kept nothing", async () => {
    await withApp(
      (app) => app.use((request, _response, next) => void request.resume().once("end", next)),
      async (send, _port, errors) => {
        await send("/social/v1/media", { method: "POST", body: "GIF89a", headers: { "content-type": "image/gif" } })
        assert.include(errors[0], "POST /v1/media: a body parser read the body (image/gif)")
      }
    )
  })

  it("does not store an upload that was read as text, whose bytes are others then", async () => {
    const gif = Buffer.from("GIF89a\u0001", "latin1")
    const upload = Buffer.concat([gif, Buffer.from([0xff, 0xfe, 0x80, 0x00])])
    for (const body of [upload, new Blob([upload]).stream()]) {
      await withApp(
        (app) => app.use(express.text({ type: "*/*" })),
        async (send, _port, errors) => {
          const headers = { "content-type": "image/gif" }
          const init: RequestInit & { duplex: "half" } = { method: "POST", body, headers, duplex: "half" }
          assert.strictEqual((await send("/social/v1/media", init)).status, 500)
          assert.include(errors[0], "POST /v1/media: a body parser read the body (image/gif)")
        }
      )
    }
  })

  it("leaves the app's other requests as they were when they ask for an upgrade", async () => {
    await withApp(
      (app) => app.get("/own", (_request, response) => void response.send("theirs")),
      async (send, port) => {
        await (await send("/social/livez")).text()
        const text = await new Promise<string>((done) => {
          const request = `GET /own HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n`
          let answer = ""
          createConnection(port, "127.0.0.1")
            .setEncoding("utf8")
            .on("data", (part: string) => void (answer += part))
            .once("end", () => done(answer))
            .end(request)
        })
        assert.match(text, /^HTTP\/1\.1 200 [^]*theirs$/)
      }
    )
  })

  it("sends its headers below middleware that waits for the beginning of an answer", async () => {
    await withApp(
      (app) => app.use(hearsHeaders),
      async (send) => {
        const { headers, status } = await send("/social/v1/inbox", { method: "DELETE" })
        assert.strictEqual(status, 405)
        assert.strictEqual(headers.get("allow"), "GET, HEAD")
        assert.strictEqual(headers.get("content-type"), "application/json")
      }
    )
  })
})
