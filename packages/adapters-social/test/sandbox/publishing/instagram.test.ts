import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, ids, listAt, served, textAt } from "../served.ts"
import type { Asked } from "../served.ts"
import { addressOf, fileHost } from "./files.ts"

const network = "instagram"

const world = Effect.fnUntraced(function* (seen: Array<string> = []) {
  const one = yield* served({ answerFile: fileHost(seen) })
  const ask = (method: "GET" | "POST" | "DELETE", path: string, asked: Asked = {}) =>
    one.ask(network, method, path, asked)
  const create = (form: Readonly<Record<string, string>>) => ask("POST", `/${ids[network]}/media`, { form })
  const made = (form: Readonly<Record<string, string>>) => Effect.map(create(form), ({ body }) => textAt(body, "id"))
  const publish = (id: string) => ask("POST", `/${ids[network]}/media_publish`, { form: { creation_id: id } })
  const status = (id: string) =>
    Effect.map(ask("GET", `/${id}`, { query: { fields: "status_code,status" } }), ({ body }) => body)
  const list = Effect.map(
    ask("GET", `/${ids[network]}/media`, { query: { fields: "id,caption,media_type,media_product_type" } }),
    ({ body }) => listAt(body, "data")
  )
  return { ...one, ask, create, made, publish, status, list }
})

const photo = { image_url: addressOf("photo.jpg"), caption: "hello" }
const reel = { media_type: "REELS", video_url: addressOf("reel.mp4"), caption: "moving" }

describe("Sandbox: publishing on Instagram", () => {
  it.effect("loads the file as Meta does, and publishes a container once and not before it is ready", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const { list, made, publish, sandbox, status } = yield* world(seen)
      const id = yield* made(photo)
      assert.deepStrictEqual(seen, [
        "HEAD /files/photo.jpg facebookexternalhit/1.1",
        "GET /files/photo.jpg facebookexternalhit/1.1"
      ])
      assert.strictEqual(at(yield* status(id), "status_code"), "IN_PROGRESS")
      assert.strictEqual(codeOf(yield* publish(id)), "400 9007/2207027")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(at(yield* status(id), "status_code"), "FINISHED")
      const published = textAt((yield* publish(id)).body, "id")
      assert.strictEqual(at(yield* status(id), "status_code"), "PUBLISHED")
      assert.strictEqual(codeOf(yield* publish(id)), "400 100")
      const [first] = yield* list
      assert.deepStrictEqual(first, {
        id: published,
        caption: "hello",
        media_type: "IMAGE",
        media_product_type: "FEED"
      })
      const comment = yield* sandbox.comment({ network, text: "nice", postId: published })
      assert.isTrue(comment.isTold)
    })
  )

  it.effect("refuses what it does not take, each with its own code", () =>
    Effect.gen(function* () {
      const { create, made, status } = yield* world()
      const refused = (form: Readonly<Record<string, string>>) => Effect.map(create(form), codeOf)
      assert.strictEqual(yield* refused({ image_url: addressOf("page.jpg") }), "400 9004/2207052")
      assert.strictEqual(yield* refused({ image_url: "http://elsewhere.example/a.jpg" }), "400 9004/2207052")
      assert.strictEqual(yield* refused({ image_url: addressOf("picture.png") }), "400 36001/2207005")
      assert.strictEqual(yield* refused({ image_url: addressOf("panorama.jpg") }), "400 36003/2207009")
      assert.strictEqual(yield* refused({ ...photo, caption: "x".repeat(2_201) }), "400 36004/2207010")
      assert.strictEqual(yield* refused({ media_type: "VIDEO", video_url: addressOf("reel.mp4") }), "400 100/2207023")
      assert.strictEqual(yield* refused({ media_type: "CAROUSEL", children: "1" }), "400 100/2207028")
      const short = yield* made({ ...reel, video_url: addressOf("short.mp4") })
      yield* TestClock.adjust("1 second")
      const told = yield* status(short)
      assert.deepStrictEqual([at(told, "status_code"), textAt(told, "status").slice(0, 6)], ["ERROR", "Error:"])
    })
  )

  it.effect("makes a carousel of children, each used once, and a story that stands on no list of posts", () =>
    Effect.gen(function* () {
      const { ask, create, list, made, publish } = yield* world()
      const one = yield* made({ image_url: addressOf("photo.jpg"), is_carousel_item: "true" })
      const two = yield* made({ media_type: "VIDEO", video_url: addressOf("clip.mp4"), is_carousel_item: "true" })
      const parent = yield* made({ media_type: "CAROUSEL", children: `${one},${two}`, caption: "both" })
      assert.strictEqual(codeOf(yield* create({ media_type: "CAROUSEL", children: `${one},${two}` })), "400 100")
      const story = yield* made({ media_type: "STORIES", video_url: addressOf("reel.mp4") })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(codeOf(yield* publish(one)), "400 100")
      yield* publish(parent)
      const shown = textAt((yield* publish(story)).body, "id")
      assert.deepStrictEqual(
        (yield* list).map((media) => at(media, "media_type")),
        ["CAROUSEL_ALBUM", "IMAGE"]
      )
      const stories = yield* ask("GET", `/${ids[network]}/stories`, { query: { fields: "id,media_product_type" } })
      assert.deepStrictEqual(listAt(stories.body, "data"), [{ id: shown, media_product_type: "STORY" }])
    })
  )

  it.effect("keeps to its quotas, which it tells, and lets containers expire after a day", () =>
    Effect.gen(function* () {
      const { ask, control, made, publish, status } = yield* world()
      yield* control("settings", { instagram_posts: 1, container_delay_ms: 0 })
      const [first, second] = [yield* made(photo), yield* made(photo)]
      yield* publish(first)
      assert.strictEqual(codeOf(yield* publish(second)), "400 9/2207042")
      const limit = yield* ask("GET", `/${ids[network]}/content_publishing_limit`, {
        query: { fields: "quota_usage,config" }
      })
      assert.deepStrictEqual(listAt(limit.body, "data"), [
        { quota_usage: 1, config: { quota_total: 1, quota_duration: 86_400 } }
      ])
      yield* TestClock.adjust("24 hours")
      assert.strictEqual(at(yield* status(second), "status_code"), "EXPIRED")
      assert.strictEqual(codeOf(yield* publish(second)), "400 24/2207008")
    })
  )

  it.effect("says no to what it did, and lets a container fail, where that is ordered", () =>
    Effect.gen(function* () {
      const { control, list, made, publish, status } = yield* world()
      yield* control("settings", { container_delay_ms: 0 })
      const fault = { network, times: 1 }
      yield* control("faults", { ...fault, endpoint: "publish", kind: "refused_after", code: 4, subcode: 2_207_051 })
      const id = yield* made(photo)
      assert.strictEqual(codeOf(yield* publish(id)), "400 4/2207051")
      assert.strictEqual(at(yield* status(id), "status_code"), "PUBLISHED")
      assert.strictEqual((yield* list).length, 2)
      yield* control("faults", { ...fault, endpoint: "create_container", kind: "fails_later", subcode: 2_207_026 })
      assert.match(textAt(yield* status(yield* made(reel)), "status"), /2207026/)
    })
  )

  it.effect("lets nobody delete a post by its own login", () =>
    Effect.gen(function* () {
      const { ask, control, made, publish } = yield* world()
      yield* control("settings", { container_delay_ms: 0 })
      const id = textAt((yield* publish(yield* made(photo))).body, "id")
      assert.strictEqual(codeOf(yield* ask("DELETE", `/${id}`)), "400 3")
    })
  )
})
