import { connectorTo } from "@loopbox/core/networks/Connectors"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { connected } from "../loopback.ts"
import { accessOf, at, essence, feedOf, graph, graphError, kind, line, newest, postedIn, told } from "../meta/graph.ts"

const access = accessOf("3708", "our.page")
const post = feedOf({ step: "comments", source: "fb_comment", id: "3708_69" })
const conversation = feedOf({ step: "messages", source: "fb_dm", id: "t_1" }, "678")
const longAgo = at("2026-01-20T00:00:00Z")

const webhook = (value: object) =>
  told({
    object: "page",
    entry: [
      {
        id: "3708",
        time: 1_771_326_060,
        changes: [{ field: "feed", value: { item: "comment", verb: "add", post_id: "3708_69", ...value } }]
      }
    ]
  })

describe("Facebook: what is there to read", () => {
  it.live("the newest posts, with the number of their comments", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(
        graph({
          "3708/published_posts": {
            data: [
              {
                id: "3708_69",
                created_time: "2026-02-17T10:00:00+0000",
                comments: { data: [], summary: { total_count: 2 } }
              },
              { id: "3708_68", created_time: "2026-02-16T10:00:00+0000" },
              { id: "3708_1", created_time: "2025-02-16T10:00:00+0000" }
            ]
          }
        })
      )
      const feeds = yield* connectorTo(connectors, "facebook").listFeeds(access, "comments", longAgo)
      assert.deepStrictEqual(
        feeds.map(({ id, items, size }) => [id, Option.getOrNull(size), Option.getOrNull(items)?.value]),
        [
          ["3708_69", 2, "3708_69"],
          ["3708_68", null, "3708_68"]
        ]
      )
      assert.deepStrictEqual(received.map(line), [
        "GET /fb/v25.0/3708/published_posts?fields=id,created_time,comments.filter(stream).summary(true).limit(0)&limit=25"
      ])
    })
  )

  it.live("the conversations that changed since, each with its newest messages", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(
        graph({
          "3708/conversations": {
            data: [
              {
                id: "t_1",
                updated_time: "2026-02-17T12:00:00+0000",
                participants: {
                  data: [
                    { id: "678", name: "Reader" },
                    { id: "3708", name: "Our Page" }
                  ]
                },
                messages: {
                  data: [
                    {
                      id: "m_2",
                      message: "With pleasure",
                      from: { id: "3708", name: "Our Page" },
                      created_time: "2026-02-17T12:00:00+0000"
                    },
                    {
                      id: "m_1",
                      message: "Can you help?",
                      from: { id: "678", name: "Reader" },
                      created_time: "2026-02-17T11:58:00+0000"
                    }
                  ],
                  paging: { cursors: { after: "M" }, next: "https://graph.example/?after=M" }
                }
              },
              { id: "t_0", updated_time: "2025-02-17T12:00:00+0000" }
            ]
          }
        })
      )
      const feeds = yield* connectorTo(connectors, "facebook").listFeeds(access, "messages", longAgo)
      assert.strictEqual(feeds.length, 1)
      const page = Option.getOrThrow(feeds[0]?.firstPage ?? Option.none())
      const messages = told({
        object: "page",
        entry: [
          {
            id: "3708",
            messaging: [
              {
                sender: { id: "3708" },
                recipient: { id: "678" },
                message: { mid: "m_2", is_echo: true, text: "With pleasure" }
              },
              { sender: { id: "678" }, recipient: { id: "3708" }, message: { mid: "m_1", text: "Can you help?" } }
            ]
          }
        ]
      })
      assert.deepStrictEqual(postedIn(page).map(essence), messages.map(essence))
      assert.deepStrictEqual(
        postedIn(page).map(({ author }) => Option.getOrNull(author.name)),
        ["Our Page", "Reader"]
      )
      assert.deepStrictEqual([page.next, page.coversFrom], [Option.some("M"), Option.some(at("2026-02-17T11:58:00Z"))])
      assert.deepStrictEqual(received.map(line), [
        "GET /fb/v25.0/3708/conversations?platform=messenger&fields=id,updated_time,participants,messages.limit(25){id,message,from,to,created_time,attachments,sticker,shares}&limit=25"
      ])
    })
  )

  it.live("no messages of a Page without messaging: that is nobody's outage", () =>
    Effect.gen(function* () {
      const { connectors } = yield* connected(graph({ "3708/conversations": () => graphError(500, 1, 99) }))
      for (let i = 0; i < 4; i++) {
        const failed = yield* Effect.flip(
          connectorTo(connectors, "facebook").listFeeds({ ...access, networkAccountId: "3708" }, "messages", longAgo)
        )
        assert.strictEqual(kind(failed), "Unavailable source")
      }
    })
  )
})

