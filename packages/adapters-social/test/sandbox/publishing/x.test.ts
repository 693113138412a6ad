import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, ids, listAt, served, textAt } from "../served.ts"
import { gifOf, hosted } from "./files.ts"

const network = "x"

const formOf = (fields: Readonly<Record<string, string>>, file: Uint8Array<ArrayBuffer>, type: string): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set("media", new Blob([file], { type }), "file")
  return form
}

const world = Effect.fnUntraced(function* () {
  const one = yield* served()
  const post = (json: Readonly<Record<string, unknown>>) => one.ask(network, "POST", "/tweets", { json })
  const image = one.ask(network, "POST", "/media/upload", {
    raw: formOf({ media_category: "tweet_image" }, hosted["photo.jpg"].bytes, "image/jpeg")
  })
  const begin = (media_category: string, media_type: string, total_bytes: number) =>
    one.ask(network, "POST", "/media/upload/initialize", { json: { media_category, media_type, total_bytes } })
  const append = (id: string, index: number, part: Uint8Array<ArrayBuffer>) =>
    one.ask(network, "POST", `/media/upload/${id}/append`, {
      raw: formOf({ segment_index: String(index) }, part, "application/octet-stream")
    })
  const finalize = (id: string) => one.ask(network, "POST", `/media/upload/${id}/finalize`)
  const state = (id: string) =>
    Effect.map(one.ask(network, "GET", "/media/upload", { query: { command: "STATUS", media_id: id } }), ({ body }) =>
      at(body, "data", "processing_info", "state")
    )
  return { ...one, post, image, begin, append, finalize, state }
})

describe("Sandbox: publishing on X", () => {
  it.effect("takes pieces of up to 5 MB, as X does, and says of a larger one that it is too large", () =>
    Effect.gen(function* () {
      const { append, begin } = yield* world()
      const most = 5 * 1024 * 1024
      const id = textAt((yield* begin("tweet_video", "video/mp4", 2 * most)).body, "data", "id")
      assert.strictEqual((yield* append(id, 0, new Uint8Array(most))).status, 200)
      assert.strictEqual((yield* append(id, 1, new Uint8Array(most + 1))).status, 413)
    })
  )

  it.effect("takes images at once, and shows their keys on the post", () =>
    Effect.gen(function* () {
      const { ask, image, post, sandbox } = yield* world()
      const [one, two] = [(yield* image).body, (yield* image).body]
      const media = { media_ids: [textAt(one, "data", "id"), textAt(two, "data", "id")] }
      const alt = { id: media.media_ids[0], metadata: { alt_text: { text: "a square" } } }
      assert.strictEqual((yield* ask(network, "POST", "/media/metadata", { json: alt })).status, 200)
      const made = yield* post({ text: "two", media })
      assert.strictEqual(made.status, 201)
      assert.strictEqual((yield* post({ text: "again", media })).status, 400)
      const timeline = yield* ask(network, "GET", `/users/${ids[network]}/tweets`, {
        query: { "tweet.fields": "attachments" }
      })
      assert.deepStrictEqual(at(timeline.body, "data", 0, "attachments"), {
        media_keys: [textAt(one, "data", "media_key"), textAt(two, "data", "media_key")]
      })
      assert.isTrue((yield* sandbox.comment({ network, text: "nice", postId: textAt(made.body, "data", "id") })).isTold)
    })
  )

  it.effect("takes a video piece by piece, and posts it once it is processed", () =>
    Effect.gen(function* () {
      const { append, begin, control, finalize, post, state } = yield* world()
      const { bytes } = hosted["clip.mp4"]
      const half = Math.ceil(bytes.length / 2)
      const id = textAt((yield* begin("tweet_video", "video/mp4", bytes.length)).body, "data", "id")
      yield* append(id, 0, bytes.slice(0, half))
      assert.strictEqual((yield* finalize(id)).status, 400)
      yield* append(id, 1, bytes.slice(half))
      const final = yield* finalize(id)
      assert.strictEqual(at(final.body, "data", "processing_info", "state"), "in_progress")
      const early = yield* post({ text: "a video", media: { media_ids: [id] } })
      assert.strictEqual(early.status, 403)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* state(id), "succeeded")
      assert.strictEqual((yield* post({ text: "a video", media: { media_ids: [id] } })).status, 201)
      yield* control("faults", { network, endpoint: "finalize_upload", kind: "fails_later", message: "no", times: 1 })
      const gif = gifOf(10, 10)
      const other = textAt((yield* begin("tweet_gif", "image/gif", gif.length)).body, "data", "id")
      yield* append(other, 0, gif)
      yield* finalize(other)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* state(other), "failed")
    })
  )

  it.effect("refuses the same words twice, members that it doesn't know, and a category that comes too late", () =>
    Effect.gen(function* () {
      const { ask, post } = yield* world()
      const made = yield* post({ text: "hello" })
      assert.match(textAt((yield* post({ text: "hello" })).body, "detail"), /duplicate content/)
      assert.strictEqual((yield* post({ text: "hello", when: "now" })).status, 400)
      assert.strictEqual((yield* post({ text: "hi", reply_settings: "friends" })).status, 400)
      const late = new FormData()
      late.set("media", new Blob([hosted["photo.jpg"].bytes], { type: "image/jpeg" }), "file")
      late.set("media_category", "tweet_image")
      const refused = yield* ask(network, "POST", "/media/upload", { raw: late })
      assert.match(textAt(refused.body, "errors", 0, "message"), /is missing but it is required/)
      const id = textAt(made.body, "data", "id")
      assert.deepStrictEqual((yield* ask(network, "DELETE", `/tweets/${id}`)).body, { data: { deleted: true } })
      assert.strictEqual(listAt((yield* ask(network, "DELETE", `/tweets/${id}`)).body, "errors").length, 1)
    })
  )
})
