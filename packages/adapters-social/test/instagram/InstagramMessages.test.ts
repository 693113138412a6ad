import { connectorTo } from "@loopbox/core/networks/Connectors"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { connected } from "../loopback.ts"
import { accessOf, at, essence, feedOf, graph, graphError, kind, line, newest, postedIn, told } from "../meta/graph.ts"

const access = accessOf("1784", "our_account")
const media = feedOf({ step: "comments", source: "ig_comment", id: "179" })
const conversation = feedOf({ step: "messages", source: "ig_dm", id: "aWdfZAG06=" }, "551")

const direct = (element: object) =>
  told({ object: "instagram", entry: [{ id: "1784", time: 1_771_323_668_000, messaging: [element] }] })

describe("Instagram: direct messages", () => {
  const messages = [
    {
      id: "m_3",
      created_time: "2026-02-17T10:32:00+0000",
      from: { id: "551", username: "reader" },
      to: { data: [{ id: "1784" }] },
      attachments: {
        data: [
          { image_data: { url: "https://cdn.example/i.jpg" } },
          { mime_type: "audio/mp4", file_url: "https://cdn.example/a" },
          { product: {} }
        ]
      },
      reply_to: { mid: "m_1" }
    },
    {
      id: "m_2",
      created_time: "2026-02-17T10:31:00+0000",
      from: { id: "1784", username: "our_account" },
      to: { data: [{ id: "551" }] },
      message: "We do"
    },
    { id: "m_1", created_time: "2026-02-17T10:30:00+0000", message: "Do you ship?", from: { username: "reader" } },
    { id: "m_0" }
  ]

  it.live("are the items that their webhooks make, and what has no details counts as there", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(
        graph({
          "aWdfZAG06=": {
            id: "aWdfZAG06=",
            messages: { data: messages, paging: { next: "https://x.example/?after=1" } }
          }
        })
      )
      const page = yield* connectorTo(connectors, "instagram").readFeed(access, conversation, newest)
      const person = { sender: { id: "551" }, recipient: { id: "1784" } }
      const own = { sender: { id: "1784" }, recipient: { id: "551" } }
      assert.deepStrictEqual(postedIn(page).map(essence), [
        ...direct({ ...person, message: { mid: "m_3", reply_to: { mid: "m_1" } } }).map(essence),
        ...direct({ ...own, message: { mid: "m_2", text: "We do", is_echo: true } }).map(essence),
        ...direct({ ...person, message: { mid: "m_1", text: "Do you ship?" } }).map(essence)
      ])
      assert.deepStrictEqual(postedIn(page)[0]?.attachments, [
        { type: "image", url: "https://cdn.example/i.jpg" },
        { type: "audio", url: "https://cdn.example/a" },
        { type: "unsupported", url: null }
      ])
      assert.deepStrictEqual(page.seen, ["m_3", "m_2", "m_1", "m_0"])
      // Older ones can't be read, so the page ends where details end.
      assert.deepStrictEqual(page.next, Option.none())
      assert.deepStrictEqual(page.coversFrom, Option.some(at("2026-02-17T10:30:00Z")))
      assert.deepStrictEqual(
        received.map((request) => decodeURIComponent(line(request))),
        [
          "GET /ig/v25.0/aWdfZAG06=?fields=messages{id,created_time,from,to,message,attachments,reply_to,is_unsupported,story,shares}"
        ]
      )
    })
  )

  it.live("know the account by its other id and its handle", () =>
    Effect.gen(function* () {
      const person = { id: "551", username: "reader" }
      const messages = [
        { id: "m_2", from: { id: "25999" }, to: { data: [{ id: "551" }] }, message: "We do" },
        { id: "m_1", from: person, to: { data: [{ id: "25999" }] }, message: "Do you ship?" }
      ]
      const { connectors } = yield* connected(
        graph({
          "me/conversations": { data: [{ id: "aWdfZAG06=", participants: { data: [{ id: "25999" }, person] } }] },
          "aWdfZAG06=": { id: "aWdfZAG06=", messages: { data: messages } }
        })
      )
      const instagram = connectorTo(connectors, "instagram")
      const known = { ...access, otherAccountId: Option.some("25999"), username: Option.none<string>() }
      const [feed] = yield* instagram.listFeeds(known, "messages", at("2026-01-01T00:00:00Z"))
      const page = yield* instagram.readFeed(known, feed ?? conversation, newest)
      assert.deepStrictEqual(
        postedIn(page)
          .map(essence)
          .map(({ author, isOwn, thread }) => [thread, author, isOwn]),
        [
          ["551", "1784", true],
          ["551", "551", false]
        ]
      )
    })
  )

  it.live("are empty where there are none", () =>
    Effect.gen(function* () {
      const { connectors } = yield* connected(graph({ "aWdfZAG06=": { id: "aWdfZAG06=" } }))
      const page = yield* connectorTo(connectors, "instagram").readFeed(access, conversation, newest)
      assert.deepStrictEqual([page.seen, page.next, page.coversFrom], [[], Option.none(), Option.none()])
    })
  )
})