describe("Facebook: comments", () => {
  it.live("are the items that their webhooks make, their threads as far as the page tells them", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(
        graph({
          "3708_69/comments": {
            data: [
              {
                id: "69_4",
                message: "deep",
                from: { id: "678" },
                created_time: "2026-02-17T11:03:00+0000",
                parent: { id: "69_3" }
              },
              {
                id: "69_3",
                message: "Yes",
                from: { id: "3708", name: "Our Page" },
                created_time: "2026-02-17T11:02:00+0000",
                parent: { id: "69_2" },
                is_hidden: true
              },
              {
                id: "69_2",
                message: "Nice",
                from: { id: "678", name: "Reader", picture: { data: { url: "https://c.example/p.jpg" } } },
                created_time: "2026-02-17T11:01:00+0000",
                is_hidden: false
              },
              {
                id: "69_9",
                message: "",
                created_time: "2026-02-17T11:00:00+0000",
                parent: { id: "69_8" },
                attachment: { type: "sticker", media: { image: { src: "https://c.example/s.png" } } }
              },
              { id: {} }
            ],
            paging: { cursors: { after: "C" }, next: "https://graph.example/?after=C" }
          }
        })
      )
      const page = yield* connectorTo(connectors, "facebook").readFeed(access, post, newest)
      const asked = postedIn(page).map(essence)
      const chain = { ...webhook({ comment_id: "69_4", message: "deep", from: { id: "678" }, parent_id: "69_3" })[0] }
      assert.deepStrictEqual(asked[0], {
        source: "fb_comment",
        id: "69_4",
        // What its webhook leaves to be found out stands on the page.
        thread: "69_2",
        parent: Option.getOrNull(chain.parentExternalId ?? Option.none()),
        author: "678",
        isOwn: false,
        body: "deep"
      })
      assert.deepStrictEqual(
        asked.slice(1, 3).map(({ id, isOwn, thread }) => [id, thread, isOwn]),
        [
          ["69_3", "69_2", true],
          ["69_2", "69_2", false]
        ]
      )
      assert.deepStrictEqual(
        asked.slice(2),
        [
          ...webhook({
            comment_id: "69_2",
            message: "Nice",
            from: { id: "678", name: "Reader" },
            parent_id: "3708_69"
          }),
          ...webhook({ comment_id: "69_9", parent_id: "69_8", photo: "https://c.example/s.png" })
        ].map(essence)
      )
      assert.deepStrictEqual(postedIn(page)[3]?.attachments, [{ type: "image", url: "https://c.example/s.png" }])
      assert.deepStrictEqual(
        page.activities.flatMap((one) => (one._tag === "HiddenChanged" ? [[one.externalId, one.isHidden]] : [])),
        [
          ["69_3", true],
          ["69_2", false]
        ]
      )
      assert.deepStrictEqual(page.unreadable, [{ path: "data[4]", reason: "missing or unreadable: id" }])
      assert.deepStrictEqual(
        [page.next, page.coversFrom, page.read],
        [Option.some("C"), Option.some(at("2026-02-17T11:00:00Z")), 5]
      )
      assert.deepStrictEqual(received.map(line), [
        "GET /fb/v25.0/3708_69/comments?filter=stream&order=reverse_chronological&fields=id,message,from{id,name,picture},created_time,parent{id},attachment,is_hidden&limit=100"
      ])
    })
  )

  it.live("end where as many comments have come as the post counts, of all levels, and no link is given", () =>
    Effect.gen(function* () {
      const data = [{ id: "69_3", parent: { id: "69_2" } }, { id: "69_2" }]
      for (const [size, paging, next] of [
        [2, { cursors: { after: "C" } }, null],
        [3, { cursors: { after: "C" } }, "C"],
        [2, { cursors: { after: "C" }, next: "https://graph.example/?after=C" }, "C"]
      ] as const) {
        const { connectors } = yield* connected(graph({ "3708_69/comments": { data, paging } }))
        const feed = { ...post, size: Option.some(size) }
        const page = yield* connectorTo(connectors, "facebook").readFeed(access, feed, newest)
        assert.strictEqual(Option.getOrNull(page.next), next)
      }
    }).pipe(Effect.scoped)
  )

  it.live("keep an open thread where the chain bites its tail", () =>
    Effect.gen(function* () {
      const { connectors } = yield* connected(
        graph({
          "3708_69/comments": {
            data: [
              { id: "69_1", parent: { id: "69_2" } },
              { id: "69_2", parent: { id: "69_1" } }
            ]
          }
        })
      )
      const page = yield* connectorTo(connectors, "facebook").readFeed(access, post, newest)
      assert.deepStrictEqual(
        postedIn(page).map((one) => essence(one).thread),
        ["root of 69_2", "root of 69_1"]
      )
    })
  )
})

