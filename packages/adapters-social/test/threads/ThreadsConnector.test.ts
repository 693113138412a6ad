import { connectorTo } from "@loopbox/core/networks/Connectors"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { type Behaviour, connected } from "../loopback.ts"
import { accessTo, noRequest, replyTo, uncertain } from "../support.ts"

const access = accessTo("20000", "our_account")

const threads = Effect.fnUntraced(function* (behave: Behaviour) {
  const { connectors, received } = yield* connected(behave)
  return { threads: connectorTo(connectors, "threads"), received }
})

const since = DateTime.makeUnsafe("2026-10-22T12:00:00Z")
const row = (id: string, username: string, at: string, more: object = {}) => ({
  id,
  text: `Reply ${id}`,
  username,
  timestamp: at,
  media_type: "TEXT_POST",
  replied_to: { id: "700" },
  ...more
})

describe("conversations on Threads", () => {
  it.live("are those of the account's newest threads", () =>
    Effect.gen(function* () {
      const data = [
        { id: "701", timestamp: "2026-11-20T10:00:00+0000" },
        { id: "600", timestamp: "2026-09-01T10:00:00+0000" }
      ]
      const { received, threads: connector } = yield* threads(() => ({ body: { data } }))
      const feeds = yield* connector.listFeeds(access, "replies", since)
      assert.deepStrictEqual(
        feeds.map(({ id }) => id),
        ["701"]
      )
      assert.strictEqual(received[0]?.path, "/th/v1.0/me/threads")
      assert.strictEqual(received[0]?.query.get("since"), String(DateTime.toEpochMillis(since) / 1000))
      assert.strictEqual(received[0]?.query.get("limit"), "25")
    })
  )

  it.live("are listed in pages, where those of the network are small", () =>
    Effect.gen(function* () {
      const { received, threads: connector } = yield* threads(({ query }) => {
        const from = Number(query.get("after") ?? "0")
        const data = Array.from({ length: from < 8 ? 4 : 0 }, (_, i) => ({ id: String(from + i + 1) }))
        return { body: { data, paging: { cursors: { after: String(from + 4) } } } }
      })
      const feeds = yield* connector.listFeeds(access, "replies", since)
      assert.deepStrictEqual([feeds.length, feeds[7]?.id, received.length], [8, "8", 3])
    })
  )

  it.live("are read as webhooks bring them, with what is hidden", () =>
    Effect.gen(function* () {
      const data = [
        row("703", "Our_Account", "2026-11-21T11:02:00+0000", { is_reply_owned_by_me: true }),
        row("702", "reader", "2026-11-21T11:01:00+0000", { hide_status: "HIDDEN", root_post: { id: "700" } }),
        { text: "without an id" }
      ]
      const body = { data, paging: { cursors: { after: "next" }, next: "https://elsewhere.example/?after=next" } }
      const { received, threads: connector } = yield* threads(() => ({ body }))
      const feed = {
        step: "replies",
        source: "threads_reply",
        id: "700",
        items: Option.none(),
        updatedAt: Option.none(),
        size: Option.none(),
        firstPage: Option.none()
      } as const
      const page = yield* connector.readFeed(access, feed, { ...noRequest, cursor: Option.some("here") })
      const items = page.activities.filter((one) => one._tag === "Posted")
      assert.deepStrictEqual(
        items.map(({ author, externalId, isOwn, threadKey }) => [
          externalId,
          isOwn,
          threadKey._tag === "Known" ? threadKey.key : "",
          Option.getOrNull(author.username)
        ]),
        [
          ["703", true, "700", "Our_Account"],
          ["702", false, "700", "reader"]
        ]
      )
      assert.deepStrictEqual(
        page.activities.flatMap((one) => (one._tag === "HiddenChanged" ? [[one.externalId, one.isHidden]] : [])),
        [["702", true]]
      )
      assert.deepStrictEqual(page.next, Option.some("next"))
      assert.deepStrictEqual(page.coversFrom, DateTime.make("2026-11-21T11:01:00Z"))
      assert.strictEqual(page.unreadable.length, 1)
      assert.strictEqual(received[0]?.path, "/th/v1.0/700/conversation")
      assert.strictEqual(received[0]?.query.get("after"), "here")
      assert.strictEqual(received.length, 1)
    })
  )

  it.live("hang on a post that is shown with its text and picture", () =>
    Effect.gen(function* () {
      const children = { data: [{ media_type: "IMAGE", media_url: "https://cdn.example/1.jpg" }] }
      const body = {
        id: "700",
        text: "Two pictures",
        media_type: "CAROUSEL_ALBUM",
        permalink: "https://www.threads.com/@our_account/post/A",
        timestamp: "2026-11-20T10:00:00+0000",
        children
      }
      const { threads: connector } = yield* threads(() => ({ body }))
      const context = yield* connector.findMediaContext(access, "threads_reply", "700")
      assert.deepInclude(context, {
        mediaType: "carousel",
        mediaUrl: Option.some("https://cdn.example/1.jpg"),
        caption: Option.some("Two pictures")
      })
    })
  )
})