describe("Instagram: looking up", () => {
  it.live("tells what is gone only in the network's own words", () =>
    Effect.gen(function* () {
      const { connectors } = yield* connected(
        graph({
          "10": { id: "10" },
          "11": () => graphError(500, 2),
          "12": () => ({ status: 404, body: "<html>" }),
          "13": () => graphError(400, 100, undefined, { message: "This message has been deleted" })
        })
      )
      const instagram = connectorTo(connectors, "instagram")
      assert.isTrue(yield* instagram.isThere(access, "ig_comment", "10"))
      assert.isFalse(yield* instagram.isThere(access, "ig_dm", "m_gone"))
      for (const id of ["11", "12", "13"]) yield* Effect.flip(instagram.isThere(access, "ig_dm", id))
    })
  )

  it.live("shows the post: its caption, picture and kind", () =>
    Effect.gen(function* () {
      const child = {
        media_type: "VIDEO",
        media_url: "https://c.example/v.mp4",
        thumbnail_url: "https://c.example/t.jpg"
      }
      const { connectors, received } = yield* connected(
        graph({
          "1": {
            id: 1,
            caption: "New",
            media_type: "CAROUSEL_ALBUM",
            permalink: "https://ig.example/p/1",
            timestamp: "2026-02-16T08:00:00+0000",
            children: { data: [child] }
          },
          "2": { id: "2", caption: "", ...child },
          "3": { id: "3", media_type: "IMAGE", media_url: "https://c.example/i.jpg" },
          "4": { id: "4", media_type: "HOLOGRAM" }
        })
      )
      const shown = Effect.fnUntraced(function* (id: string) {
        const post = yield* connectorTo(connectors, "instagram").findMediaContext(access, "ig_comment", id)
        return [post.id, post.mediaType, Option.getOrNull(post.mediaUrl), Option.getOrNull(post.caption)]
      })
      assert.deepStrictEqual(yield* shown("1"), ["1", "carousel", "https://c.example/t.jpg", "New"])
      assert.deepStrictEqual(yield* shown("2"), ["2", "video", "https://c.example/t.jpg", null])
      assert.deepStrictEqual(yield* shown("3"), ["3", "image", "https://c.example/i.jpg", null])
      assert.deepStrictEqual(yield* shown("4"), ["4", "unknown", null, null])
      const gone = yield* Effect.flip(connectorTo(connectors, "instagram").findMediaContext(access, "ig_comment", "5"))
      assert.strictEqual(kind(gone), "Rejected gone")
      assert.strictEqual(
        received[0]?.query.get("fields"),
        "id,caption,media_type,media_url,thumbnail_url,permalink,timestamp,children{media_type,media_url,thumbnail_url}"
      )
    })
  )

  it.live("names the permission that is missing: the network's word, else what the call needs", () =>
    Effect.gen(function* () {
      const { connectors } = yield* connected(
        graph({
          "179/comments": () => graphError(403, 10),
          "1784/media": () => graphError(400, 200, undefined, { message: "Requires instagram_basic permission" })
        })
      )
      const instagram = connectorTo(connectors, "instagram")
      const scopes = (failed: { readonly _tag: string }) => ("missingScopes" in failed ? failed.missingScopes : [])
      assert.deepStrictEqual(scopes(yield* Effect.flip(instagram.readFeed(access, media, newest))), [
        "instagram_business_manage_comments"
      ])
      assert.deepStrictEqual(
        scopes(yield* Effect.flip(instagram.listFeeds(access, "comments", at("2026-01-01T00:00:00Z")))),
        ["instagram_basic"]
      )
    })
  )
})

describe("Instagram: the token", () => {
  it.live("is renewed for sixty days", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(
        graph({ refresh_access_token: { access_token: "new-token", token_type: "bearer", expires_in: 5_183_944 } })
      )
      const now = yield* DateTime.now
      const renewed = yield* connectorTo(connectors, "instagram").refreshToken(access, Option.none())
      assert.isTrue(
        Option.exists(
          renewed,
          ({ accessToken, expiresAt, refreshToken }) =>
            Redacted.value(accessToken) === "new-token" &&
            Option.isNone(refreshToken) &&
            Option.exists(expiresAt, (moment) => DateTime.isGreaterThan(moment, DateTime.add(now, { days: 59 })))
        )
      )
      assert.deepStrictEqual(received.map(line), [
        "GET /ig/refresh_access_token?grant_type=ig_refresh_token&access_token=token-of-the-account"
      ])
    })
  )

  it.live("is dead for good, or the answer says nothing", () =>
    Effect.gen(function* () {
      const dead = yield* connected(graph({ refresh_access_token: () => graphError(400, 190, 463) }))
      const empty = yield* connected(graph({ refresh_access_token: { access_token: "" } }))
      const refresh = ({ connectors }: typeof dead) =>
        Effect.flip(connectorTo(connectors, "instagram").refreshToken(access, Option.none()))
      assert.strictEqual(kind(yield* refresh(dead)), "AuthExpired token")
      assert.strictEqual(kind(yield* refresh(empty)), "Unavailable unreadable")
    }).pipe(Effect.scoped)
  )
})
