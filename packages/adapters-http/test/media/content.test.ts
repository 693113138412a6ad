import { assert, describe, it, layer } from "@effect/vitest"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import { BlobLinks } from "@loopbox/core/media/BlobLinks"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { judgeRange } from "../../src/server/media/contentRange.ts"
import { contentDisposition } from "../../src/server/media/filename.ts"
import { Effect, Layer, Option } from "effect"
import { type Call, call, codeOf, gif, makeWorkspace, server } from "../support.ts"

const size = gif.length
const etag = (headers: Headers) => headers.get("etag") ?? ""

describe("GET /v1/media/{id}/content (api.md §5, RFC 9110)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    const stored = Effect.fnUntraced(function* (name = "cat.gif") {
      const { key, workspace } = yield* makeWorkspace()
      const headers = { "content-type": "image/gif", "x-filename": encodeURIComponent(name) }
      const { body } = yield* call("POST", "/v1/media", { key, body: new Uint8Array(gif), headers })
      const id = String(body["data"]?.["id"])
      const read = (init: Call = {}) => call("GET", `/v1/media/${id}/content`, { key, ...init })
      const range = (value: string, more: Record<string, string> = {}) => read({ headers: { range: value, ...more } })
      return { key, id, workspace, read, range, url: String(body["data"]?.["download_url"]) }
    })

    it.effect("sends the file with what a client needs to know of it", () =>
      Effect.gen(function* () {
        const { read, url } = yield* stored('c\u00e4t "1".gif')
        const { headers, status, text } = yield* read()
        assert.strictEqual(status, 200)
        assert.isTrue(text.startsWith("GIF89a"))
        assert.strictEqual(headers.get("content-type"), "image/gif")
        assert.strictEqual(headers.get("content-length"), String(size))
        assert.strictEqual(headers.get("accept-ranges"), "bytes")
        assert.match(etag(headers), /^"[0-9a-f]{64}"$/)
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(
          headers.get("content-disposition"),
          `attachment; filename="c_t _1_.gif"; filename*=UTF-8''c%C3%A4t%20%221%22.gif`
        )
        const signed = yield* call("GET", url)
        assert.strictEqual(etag(signed.headers), etag(headers))
      })
    )
    it.effect("sends one range", () =>
      Effect.gen(function* () {
        const { range, read } = yield* stored()
        const whole = (yield* read()).headers
        const wanted: ReadonlyArray<readonly [string, number, number]> = [
          ["bytes=0-5", 0, 5],
          ["bytes=6-", 6, size - 1],
          ["bytes=-4", size - 4, size - 1],
          [`bytes=-${size * 2}`, 0, size - 1],
          [`bytes=3-${size * 2}`, 3, size - 1],
          ["Bytes=0-0", 0, 0]
        ]
        for (const [value, first, last] of wanted) {
          const { headers, status } = yield* range(value)
          assert.strictEqual(status, 206, value)
          assert.strictEqual(headers.get("content-range"), `bytes ${first}-${last}/${size}`)
          assert.strictEqual(headers.get("content-length"), String(last - first + 1))
          assert.strictEqual(etag(headers), etag(whole))
        }
        assert.strictEqual((yield* range("bytes=0-5")).text, "GIF89a")
      })
    )
    it.effect("sends the whole of several ranges, and of what is no range of bytes", () =>
      Effect.gen(function* () {
        const { range } = yield* stored()
        for (const value of ["bytes=0-1,3-4", "bytes=5-2", "bytes=x-y", "bytes=-", "bytes=", "items=0-5", "0-5"]) {
          const { headers, status } = yield* range(value)
          assert.strictEqual(status, 200, value)
          assert.strictEqual(headers.get("content-length"), String(size))
        }
      })
    )
    it.effect("answers 416 for a range past the end", () =>
      Effect.gen(function* () {
        const { range } = yield* stored()
        for (const value of [`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`, "bytes=-0"]) {
          const answer = yield* range(value)
          assert.strictEqual(codeOf(answer), "416 RANGE_NOT_SATISFIABLE", value)
          assert.strictEqual(answer.headers.get("content-range"), `bytes */${size}`)
        }
      })
    )
    it.effect("takes a range only while the file is what If-Range says", () =>
      Effect.gen(function* () {
        const { range, read } = yield* stored()
        const tag = etag((yield* read()).headers)
        assert.strictEqual((yield* range("bytes=0-5", { "if-range": tag })).status, 206)
        for (const other of ['"other"', `W/${tag}`, "Sat, 21 Nov 2026 07:00:00 GMT"]) {
          assert.strictEqual((yield* range("bytes=0-5", { "if-range": other })).status, 200, other)
        }
        assert.strictEqual((yield* range(`bytes=${size}-`, { "if-range": '"other"' })).status, 200)
      })
    )
    it.effect("answers 304 to a client that has the file, and 412 to one that wants another", () =>
      Effect.gen(function* () {
        const { read } = yield* stored()
        const tag = etag((yield* read()).headers)
        for (const match of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
          const { headers, status, text } = yield* read({ headers: { "if-none-match": match, range: "bytes=0-5" } })
          assert.strictEqual(status, 304, match)
          assert.strictEqual(etag(headers), tag)
          assert.strictEqual(text, "")
        }
        assert.strictEqual((yield* read({ headers: { "if-none-match": '"x"' } })).status, 200)
        assert.strictEqual((yield* read({ headers: { "if-match": tag } })).status, 200)
        assert.strictEqual(codeOf(yield* read({ headers: { "if-match": '"x"' } })), "412 PRECONDITION_FAILED")
      })
    )
    it.effect("answers HEAD with the headers of the whole", () =>
      Effect.gen(function* () {
        const { id, key } = yield* stored()
        const answer = yield* call("HEAD", `/v1/media/${id}/content`, { key, headers: { range: "bytes=0-5" } })
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.headers.get("content-length"), String(size))
        assert.strictEqual(answer.text, "")
      })
    )
    it.effect("needs a key or the signature, and a link serves its own file only", () =>
      Effect.gen(function* () {
        const { id, url } = yield* stored()
        const other = yield* stored()
        assert.strictEqual(codeOf(yield* call("GET", `/v1/media/${id}/content`)), "401 UNAUTHORIZED")
        assert.strictEqual(codeOf(yield* call("GET", url.replace(id, other.id))), "401 UNAUTHORIZED")
        assert.strictEqual(codeOf(yield* call("GET", `${url}x`)), "401 UNAUTHORIZED")
        assert.strictEqual(
          codeOf(yield* call("GET", `/v1/media/${id}/content`, { key: other.key })),
          "404 media_not_found"
        )
      })
    )
    it.effect("says that the bytes are gone while it can still be said", () =>
      Effect.gen(function* () {
        const { id, read, workspace } = yield* stored()
        const media = yield* (yield* MediaLibrary).find(workspace.id, id)
        yield* (yield* BlobStore).remove(media._tag === "ReadyMedia" ? media.blobKey : "")
        assert.strictEqual(codeOf(yield* read()), "404 media_not_found")
      })
    )
  })
})