describe("Facebook: older messages", () => {
  it.live("are read from the conversation, where the first page ended", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(
        graph({
          "t_1/messages": {
            data: [
              {
                id: "m_0",
                message: "Hello",
                created_time: "2026-02-16T11:58:00+0000",
                from: {},
                to: { data: [{ id: "3708" }] }
              }
            ]
          }
        })
      )
      const page = yield* connectorTo(connectors, "facebook").readFeed(access, conversation, {
        ...newest,
        cursor: Option.some("M")
      })
      assert.deepStrictEqual(postedIn(page).map(essence), [
        { source: "fb_dm", id: "m_0", thread: "678", parent: null, author: "678", isOwn: false, body: "Hello" }
      ])
      assert.deepStrictEqual(received.map(line), [
        "GET /fb/v25.0/t_1/messages?fields=id,message,from,to,created_time,attachments,sticker,shares&limit=25&after=M"
      ])
    })
  )
})

describe("Facebook: looking up", () => {
  it.live("shows the post: its text, picture and kind", () =>
    Effect.gen(function* () {
      const shownAs = (media_type: string) => ({
        attachments: { data: [{ media_type, media: { image: { src: "https://c.example/i.jpg" } } }] }
      })
      const { connectors } = yield* connected(
        graph({
          "3708_1": {
            id: "3708_1",
            message: "New",
            full_picture: "https://c.example/f.jpg",
            created_time: "2026-02-16T08:00:00+0000",
            ...shownAs("photo")
          },
          "3708_2": { id: "3708_2", story: "Page went live", ...shownAs("video") },
          "3708_3": { id: "3708_3", ...shownAs("album") },
          "3708_4": { id: "3708_4", message: "words" },
          "3708_5": { id: "3708_5", ...shownAs("event") }
        })
      )
      const shown = Effect.fnUntraced(function* (id: string) {
        const context = yield* connectorTo(connectors, "facebook").findMediaContext(access, "fb_comment", id)
        return [context.mediaType, Option.getOrNull(context.mediaUrl), Option.getOrNull(context.caption)]
      })
      assert.deepStrictEqual(yield* shown("3708_1"), ["image", "https://c.example/f.jpg", "New"])
      assert.deepStrictEqual(yield* shown("3708_2"), ["video", "https://c.example/i.jpg", "Page went live"])
      assert.deepStrictEqual(yield* shown("3708_3"), ["carousel", "https://c.example/i.jpg", null])
      assert.deepStrictEqual(yield* shown("3708_4"), ["text", null, "words"])
      assert.deepStrictEqual(yield* shown("3708_5"), ["unknown", "https://c.example/i.jpg", null])
    })
  )

  it.live("tells what is gone, and renews no token", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(graph({ "69_1": { id: "69_1" } }))
      const facebook = connectorTo(connectors, "facebook")
      assert.isTrue(yield* facebook.isThere(access, "fb_comment", "69_1"))
      assert.isFalse(yield* facebook.isThere(access, "fb_dm", "m_1"))
      assert.deepStrictEqual(yield* facebook.refreshToken(access, Option.none()), Option.none())
      assert.strictEqual(received.length, 2)
    })
  )
})
