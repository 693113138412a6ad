import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, ids, listAt, served, textAt } from "../served.ts"
import { addressOf, fileHost, hosted } from "./files.ts"

const network = "facebook"
const page = ids[network]

const world = Effect.fnUntraced(function* () {
  const one = yield* served({ answerFile: fileHost() })
  const post = (path: string, form: Readonly<Record<string, string>>) => one.ask(network, "POST", path, { form })
  const read = (id: string, fields: string) =>
    Effect.map(one.ask(network, "GET", `/${id}`, { query: { fields } }), ({ body }) => body)
  const posts = Effect.map(
    one.ask(network, "GET", `/${page}/published_posts`, {
      query: { fields: "id,message,attachments{media_type,target{id},subattachments{target{id}}},application{id}" }
    }),
    ({ body }) => listAt(body, "data")
  )
  return { ...one, post, read, posts }
})

const videoFields = "status,post_id,permalink_url,published"

describe("Sandbox: publishing on a Page", () => {
  it.effect("takes words and links at once, and photos that were uploaded before", () =>
    Effect.gen(function* () {
      const { post, posts, sandbox } = yield* world()
      const words = textAt((yield* post(`/${page}/feed`, { message: "hello", link: "https://a.example/" })).body, "id")
      assert.strictEqual(codeOf(yield* post(`/${page}/feed`, { link: "https://www.facebook.com/x" })), "400 1609008")
      assert.strictEqual(codeOf(yield* post(`/${page}/feed`, {})), "400 100")
      const photo = { url: addressOf("photo.jpg"), published: "false" }
      const one = textAt((yield* post(`/${page}/photos`, photo)).body, "id")
      const two = textAt((yield* post(`/${page}/photos`, photo)).body, "id")
      assert.strictEqual((yield* posts).length, 2)
      const both = {
        message: "two",
        "attached_media[0]": JSON.stringify({ media_fbid: one }),
        "attached_media[1]": JSON.stringify({ media_fbid: two })
      }
      const album = textAt((yield* post(`/${page}/feed`, both)).body, "id")
      assert.strictEqual(codeOf(yield* post(`/${page}/feed`, both)), "400 1366051")
      const [newest, text] = yield* posts
      assert.deepStrictEqual([at(newest, "id"), at(text, "id")], [album, words])
      assert.deepStrictEqual(at(text, "attachments"), undefined)
      const shown = listAt(newest, "attachments", "data", 0, "subattachments", "data")
      assert.deepStrictEqual(
        shown.map((part) => at(part, "target", "id")),
        [one, two]
      )
      assert.isTrue((yield* sandbox.comment({ network, text: "nice", postId: album })).isTold)
      assert.strictEqual(
        codeOf(yield* post(`/${page}/photos`, { url: addressOf("page.jpg"), published: "false" })),
        "400 100"
      )
    })
  )

  it.effect("shows a video once it is processed, under the id of its post, and keeps a vertical one as a draft", () =>
    Effect.gen(function* () {
      const { post, posts, read, sandbox } = yield* world()
      const id = textAt(
        (yield* post(`/${page}/videos`, { file_url: addressOf("clip.mp4"), description: "moving" })).body,
        "id"
      )
      assert.strictEqual(at(yield* read(id, videoFields), "status", "video_status"), "processing")
      assert.strictEqual((yield* posts).length, 1)
      yield* TestClock.adjust("1 second")
      const ready = yield* read(id, videoFields)
      assert.deepStrictEqual([at(ready, "published"), at(ready, "status", "video_status")], [true, "ready"])
      assert.strictEqual(at((yield* posts)[0], "id"), at(ready, "post_id"))
      const comment = yield* sandbox.comment({ network, text: "nice", postId: id })
      assert.strictEqual(at(yield* read(comment.id, "object{id}"), "object", "id"), at(ready, "post_id"))
      const draft = textAt((yield* post(`/${page}/videos`, { file_url: addressOf("reel.mp4") })).body, "id")
      yield* TestClock.adjust("1 second")
      const kept = yield* read(draft, videoFields)
      assert.deepStrictEqual([at(kept, "published"), at(kept, "post_id")], [false, undefined])
      assert.match(textAt(kept, "permalink_url"), /^\/reel\//)
    })
  )

  it.effect("takes a reel in three steps, its bytes with offset and file_size", () =>
    Effect.gen(function* () {
      const { ask, call, post, read } = yield* world()
      const started = (yield* post(`/${page}/video_reels`, { upload_phase: "start" })).body
      const id = textAt(started, "video_id")
      const path = new URL(textAt(started, "upload_url")).pathname
      const finish = post(`/${page}/video_reels`, {
        upload_phase: "finish",
        video_id: id,
        video_state: "PUBLISHED",
        description: "moving"
      })
      assert.strictEqual(codeOf(yield* finish), "400 6000/1363130")
      const { bytes } = hosted["reel.mp4"]
      const send = (headers: Readonly<Record<string, string>>) =>
        call("POST", path, {
          headers: { authorization: "OAuth token of facebook", ...headers },
          raw: bytes,
          token: null
        })
      const size = String(bytes.length)
      assert.strictEqual(at((yield* send({ file_size: size })).body, "debug_info", "type"), "ParameterValidationError")
      assert.deepStrictEqual((yield* send({ offset: "0", file_size: size })).body, { success: true })
      const before = yield* read(id, videoFields)
      assert.deepStrictEqual(
        [at(before, "status", "uploading_phase", "status"), at(before, "status", "publishing_phase", "status")],
        ["complete", "not_started"]
      )
      assert.deepStrictEqual((yield* finish).body, { success: true })
      yield* TestClock.adjust("1 second")
      const after = yield* read(id, videoFields)
      assert.strictEqual(at(after, "status", "publishing_phase", "status"), "complete")
      const postId = textAt(after, "post_id")
      assert.deepStrictEqual((yield* ask(network, "DELETE", `/${postId}`)).body, { success: true })
      assert.strictEqual(codeOf(yield* ask(network, "DELETE", `/${postId}`)), "400 100/33")
    })
  )

  it.effect("publishes for a linked Instagram account, too", () =>
    Effect.gen(function* () {
      const { ask, sandbox, served: one } = yield* linked()
      const made = yield* ask(`/${one}/media`, { image_url: addressOf("photo.jpg"), caption: "hello" })
      const id = textAt(made.body, "id")
      yield* TestClock.adjust("1 second")
      const published = yield* ask(`/${one}/media_publish`, { creation_id: id })
      assert.isTrue(
        (yield* sandbox.comment({ network: "instagram", text: "nice", postId: textAt(published.body, "id") })).isTold
      )
    })
  )
})

/** An Instagram account that is reached through the Page. */
const linked = Effect.fnUntraced(function* () {
  const { ask, sandbox } = yield* world()
  const account = sandbox.world.findAccounts("instagram")[0]
  assert.isDefined(account)
  sandbox.api.logins.owners.link(page ?? "", account?.accountId ?? "")
  return {
    sandbox,
    served: account?.accountId ?? "",
    ask: (path: string, form: Readonly<Record<string, string>>) => ask(network, "POST", path, { form })
  }
})
