import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { connected } from "../loopback.ts"
import type { Received } from "../loopback.ts"
import { accessOf, at, essence, feedOf, graph, graphError, kind, line, newest, postedIn, told } from "../graph.ts"

const access = accessOf("1784", "our_account")
const media = feedOf({ step: "comments", source: "ig_comment", id: "179" })
const conversation = feedOf({ step: "messages", source: "ig_dm", id: "aWdfZAG06=" }, "551")
const commentFields =
  "id,text,timestamp,username,from{id,username},parent_id,hidden,replies{id,text,timestamp,username,from{id,username},parent_id,hidden}"

const webhook = (value: object) =>
  told({ object: "instagram", entry: [{ id: "1784", time: 1_771_323_668, changes: [{ field: "comments", value }] }] })

const direct = (element: object) =>
  told({ object: "instagram", entry: [{ id: "1784", time: 1_771_323_668_000, messaging: [element] }] })

describe("Instagram: what is there to read", () => {
  it.live("the newest posts, those that were written since", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(
        graph({
          "1784/media": {
            data: [
              { id: "179", timestamp: "2026-02-17T10:00:00+0000", comments_count: 3 },
              { id: 178, timestamp: "2026-02-16T10:00:00+0000" },
              { timestamp: "2026-02-16T10:00:00+0000" },
              { id: "1", timestamp: "2025-02-16T10:00:00+0000" }
            ]
          }
        })
      )
      const feeds = yield* connectors.byNetwork.instagram.listFeeds(access, "comments", at("2026-01-20T00:00:00Z"))
      assert.deepStrictEqual(
        feeds.map(({ id, items, size, source }) => [id, source, Option.getOrNull(size), Option.getOrNull(items)]),
        [
          ["179", "ig_comment", 3, { by: "linkedPostId", value: "179" }],
          ["178", "ig_comment", null, { by: "linkedPostId", value: "178" }]
        ]
      )
      assert.deepStrictEqual(received.map(line), [
        "GET /ig/v25.0/1784/media?fields=id,timestamp,comments_count&limit=25"
      ])
    })
  )

  it.live("the conversations that changed since, by the other party", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(
        graph({
          "me/conversations": {
            data: [
              {
                id: "aWdfZAG06=",
                updated_time: "2026-02-17T10:31:00+0000",
                participants: {
                  data: [
                    { id: "99", username: "OUR_account" },
                    { id: "551", username: "reader" }
                  ]
                }
              },
              { id: "b", updated_time: "2026-02-17T10:30:00+0000" },
              { id: "old", updated_time: "2025-12-01T10:30:00+0000" }
            ]
          }
        })
      )
      const feeds = yield* connectors.byNetwork.instagram.listFeeds(access, "messages", at("2026-01-20T00:00:00Z"))
      assert.deepStrictEqual(
        feeds.map(({ id, items, updatedAt }) => [
          id,
          Option.getOrNull(items),
          Option.getOrNull(Option.map(updatedAt, DateTime.formatIso))
        ]),
        [
          ["aWdfZAG06=", { by: "threadKey", value: "551" }, "2026-02-17T10:31:00.000Z"],
          ["b", null, "2026-02-17T10:30:00.000Z"]
        ]
      )
      assert.deepStrictEqual(received.map(line), [
        "GET /ig/v25.0/me/conversations?platform=instagram&fields=id,updated_time,participants{id,username}&limit=25"
      ])
    })
  )

  it.live("in pages, where the network's are small, and never more than 25", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(
        graph({
          "1784/media": ({ query }: Received) => {
            const from = Number(query.get("after") ?? "0")
            const data = Array.from({ length: 10 }, (_, i) => ({ id: String(from + i + 1) }))
            return { body: { data, paging: { next: `https://x.example/?after=${from + 10}` } } }
          }
        })
      )
      const feeds = yield* connectors.byNetwork.instagram.listFeeds(access, "comments", at("2026-01-20T00:00:00Z"))
      assert.deepStrictEqual([feeds.length, feeds[24]?.id, received.length], [25, "25", 3])
    })
  )

  it.live("in pages also where no link says so, and no further than links say where they do", () =>
    Effect.gen(function* () {
      const listed = Effect.fnUntraced(function* (nextOf: (from: number) => object) {
        const { connectors, received } = yield* connected(
          graph({
            "1784/media": ({ query }: Received) => {
              const from = Number(query.get("after") ?? "0")
              const data = Array.from({ length: Math.max(0, Math.min(4, 8 - from)) }, (_, i) => ({ id: `${from + i}` }))
              return { body: { data, paging: { cursors: { after: `${from + data.length}` }, ...nextOf(from) } } }
            }
          })
        )
        const feeds = yield* connectors.byNetwork.instagram.listFeeds(access, "comments", at("2026-01-20T00:00:00Z"))
        return [feeds.length, received.length]
      })
      assert.deepStrictEqual(yield* listed(() => ({})), [8, 3])
      assert.deepStrictEqual(
        yield* listed((from) => (from === 0 ? { next: "https://x.example/?after=4" } : {})),
        [8, 2]
      )
    }).pipe(Effect.scoped)
  )

  it.live("nothing of steps that are of other networks", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(graph({}))
      const feeds = yield* connectors.byNetwork.instagram.listFeeds(access, "mentions", at("2026-01-20T00:00:00Z"))
      assert.deepStrictEqual([feeds, received.length], [[], 0])
      assert.deepStrictEqual(connectors.byNetwork.instagram.pollSteps, ["comments", "messages"])
    })
  )
})

