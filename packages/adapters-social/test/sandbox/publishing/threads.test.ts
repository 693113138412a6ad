import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, listAt, served, textAt } from "../served.ts"
import { addressOf, fileHost } from "./files.ts"

const network = "threads"

const world = Effect.fnUntraced(function* () {
  const one = yield* served({ answerFile: fileHost() })
  const create = (form: Readonly<Record<string, string>>) => one.ask(network, "POST", "/me/threads", { form })
  const made = (form: Readonly<Record<string, string>>) => Effect.map(create(form), ({ body }) => textAt(body, "id"))
  const publish = (id: string) => one.ask(network, "POST", "/me/threads_publish", { form: { creation_id: id } })
  const status = (id: string) =>
    Effect.map(one.ask(network, "GET", `/${id}`, { query: { fields: "id,status,error_message" } }), ({ body }) => body)
  return { ...one, create, made, publish, status }
})

const image = { media_type: "IMAGE", image_url: addressOf("photo.jpg") }
const video = { media_type: "VIDEO", video_url: addressOf("clip.mp4") }

describe("Sandbox: publishing on Threads", () => {
  it.effect("publishes images, videos and carousels, and tells what they are", () =>
    Effect.gen(function* () {
      const { ask, made, publish, sandbox } = yield* world()
      const one = yield* made({ ...image, text: "an image" })
      const two = yield* made({ ...video, text: "a video" })
      const parts = [
        yield* made({ ...image, is_carousel_item: "true" }),
        yield* made({ ...video, is_carousel_item: "true" })
      ]
      const three = yield* made({ media_type: "CAROUSEL", children: parts.join(","), text: "both" })
      yield* TestClock.adjust("1 second")
      for (const id of [one, two, three]) assert.strictEqual((yield* publish(id)).status, 200)
      const list = yield* ask(network, "GET", "/me/threads", { query: { fields: "id,text,media_type,permalink" } })
      assert.deepStrictEqual(
        listAt(list.body, "data")
          .map((thread) => [at(thread, "text"), at(thread, "media_type")])
          .slice(0, 3),
        [
          ["both", "CAROUSEL_ALBUM"],
          ["a video", "VIDEO"],
          ["an image", "IMAGE"]
        ]
      )
      const published = textAt(list.body, "data", 0, "id")
      assert.isTrue((yield* sandbox.comment({ network, text: "nice", postId: published })).isTold)
      assert.deepStrictEqual((yield* ask(network, "DELETE", `/${published}`)).body, {
        success: true,
        deleted_id: published
      })
      assert.strictEqual(codeOf(yield* ask(network, "DELETE", `/${published}`)), "400 100/33")
    })
  )

  it.effect("refuses what it does not take, and says of a video that fails why", () =>
    Effect.gen(function* () {
      const { control, create, made, publish, status } = yield* world()
      assert.strictEqual(codeOf(yield* create({ ...image, image_url: addressOf("page.jpg") })), "400 36001/2207005")
      assert.strictEqual(codeOf(yield* create({ ...image, image_url: "http://x.example/a" })), "400 1/2207052")
      const links = Array.from({ length: 6 }, (_, i) => `https://a${i}.example/`).join(" ")
      assert.strictEqual(codeOf(yield* create({ media_type: "TEXT", text: links })), "400 100")
      assert.strictEqual(codeOf(yield* create({ media_type: "CAROUSEL", children: "1,2" })), "400 100")
      yield* control("faults", {
        network,
        endpoint: "create_container",
        kind: "fails_later",
        message: "INVALID_BIT_RATE",
        times: 1
      })
      const id = yield* made(video)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* status(id), { id, status: "ERROR", error_message: "INVALID_BIT_RATE" })
      assert.strictEqual(codeOf(yield* publish(id)), "400 100")
    })
  )
})
