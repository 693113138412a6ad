import { assert, describe, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { connect } from "node:net"
import {
  adminToken,
  call,
  codeOf,
  gif,
  makeWorkspace,
  pathsOf,
  portOf,
  sendRaw,
  server,
  uploadGif
} from "../support.ts"

/** Sends the head and a part of a body, and then nothing more. */
const stall = (port: number, text: string) =>
  Effect.callback<string>((resume) => {
    let received = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(text))
    socket.on("data", (chunk) => (received += chunk.toString()))
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })

describe("a body that never ends", () => {
  layer(server)((it) => {
    it.effect("is answered 408 in the envelope, and its connection closed", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const head = `POST /v1/media/gif-conversions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`
        const text = `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"gif_media_id":`
        const answered = yield* Effect.forkChild(stall(yield* portOf, text))
        // The server's clock is the test's, the socket's is not: the body must have been begun before it is late.
        const pass = Effect.andThen(TestClock.withLive(Effect.sleep("300 millis")), TestClock.adjust("30 seconds"))
        const answer = yield* Effect.raceFirst(Fiber.join(answered), Effect.forever(pass))
        assert.match(answer, /^HTTP\/1\.1 408 [^]*connection: close[^]*"code":"REQUEST_TIMEOUT"[^]*"request_id":"req_/i)
      })
    )
  })
})

describe("headers given twice", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("two credentials are none", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const credential = `Authorization: Bearer ${key}\r\n`
        const head = "GET /v1/media HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        const port = yield* portOf
        assert.match(yield* sendRaw(port, `${head}${credential}\r\n`), /^HTTP\/1\.1 200 /)
        for (const other of [credential, "Authorization: Bearer other\r\n"]) {
          assert.match(yield* sendRaw(port, `${head}${credential}${other}\r\n`), /^HTTP\/1\.1 401 [^]*"UNAUTHORIZED"/)
        }
      })
    )
    it.effect("two hosts and two types are refused", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n`
        const port = yield* portOf
        const hosts = yield* sendRaw(port, `GET /v1/media ${head}Host: y\r\n\r\n`)
        assert.match(hosts, /^HTTP\/1\.1 400 [^]*"code":"VALIDATION_ERROR"[^]*"request_id":"req_/)
        const type = "Content-Type: application/json\r\n"
        const types = yield* sendRaw(port, `POST /v1/media ${head}${type}${type}Content-Length: 2\r\n\r\n{}`)
        assert.match(types, /^HTTP\/1\.1 415 [^]*"code":"UNSUPPORTED_MEDIA_TYPE"/)
      })
    )
  })
})

describe("a contract that allows nothing", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("is not told to wait for what will not end", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* makeWorkspace("enterprise")
        const gif_media_id = yield* uploadGif(key)
        const refusals = [
          ["active_jobs", "media_processing_capacity_exceeded"],
          ["gif_conversions_per_24h", "gif_conversion_rate_limit_exceeded"]
        ] as const
        for (const [limit, code] of refusals) {
          const limits = { active_jobs: null, gif_conversions_per_24h: null, [limit]: 0 }
          yield* call("PATCH", `/v1/admin/workspaces/${workspace.id}`, { key: adminToken, json: { limits } })
          const refused = yield* call("POST", "/v1/media/gif-conversions", { key, json: { gif_media_id } })
          assert.strictEqual(codeOf(refused), `429 ${code}`)
          assert.include(refused.text, "allows no conversions")
          assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        }
      })
    )
  })
})

describe("bodies that are almost right", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("bytes alone come with their type; a form's file may leave it to its bytes", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const unspecific = { "content-type": "application/octet-stream" }
        const raw = yield* call("POST", "/v1/media", { key, headers: unspecific, body: new Uint8Array(gif) })
        assert.strictEqual(codeOf(raw), "415 UNSUPPORTED_MEDIA_TYPE")
        const body = new FormData()
        body.set("file", new Blob([new Uint8Array(gif)], { type: "application/octet-stream" }), "a.gif")
        assert.strictEqual((yield* call("POST", "/v1/media", { key, body })).status, 201)
      })
    )
    it.effect("a key's end is a day that exists, and names are not blank", () =>
      Effect.gen(function* () {
        const { workspace } = yield* makeWorkspace()
        const keys = `/v1/admin/workspaces/${workspace.id}/api-keys`
        for (const expires_at of ["2099-02-30T00:00:00Z", "2099-02-29T10:00:00+02:00", "2099-04-31T00:00:00.5Z"]) {
          const refused = yield* call("POST", keys, { key: adminToken, json: { name: "k", expires_at } })
          assert.deepEqual([codeOf(refused), ...pathsOf(refused)], ["400 VALIDATION_ERROR", "expires_at"], expires_at)
        }
        const leap = { name: "k", expires_at: "2096-02-29T00:30:00+02:00" }
        const issued = yield* call("POST", keys, { key: adminToken, json: leap })
        assert.strictEqual(String(issued.body["data"]?.["expires_at"]), "2096-02-28T22:30:00.000Z")
        const blank = yield* call("POST", "/v1/admin/workspaces", { key: adminToken, json: { name: " ", plan: "api" } })
        assert.deepEqual([codeOf(blank), ...pathsOf(blank)], ["400 VALIDATION_ERROR", "name"])
      })
    )
    it.effect("names a few of very many faults in its sentence, and all of them in details", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`member${index}`, 1]))
        const json = { gif_media_id: "x", ...unknown }
        const answer = yield* call("POST", "/v1/media/gif-conversions", { key, json })
        assert.strictEqual(pathsOf(answer).length, 1000)
        const sentence = String(answer.body["error"]?.["message"])
        assert.match(sentence, /; and 990 more faults, see details\.$/)
        assert.isBelow(sentence.length, 500)
      })
    )
  })
})