describe("Instagram: comments", () => {
  it.live("are the items that their webhooks make", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(
        graph({
          "179/comments": {
            data: [
              {
                id: "10",
                text: "Nice!\u0000",
                timestamp: "2026-02-17T10:21:08+0000",
                username: "reader_one",
                from: { id: 551, username: "reader_one" },
                hidden: false,
                replies: {
                  data: [
                    {
                      id: "11",
                      text: "Thanks",
                      timestamp: "2026-02-17T10:25:00+0000",
                      from: { id: "1784", username: "our_account" },
                      parent_id: "10"
                    },
                    { id: "12", text: "You too", timestamp: "2026-02-17T10:26:00+0000", username: "Our_Account" },
                    { text: "without an id" }
                  ]
                }
              },
              { id: "20", timestamp: "2026-02-17T09:00:00+0000", username: "reader_two", hidden: true }
            ],
            paging: { cursors: { before: "B", after: "A" } }
          }
        })
      )
      const page = yield* connectors.byNetwork.instagram.readFeed(access, { ...media, size: Option.some(5) }, newest)
      const from = { id: "551", username: "reader_one" }
      const own = { id: "1784", username: "our_account" }
      assert.deepStrictEqual(postedIn(page).map(essence), [
        ...webhook({ id: "10", text: "Nice!\u0000", from, media: { id: "179" } }).map(essence),
        ...webhook({ id: "11", text: "Thanks", from: own, parent_id: "10", media: { id: "179" } }).map(essence),
        ...webhook({ id: "12", text: "You too", from: own, parent_id: "10", media: { id: "179" } }).map(essence),
        ...webhook({ id: "20", media: { id: "179" } }).map(essence)
      ])
      assert.deepStrictEqual(
        postedIn(page).map(({ author, linkedPostId, receivedAt }) => [
          Option.getOrNull(author.username),
          Option.getOrNull(linkedPostId),
          DateTime.formatIso(receivedAt)
        ]),
        [
          ["reader_one", "179", "2026-02-17T10:21:08.000Z"],
          ["our_account", "179", "2026-02-17T10:25:00.000Z"],
          ["Our_Account", "179", "2026-02-17T10:26:00.000Z"],
          ["reader_two", "179", "2026-02-17T09:00:00.000Z"]
        ]
      )
      assert.deepStrictEqual(
        page.activities.flatMap((one) =>
          one._tag === "HiddenChanged" ? [[one.externalId, one.isHidden, one.asOf === page.requestedAt]] : []
        ),
        [
          ["10", false, true],
          ["20", true, true]
        ]
      )
      assert.deepStrictEqual(page.seen, ["10", "11", "12", "20"])
      assert.deepStrictEqual(page.unreadable, [
        { path: "data[0].replies.data[2]", reason: "missing or unreadable: id" }
      ])
      assert.strictEqual(page.read, 5)
      assert.deepStrictEqual([page.next, page.coversFrom], [Option.none(), Option.none()])
      assert.deepStrictEqual(received.map(line), [`GET /ig/v25.0/179/comments?fields=${commentFields}&limit=50`])
    })
  )

  it.live("go on at the cursor, and never where a link leads", () =>
    Effect.gen(function* () {
      const elsewhere = yield* connected(graph({}))
      const { connectors, received } = yield* connected(
        graph({
          "179/comments": ({ query }: Received) => ({
            body:
              query.get("after") === null
                ? {
                    data: [{ id: "10", timestamp: "2026-02-17T10:21:08+0000" }],
                    paging: { cursors: { after: "a=/b" }, next: `${elsewhere.url}/ig/v25.0/179/comments?after=a` }
                  }
                : { data: [], paging: {} }
          })
        })
      )
      const { instagram } = connectors.byNetwork
      const first = yield* instagram.readFeed(access, media, { ...newest, limit: Option.some(5) })
      assert.deepStrictEqual(first.next, Option.some("a=/b"))
      assert.deepStrictEqual(first.coversFrom, Option.some(at("2026-02-17T10:21:08Z")))
      const last = yield* instagram.readFeed(access, media, { ...newest, cursor: first.next })
      assert.deepStrictEqual([last.next, last.coversFrom, last.activities], [Option.none(), Option.none(), []])
      assert.deepStrictEqual(
        received.map(({ query }) => [query.get("limit"), query.get("after")]),
        [
          ["5", null],
          ["50", "a=/b"]
        ]
      )
      assert.strictEqual(elsewhere.received.length, 0)
    })
  )

  it.live("go on at a cursor without a link, and where only the link has one", () =>
    Effect.gen(function* () {
      const comment = { id: "10", timestamp: "2026-02-17T10:21:08+0000" }
      for (const [data, paging, next] of [
        [[comment], { cursors: { after: "A" } }, "A"],
        [[], { cursors: { after: "A" } }, null],
        [[comment], { next: "https://graph.example/x?limit=1&after=L" }, "L"],
        [[comment], {}, null]
      ] as const) {
        const { connectors } = yield* connected(graph({ "179/comments": { data, paging } }))
        const page = yield* connectors.byNetwork.instagram.readFeed(access, media, newest)
        assert.strictEqual(Option.getOrNull(page.next), next)
      }
    }).pipe(Effect.scoped)
  )

  it.live("end where all that the post counts has come, unless a link says otherwise", () =>
    Effect.gen(function* () {
      const cursors = { after: "A" }
      const data = [{ id: "10", replies: { data: [{ id: "11" }], paging: { cursors } } }]
      for (const [size, paging, next, requests] of [
        [2, { cursors }, null, 1],
        [3, { cursors }, "A", 2],
        [2, { cursors, next: "https://graph.example/x?after=A" }, "A", 1]
      ] as const) {
        const { connectors, received } = yield* connected(
          graph({ "179/comments": { data, paging }, "10/replies": { data: [] } })
        )
        const feed = { ...media, size: Option.some(size) }
        const page = yield* connectors.byNetwork.instagram.readFeed(access, feed, newest)
        assert.deepStrictEqual([Option.getOrNull(page.next), received.length], [next, requests])
      }
    }).pipe(Effect.scoped)
  )

  it.live("end at a page without a link once any page of comments had one, but not before", () =>
    Effect.gen(function* () {
      const cursors = { after: "A" }
      const linked = { cursors, next: "https://graph.example/x?after=A" }
      const { connectors } = yield* connected(
        graph({
          "179/comments": { data: [{ id: "10" }], paging: { cursors } },
          "180/comments": { data: [{ id: "20" }], paging: linked }
        })
      )
      const nextOf = (id: string) =>
        Effect.map(connectors.byNetwork.instagram.readFeed(access, { ...media, id }, newest), ({ next }) =>
          Option.getOrNull(next)
        )
      const nexts = yield* Effect.forEach(["179", "180", "179", "180"], nextOf)
      assert.deepStrictEqual(nexts, ["A", "A", null, "A"])
    }).pipe(Effect.scoped)
  )

  it.live("bring all of their replies", () =>
    Effect.gen(function* () {
      const reply = (id: string) => ({ id, text: id, from: { id: "551" } })
      const more = { cursors: { after: "R1" }, next: "https://graph.example/next" }
      const { connectors, received } = yield* connected(
        graph({
          "179/comments": { data: [{ id: "10", replies: { data: [reply("11")], paging: more } }] },
          "10/replies": ({ query }: Received) => ({
            body:
              query.get("after") === "R1"
                ? { data: [reply("12")], paging: { ...more, cursors: { after: "R2" } } }
                : { data: [reply("13")] }
          })
        })
      )
      const page = yield* connectors.byNetwork.instagram.readFeed(access, media, newest)
      assert.deepStrictEqual(page.seen, ["10", "11", "12", "13"])
      assert.deepStrictEqual(
        postedIn(page).map((posted) => essence(posted).thread),
        ["10", "10", "10", "10"]
      )
      assert.deepStrictEqual(
        received.slice(1).map(({ path, query }) => [path, query.get("after")]),
        [
          ["/ig/v25.0/10/replies", "R1"],
          ["/ig/v25.0/10/replies", "R2"]
        ]
      )
    })
  )

  it.live("of a post that is gone are refused, and an answer of another shape is named", () =>
    Effect.gen(function* () {
      const { connectors } = yield* connected(graph({ "1/comments": { data: {} } }))
      const { instagram } = connectors.byNetwork
      assert.strictEqual(kind(yield* Effect.flip(instagram.readFeed(access, media, newest))), "Rejected gone")
      const other = yield* Effect.flip(instagram.readFeed(access, { ...media, id: "1" }, newest))
      assert.deepStrictEqual([kind(other), other.detail], ["Unavailable unreadable", "missing or unreadable: data"])
    })
  )
})

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
      const page = yield* connectors.byNetwork.instagram.readFeed(access, conversation, newest)
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
          "GET /ig/v25.0/aWdfZAG06=?fields=messages{id,created_time,from,to,message,attachments,reply_to,is_unsupported}"
        ]
      )
    })
  )

  it.live("are empty where there are none", () =>
    Effect.gen(function* () {
      const { connectors } = yield* connected(graph({ "aWdfZAG06=": { id: "aWdfZAG06=" } }))
      const page = yield* connectors.byNetwork.instagram.readFeed(access, conversation, newest)
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
      const { instagram } = connectors.byNetwork
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
        const post = yield* connectors.byNetwork.instagram.findMediaContext(access, "ig_comment", id)
        return [post.id, post.mediaType, Option.getOrNull(post.mediaUrl), Option.getOrNull(post.caption)]
      })
      assert.deepStrictEqual(yield* shown("1"), ["1", "carousel", "https://c.example/t.jpg", "New"])
      assert.deepStrictEqual(yield* shown("2"), ["2", "video", "https://c.example/t.jpg", null])
      assert.deepStrictEqual(yield* shown("3"), ["3", "image", "https://c.example/i.jpg", null])
      assert.deepStrictEqual(yield* shown("4"), ["4", "unknown", null, null])
      const gone = yield* Effect.flip(connectors.byNetwork.instagram.findMediaContext(access, "ig_comment", "5"))
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
      const { instagram } = connectors.byNetwork
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
      const renewed = yield* connectors.byNetwork.instagram.refreshToken(access, Option.none())
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
        Effect.flip(connectors.byNetwork.instagram.refreshToken(access, Option.none()))
      assert.strictEqual(kind(yield* refresh(dead)), "AuthExpired token")
      assert.strictEqual(kind(yield* refresh(empty)), "Unavailable unreadable")
    }).pipe(Effect.scoped)
  )
})
