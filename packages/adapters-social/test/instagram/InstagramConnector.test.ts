import { connectorTo } from "@loopbox/core/networks/Connectors"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { connected } from "../loopback.ts"
import type { Received } from "../loopback.ts"
import { accessOf, at, essence, feedOf, graph, kind, line, newest, postedIn, told } from "../meta/graph.ts"

const access = accessOf("1784", "our_account")
const media = feedOf({ step: "comments", source: "ig_comment", id: "179" })
const commentFields =
  "id,text,timestamp,username,from{id,username},parent_id,hidden,replies{id,text,timestamp,username,from{id,username},parent_id,hidden}"

const webhook = (value: object) =>
  told({ object: "instagram", entry: [{ id: "1784", time: 1_771_323_668, changes: [{ field: "comments", value }] }] })

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
      const feeds = yield* connectorTo(connectors, "instagram").listFeeds(
        access,
        "comments",
        at("2026-01-20T00:00:00Z")
      )
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
      const feeds = yield* connectorTo(connectors, "instagram").listFeeds(
        access,
        "messages",
        at("2026-01-20T00:00:00Z")
      )
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
      const feeds = yield* connectorTo(connectors, "instagram").listFeeds(
        access,
        "comments",
        at("2026-01-20T00:00:00Z")
      )
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
        const feeds = yield* connectorTo(connectors, "instagram").listFeeds(
          access,
          "comments",
          at("2026-01-20T00:00:00Z")
        )
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
      const feeds = yield* connectorTo(connectors, "instagram").listFeeds(
        access,
        "mentions",
        at("2026-01-20T00:00:00Z")
      )
      assert.deepStrictEqual([feeds, received.length], [[], 0])
      assert.deepStrictEqual(connectorTo(connectors, "instagram").pollSteps, ["comments", "messages"])
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
      const page = yield* connectorTo(connectors, "instagram").readFeed(
        access,
        { ...media, size: Option.some(5) },
        newest
      )
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
      const instagram = connectorTo(connectors, "instagram")
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
        const page = yield* connectorTo(connectors, "instagram").readFeed(access, media, newest)
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
        const page = yield* connectorTo(connectors, "instagram").readFeed(access, feed, newest)
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
        Effect.map(connectorTo(connectors, "instagram").readFeed(access, { ...media, id }, newest), ({ next }) =>
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
      const page = yield* connectorTo(connectors, "instagram").readFeed(access, media, newest)
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
      const instagram = connectorTo(connectors, "instagram")
      assert.strictEqual(kind(yield* Effect.flip(instagram.readFeed(access, media, newest))), "Rejected gone")
      const other = yield* Effect.flip(instagram.readFeed(access, { ...media, id: "1" }, newest))
      assert.deepStrictEqual([kind(other), other.detail], ["Unavailable unreadable", "missing or unreadable: data"])
    })
  )
})