describe("replies on Threads", () => {
  const reply = replyTo("threads_reply", "702", "700")
  const notYet = { status: 400, body: { error: { code: 24, error_subcode: 4_279_009, is_transient: false } } }

  it.live("are a container first, and then one publication", () =>
    Effect.gen(function* () {
      let publications = 0
      const { received, threads: connector } = yield* threads(({ path }) => {
        if (path.endsWith("/threads")) return { body: { id: "c1" } }
        publications += 1
        return publications === 1 ? notYet : { body: { id: "750" } }
      })
      const container = yield* connector.prepareReply(access, reply)
      assert.deepStrictEqual(container, Option.some("c1"))
      assert.deepStrictEqual(Object.fromEntries(received[0]?.query ?? []), {
        media_type: "TEXT",
        text: "Thank you!",
        reply_to_id: "702"
      })
      const { posted } = yield* connector.sendReply(access, reply, container)
      assert.deepInclude(posted, { externalId: "750", isOwn: true, body: "Thank you!" })
      assert.deepStrictEqual(
        received.map(({ method, path, query }) => `${method} ${path} ${query.get("creation_id") ?? ""}`),
        ["POST /th/v1.0/me/threads ", ...Array(2).fill("POST /th/v1.0/me/threads_publish c1")]
      )
    })
  )

  it.live("may be prepared again when the first container got lost, and are unknown when publishing did", () =>
    Effect.gen(function* () {
      const { threads: connector } = yield* threads(() => "reset")
      assert.strictEqual((yield* Effect.flip(connector.prepareReply(access, reply)))._tag, "Unavailable")
      const sent = connector.sendReply(access, reply, Option.some("c1"))
      assert.strictEqual((yield* Effect.flip(sent))._tag, "OutcomeUnknown")
      const unprepared = connector.sendReply(access, reply, Option.none())
      assert.strictEqual((yield* Effect.flip(unprepared))._tag, "Unavailable")
    })
  )

  it.live("are looked for by the state of their container", () =>
    Effect.gen(function* () {
      const data = [
        row("752", "our_account", "2024-11-21T12:01:02+0000", { replied_to: { id: "702" }, root_post: { id: "700" } }),
        row("751", "our_account", "2024-11-21T12:01:01+0000", { replied_to: { id: "1" }, root_post: { id: "700" } })
      ]
      const lookAt = Effect.fnUntraced(function* (status: string) {
        const { threads: connector } = yield* threads(({ path }) =>
          path.endsWith("/me/replies") ? { body: { data } } : { body: { id: "c1", status } }
        )
        return yield* connector.findReply(access, uncertain(reply, "c1"))
      })
      const published = yield* lookAt("PUBLISHED")
      assert.deepStrictEqual(
        published._tag === "Candidates" ? published.posted.map(({ externalId }) => externalId) : [],
        ["752"]
      )
      assert.strictEqual((yield* lookAt("FINISHED"))._tag, "NotPublished")
      assert.deepStrictEqual(yield* lookAt("IN_PROGRESS"), { _tag: "Candidates", posted: [] })
      assert.strictEqual((yield* lookAt("ERROR"))._tag, "Failed")
      const { threads: connector } = yield* threads(() => ({}))
      assert.strictEqual((yield* connector.findReply(access, uncertain(reply)))._tag, "NotPublished")
    }).pipe(Effect.scoped)
  )

  it.live("keep their token alive", () =>
    Effect.gen(function* () {
      const { received, threads: connector } = yield* threads(() => ({
        body: { access_token: "new", token_type: "bearer", expires_in: 5_183_944 }
      }))
      const renewed = Option.getOrThrow(yield* connector.refreshToken(access, Option.none()))
      assert.strictEqual(Redacted.value(renewed.accessToken), "new")
      assert.strictEqual(received[0]?.path, "/th/refresh_access_token")
      assert.strictEqual(received[0]?.query.get("grant_type"), "th_refresh_token")
    })
  )
})
