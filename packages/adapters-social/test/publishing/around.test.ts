/** What is asked around a publication: quotas, addresses, deletions, and look-ups in other shapes than the sandbox's. */
import { connectorTo } from "@loopbox/core/networks/Connectors"
import type { Network } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Exit, Option } from "effect"
import { TestClock } from "effect/testing"
import { connected } from "../loopback.ts"
import type { Answer, Received } from "../loopback.ts"
import { accessTo } from "../support.ts"
import { mediaOf, publicationOf, publishOf } from "./driving.ts"

const access = accessTo("111", "our_account")
const throughPage = { ...access, login: Option.some("facebook" as const), throughAccountId: Option.some("222") }

const world = Effect.fnUntraced(function* (network: Network, answer: (request: Received) => Answer) {
  const { connectors, received } = yield* connected(answer)
  return { publish: publishOf(connectorTo(connectors, network)), received }
})

const json = (body: unknown): Answer => ({ body })
const gone: Answer = { status: 400, body: { error: { message: "no such object", code: 100, error_subcode: 33 } } }

describe("quotas", () => {
  for (const [network, path] of [
    ["instagram", "/ig/v25.0/111/content_publishing_limit"],
    ["threads", "/th/v1.0/me/threads_publishing_limit"]
  ] as const) {
    it.effect(`${network} tells its own, which is believed`, () =>
      Effect.gen(function* () {
        const config = { quota_total: 50, quota_duration: 86_400 }
        const { publish, received } = yield* world(network, () => json({ data: [{ quota_usage: 2, config }] }))
        const quota = Option.getOrThrow(yield* publish.quota(access))
        assert.deepStrictEqual([quota.used, quota.total, Duration.toHours(quota.window)], [2, 50, 24])
        assert.strictEqual(received[0]?.path, path)
        const silent = yield* world(network, () => json({ data: [] }))
        assert.isTrue(Option.isNone(yield* silent.publish.quota(access)))
      })
    )
  }

  it.effect("Facebook and X tell none, and are not asked", () =>
    Effect.gen(function* () {
      for (const network of ["facebook", "x"] as const) {
        const { publish, received } = yield* world(network, () => json({}))
        assert.isTrue(Option.isNone(yield* publish.quota(access)))
        assert.deepStrictEqual(received, [])
      }
    })
  )
})

describe("deletions", () => {
  for (const [network, as, path, done] of [
    ["facebook", access, "/fb/v25.0/900", { success: true }],
    ["instagram", throughPage, "/fb/v25.0/900", { success: true, deleted_id: "900" }],
    ["threads", access, "/th/v1.0/900", { success: true, deleted_id: "900" }],
    ["x", access, "/x/2/tweets/900", { data: { deleted: true } }]
  ] as const) {
    it.effect(`of ${network} are one call, and what is gone is deleted`, () =>
      Effect.gen(function* () {
        const answers: Array<Answer> = [json(done), network === "x" ? { status: 404, body: {} } : gone, json({})]
        const { publish, received } = yield* world(network, () => answers.shift() ?? assert.fail("asked too often"))
        const remove = Option.getOrThrow(publish.remove(as))
        yield* remove("900")
        yield* remove("900")
        assert.deepStrictEqual(
          received.map(({ method, path }) => [method, path]),
          [
            ["DELETE", path],
            ["DELETE", path]
          ]
        )
        // An answer that does not say so leaves it open.
        assert.isTrue(Exit.isFailure(yield* Effect.exit(remove("900"))))
      })
    )
  }

  it.effect("are not known to Instagram's own login", () =>
    Effect.gen(function* () {
      const { publish } = yield* world("instagram", () => json({}))
      assert.isTrue(Option.isNone(publish.remove(access)))
    })
  )
})

describe("addresses", () => {
  it.effect("are read where they can't be made, with the ids by which comments name a post", () =>
    Effect.gen(function* () {
      const post = yield* world("instagram", () => json({ id: "900", permalink: "https://www.instagram.com/p/a/" }))
      assert.deepStrictEqual(yield* post.publish.details(access, "900"), {
        externalId: "900",
        url: Option.some("https://www.instagram.com/p/a/"),
        postIds: ["900"]
      })
      const video = yield* world("facebook", () => json({ id: "900", post_id: "111_5", permalink_url: "/reel/900/" }))
      assert.deepStrictEqual(yield* video.publish.details(access, "900"), {
        externalId: "900",
        url: Option.some("https://www.facebook.com/reel/900/"),
        postIds: ["900", "111_5"]
      })
      const x = yield* world("x", () => json({}))
      assert.deepStrictEqual(
        (yield* x.publish.details(access, "900")).url,
        Option.some("https://x.com/our_account/status/900")
      )
      assert.deepStrictEqual(x.received, [])
    })
  )
})

