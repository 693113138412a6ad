import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, call, codeOf, gif, makeWorkspace } from "../support.ts"
import { asOurselves, asUnipost } from "./unipostSupport.ts"

const live = { excludeTestServices: true } as const
const bytes = new Uint8Array(gif)
const dataOf = ({ body }: Answer): Readonly<Record<string, unknown>> => ({ ...body["data"] })
const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

/** The first bytes of a JPEG, which decide its type. */
const jpeg = new Uint8Array([
  0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xd9
])

/** An M4V is an MP4 by another name. */
const m4v = new Uint8Array([
  ...[0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70, 0x4d, 0x34, 0x56, 0x20, 0, 0, 0, 1],
  ...[0x4d, 0x34, 0x56, 0x20, 0x69, 0x73, 0x6f, 0x6d]
])

const reserve = (key: string, json: object) => call("POST", "/v1/media", { key, json })
const put = (url: unknown, type: string, body: Uint8Array<ArrayBuffer>) =>
  call("PUT", String(url), { body, headers: { "content-type": type } })

describe("UniPost's clients at the library (api-2.md §17)", () => {
  layer(
    asUnipost,
    live
  )((it) => {
    it.effect("upload a file as their SDK does: reserve, send, and find it uploaded", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const asked = { filename: "cat.gif", content_type: "image/gif", size_bytes: bytes.length }
        const reserved = yield* reserve(key, asked)
        assert.strictEqual(reserved.status, 201)
        const pending = dataOf(reserved)
        assert.strictEqual(pending["status"], "pending")
        assert.strictEqual(pending["expires_at"], pending["upload_expires_at"])
        const finished = yield* put(pending["upload_url"], "image/gif", bytes)
        assert.strictEqual(dataOf(finished)["status"], "uploaded")
        const found = dataOf(yield* call("GET", `/v1/media/${String(pending["id"])}`, { key }))
        assert.strictEqual(found["status"], "uploaded")
        const expires = new URL(String(found["download_url"])).searchParams.get("expires")
        assert.strictEqual(Date.parse(String(found["expires_at"])), Number(expires))
        const list = yield* call("GET", "/v1/media?limit=0", { key })
        assert.strictEqual(String(Object.values({ ...list.body["data"] })[0]?.["status"]), "uploaded")
        assert.strictEqual((yield* call("DELETE", `/v1/media/${String(pending["id"])}`, { key })).status, 200)
      })
    )

    it.effect("are given the same record for the same content hash", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const asked = { filename: "cat.gif", content_type: "image/gif", content_hash: hash }
        const first = yield* reserve(key, asked)
        assert.strictEqual(first.status, 201)
        const again = yield* reserve(key, asked)
        assert.strictEqual(again.status, 200)
        assert.strictEqual(dataOf(again)["id"], dataOf(first)["id"])
        assert.strictEqual(dataOf(again)["status"], "pending")
        yield* put(dataOf(again)["upload_url"], "image/gif", bytes)
        const ready = yield* reserve(key, asked)
        assert.strictEqual(ready.status, 200)
        assert.strictEqual(dataOf(ready)["id"], dataOf(first)["id"])
        assert.strictEqual(dataOf(ready)["status"], "uploaded")
        const other = yield* makeWorkspace()
        assert.strictEqual((yield* reserve(other.key, asked)).status, 201)
        assert.strictEqual((yield* reserve(key, { ...asked, content_hash: "another" })).status, 201)
        for (const content_hash of ["", null]) {
          assert.strictEqual((yield* reserve(key, { ...asked, content_hash })).status, 201)
        }
        yield* call("DELETE", `/v1/media/${String(dataOf(first)["id"])}`, { key })
        assert.strictEqual((yield* reserve(key, asked)).status, 201)
        const long = yield* reserve(key, { ...asked, content_hash: "x".repeat(257) })
        assert.strictEqual(codeOf(long), "422 validation_error")
      })
    )

    it.effect("name types as they do, and read them by the names that are stored", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        for (const [given, stored, content] of [
          ["image/jpg", "image/jpeg", jpeg],
          ["video/x-m4v", "video/mp4", m4v]
        ] as const) {
          const reserved = yield* reserve(key, { content_type: given })
          assert.strictEqual(dataOf(reserved)["content_type"], stored)
          const finished = yield* put(dataOf(reserved)["upload_url"], given, content)
          assert.strictEqual(finished.status, 200, finished.text)
          assert.strictEqual(dataOf(finished)["content_type"], stored)
          const raw = yield* call("POST", "/v1/media", { key, body: content, headers: { "content-type": given } })
          assert.strictEqual(raw.status, 201, raw.text)
          const form = new FormData()
          form.set("file", new Blob([content], { type: given }), "file")
          assert.strictEqual((yield* call("POST", "/v1/media", { key, body: form })).status, 201)
        }
        assert.strictEqual(codeOf(yield* reserve(key, { content_type: "image/bmp" })), "415 UNSUPPORTED_MEDIA_TYPE")
      })
    )

    it.effect("leave conversions as they are", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const headers = { "content-type": "image/gif" }
        const { id } = dataOf(yield* call("POST", "/v1/media", { key, body: bytes, headers }))
        const job = yield* call("POST", "/v1/media/gif-conversions", { key, json: { gif_media_id: id } })
        assert.strictEqual(job.status, 202, job.text)
        assert.strictEqual(dataOf(job)["status"], "queued")
        assert.notProperty(dataOf(job), "expires_at")
      })
    )
  })
})

describe("without the mode", () => {
  layer(
    asOurselves,
    live
  )((it) => {
    it.effect("media are as they were", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        assert.strictEqual(codeOf(yield* reserve(key, { content_type: "image/jpg" })), "415 UNSUPPORTED_MEDIA_TYPE")
        const hashed = yield* reserve(key, { content_type: "image/gif", content_hash: hash })
        assert.strictEqual(codeOf(hashed), "422 validation_error")
        const headers = { "content-type": "image/gif" }
        const stored = dataOf(yield* call("POST", "/v1/media", { key, body: bytes, headers }))
        assert.strictEqual(stored["status"], "ready")
        assert.notProperty(stored, "expires_at")
        assert.strictEqual(codeOf(yield* call("GET", "/v1/media?limit=0", { key })), "422 validation_error")
      })
    )
  })
})