describe("judgeRange", () => {
  it("reads numbers of any length and lists with empty members", () => {
    assert.deepEqual(judgeRange(`bytes=0-${"9".repeat(400)}`, 10), { _tag: "Part", range: { offset: 0, length: 10 } })
    assert.deepEqual(judgeRange(`bytes=-${"9".repeat(400)}`, 10), { _tag: "Part", range: { offset: 0, length: 10 } })
    assert.deepEqual(judgeRange(`bytes=${"9".repeat(400)}-`, 10), { _tag: "Unsatisfiable" })
    assert.deepEqual(judgeRange("bytes= , 2-3 ,", 10), { _tag: "Part", range: { offset: 2, length: 2 } })
  })
})

describe("contentDisposition", () => {
  it("lets no name break out of the header", () => {
    assert.strictEqual(
      contentDisposition(`a"\\;%.gif'(*)`),
      `attachment; filename="a__;_.gif'(*)"; filename*=UTF-8''a%22%5C%3B%25.gif%27%28%2A%29`
    )
    // Cut within a letter, by who gave it to the library.
    assert.include(contentDisposition("a\ud83d"), "filename*=UTF-8''a%EF%BF%BD")
  })
})

describe("GET /v1/media/{id}/content, where the store may be reached", () => {
  const linked = Layer.succeed(
    BlobLinks,
    Option.some((key: string, facts: { readonly contentDisposition: string; readonly contentType: string }) =>
      Effect.succeed(`https://store.example/${key}?${facts.contentType}&${facts.contentDisposition}`)
    )
  )
  layer(Layer.provide(server, linked), { excludeTestServices: true })((it) => {
    it.effect("sends who has a key there, with what the store is to say of the file", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const headers = { "content-type": "image/gif", "x-filename": "cat.gif" }
        const { body } = yield* call("POST", "/v1/media", { key, body: new Uint8Array(gif), headers })
        const address = `/v1/media/${String(body["data"]?.["id"])}/content`
        const read = (more: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
          call(method, address, { key, headers: more })
        for (const range of [{}, { range: "bytes=0-5" }]) {
          const answer = yield* read(range)
          assert.strictEqual(answer.status, 302)
          assert.match(
            answer.headers.get("location") ?? "",
            /^https:\/\/store\.example\/ws_.*image\/gif&attachment; filename="cat\.gif"/
          )
          assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
        }
        // What the host can say by itself, it says; a store has another tag.
        const tag = etag((yield* read({}, "HEAD")).headers)
        assert.match(tag, /^"[0-9a-f]{64}"$/)
        assert.strictEqual((yield* read({ "if-none-match": tag })).status, 304)
        assert.strictEqual((yield* read({ range: `bytes=${size}-` })).status, 416)
        assert.strictEqual((yield* read({ "if-match": tag })).status, 200)
        assert.strictEqual((yield* read({ "if-range": tag, range: "bytes=0-5" })).status, 206)
        assert.strictEqual((yield* call("GET", String(body["data"]?.["download_url"]))).status, 200)
      })
    )
  })
})