describe("a look-up", () => {
  const attemptedAt = DateTime.makeUnsafe("2026-11-22T12:00:00Z")
  const uncertainOf = (
    publication: ReturnType<typeof publicationOf>,
    preparation: { readonly [name: string]: unknown }
  ) => ({
    publication,
    preparation: JSON.parse(JSON.stringify(preparation)),
    attemptedAt,
    lastAttemptAt: attemptedAt,
    knownIds: new Set<string>(),
    rivals: []
  })
  const container = { container: "180", children: [], polls: 0 }
  const video = mediaOf({ kind: "video", contentType: "video/mp4", bytes: new Uint8Array(9) })

  it.effect("of a story goes on in the list of posts, where a network has no list of stories", () =>
    Effect.gen(function* () {
      const story = { id: "900", media_product_type: "STORY", timestamp: "2026-11-22T12:00:01+0000" }
      const post = { ...story, id: "901", media_product_type: "FEED" }
      const { publish } = yield* world("instagram", ({ path }) => {
        if (path.endsWith("/stories")) return gone
        return path.endsWith("/media") ? json({ data: [post, story] }) : json({ id: "180", status_code: "PUBLISHED" })
      })
      const look = yield* publish.find(access, uncertainOf(publicationOf("story", "", [video]), container))
      assert.strictEqual(look._tag === "Found" ? look.published.externalId : look._tag, "900")
    })
  )

  it.effect("finds nothing in posts that are older, or several, or of another app", () =>
    Effect.gen(function* () {
      const words = uncertainOf(publicationOf("text", "hello"), { photos: [], reel: null })
      const of = (id: string, at: string, app?: string) => ({
        id: `111_${id}`,
        message: "hello",
        created_time: `2026-11-22T${at}+0000`,
        ...(app === undefined ? {} : { application: { id: app } })
      })
      const lookAt = Effect.fnUntraced(function* (data: ReadonlyArray<unknown>) {
        const { connectors } = yield* connected(() => json({ data }), { metaAppId: "7" })
        const look = yield* publishOf(connectorTo(connectors, "facebook")).find(access, words)
        return look._tag === "Found" ? look.published.externalId : look._tag
      })
      assert.strictEqual(yield* lookAt([of("1", "12:00:05", "7")]), "111_1")
      assert.strictEqual(yield* lookAt([of("1", "11:58:59", "7")]), "Nothing")
      assert.strictEqual(yield* lookAt([of("1", "11:59:00", "7")]), "111_1")
      assert.strictEqual(yield* lookAt([of("1", "12:00:05", "7"), of("2", "12:00:06", "7")]), "Nothing")
      assert.strictEqual(yield* lookAt([of("1", "12:00:05", "8")]), "Nothing")
      assert.strictEqual(yield* lookAt([]), "Nothing")
    })
  )

  it.effect("of a reel believes its phases alone", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.add(attemptedAt, { minutes: 2 })))
      const reel = uncertainOf(publicationOf("reel", "", [video]), {
        photos: [],
        reel: { id: "500", address: "", isSent: true }
      })
      const phase = (status: string, more: object = {}) => ({ status, ...more })
      const lookAt = Effect.fnUntraced(function* (video_status: string, processing: string, publishing: object) {
        const status = { video_status, processing_phase: phase(processing), publishing_phase: publishing }
        const { publish } = yield* world("facebook", () => json({ id: "500", status }))
        return (yield* publish.find(access, reel))._tag
      })
      assert.strictEqual(
        yield* lookAt("ready", "complete", phase("complete", { publish_status: "published" })),
        "Found"
      )
      assert.strictEqual(yield* lookAt("ready", "completed", phase("completed")), "Found")
      assert.strictEqual(yield* lookAt("ready", "complete", phase("complete", { publish_status: "draft" })), "Nothing")
      assert.strictEqual(yield* lookAt("processing", "in_progress", phase("not_started")), "Nothing")
      assert.strictEqual(yield* lookAt("upload_complete", "not_started", phase("not_started")), "NotPublished")
      assert.strictEqual(yield* lookAt("error", "error", phase("not_started")), "Void")
      assert.strictEqual(yield* lookAt("upload_failed", "not_started", phase("not_started")), "Void")
    })
  )

  it.effect("of X counts a post with our media keys, whatever its words became", () =>
    Effect.gen(function* () {
      const upload = { id: "700", mediaKey: "3_700", pieces: null, state: "ready", isDescribed: true }
      const image = mediaOf({ kind: "image", contentType: "image/jpeg", bytes: new Uint8Array(9) })
      const tweet = { id: "900", text: "other words https://t.co/a", created_at: "2026-11-22T12:00:01.000Z" }
      const lookAt = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
        const post = { ...tweet, edit_history_tweet_ids: ["900"], attachments: { media_keys: keys } }
        const { publish, received } = yield* world("x", () => json({ data: [post], meta: { result_count: 1 } }))
        const look = yield* publish.find(
          access,
          uncertainOf(publicationOf("image", "words", [image]), { uploads: [upload], polls: 0 })
        )
        assert.strictEqual(received[0]?.query.get("start_time"), "2026-11-22T11:59:00Z")
        return look._tag
      })
      assert.strictEqual(yield* lookAt(["3_700"]), "Found")
      assert.strictEqual(yield* lookAt(["3_701"]), "Nothing")
    })
  )
})
