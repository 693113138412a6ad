import { connectorTo } from "@loopbox/core/networks/Connectors"
import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { type Behaviour, connected } from "../loopback.ts"
import { accessTo, mentionsFeed, noRequest, replyTo, uncertain } from "../support.ts"

const access = accessTo("111", "ours")

/** X, and what it was asked. */
const x = Effect.fnUntraced(function* (behave: Behaviour, settings = {}) {
  const { connectors, received } = yield* connected(behave, settings)
  return { x: connectorTo(connectors, "x"), received }
})

const problem = (type: string, detail: string, status: number) => ({
  title: "No",
  detail,
  type: `https://api.x.com/2/problems/${type}`,
  status
})

const mention = {
  id: "902",
  text: "@ours &lt;3 your https://t.co/a",
  author_id: "222",
  conversation_id: "900",
  created_at: "2026-11-21T11:59:00.000Z",
  in_reply_to_user_id: "111",
  referenced_tweets: [{ type: "replied_to", id: "900" }],
  edit_history_tweet_ids: ["901", "902"],
  entities: {
    mentions: [{ start: 0, end: 5, username: "ours", id: "111" }],
    urls: [{ start: 15, end: 30, url: "https://t.co/a", expanded_url: "https://shop.example/" }]
  }
}

describe("mentions of an account on X", () => {
  it.live("are read as webhooks bring them, asked for by what is known", () =>
    Effect.gen(function* () {
      const users = [{ id: "222", name: "Reader", username: "reader" }]
      const retweet = { id: "903", text: "RT", author_id: "222", referenced_tweets: [{ type: "retweeted", id: "1" }] }
      const body = {
        data: [retweet, mention, { id: "x".repeat(600) }],
        includes: { users },
        meta: { result_count: 3, newest_id: "903", next_token: "more" }
      }
      const { received, x: connector } = yield* x(() => ({ body }))
      const checkpoint = Option.some("800")
      const page = yield* connector.readFeed(access, mentionsFeed, {
        ...noRequest,
        checkpoint,
        cursor: Option.some("c")
      })
      const [item] = page.activities
      assert.strictEqual(item?._tag, "Posted")
      if (item?._tag !== "Posted") return
      assert.deepInclude(item, {
        externalId: "901",
        replyTargetId: "902",
        body: "@ours <3 your https://shop.example/",
        version: 1,
        isOwn: false,
        parentExternalId: Option.some("900")
      })
      assert.deepStrictEqual(item.threadKey, { _tag: "Known", key: "900" })
      assert.deepStrictEqual(item.author.name, Option.some("Reader"))
      assert.strictEqual(page.activities.length, 1)
      assert.deepStrictEqual(page.seen, ["903", "901"])
      assert.deepStrictEqual([page.read, page.suppressed, page.unreadable.length], [3, 1, 1])
      assert.deepStrictEqual(page.next, Option.some("more"))
      // The checkpoint is that of the newest page.
      assert.deepStrictEqual(page.checkpoint, Option.none())
      const query = received[0]?.query ?? new URLSearchParams()
      assert.strictEqual(received[0]?.path, "/x/2/users/111/mentions")
      assert.strictEqual(query.get("since_id"), "800")
      assert.strictEqual(query.get("pagination_token"), "c")
      assert.strictEqual(query.get("max_results"), "100")
      assert.isNull(query.get("start_time"))
      assert.strictEqual(query.get("expansions")?.split(",")[0], "author_id")
    })
  )

  it.live("are asked for what makes an item, and for no user whom nobody reads", () =>
    Effect.gen(function* () {
      const answer = { ...mention, text: "@ours nice, @ours", display_text_range: [6, 17] }
      const explicit = { start: 12, end: 17, username: "ours", id: "111" }
      const entities = { mentions: [...mention.entities.mentions, explicit] }
      // Only what is asked for comes back.
      const { received, x: connector } = yield* x(({ query }) => {
        const asked = new Set(["id", "text", ...(query.get("tweet.fields") ?? "").split(",")])
        const shown = Object.entries({ ...answer, entities }).filter(([name]) => asked.has(name))
        return { body: { data: [Object.fromEntries(shown)], meta: { result_count: 1 } } }
      })
      const { activities } = yield* connector.readFeed(access, mentionsFeed, noRequest)
      assert.deepStrictEqual(
        activities.map((one) => (one._tag === "Posted" ? Option.getOrNull(one.summons) : one._tag)),
        ["yes"]
      )
      // X bills each user that it sends.
      assert.deepStrictEqual(received[0]?.query.get("expansions")?.split(","), [
        "author_id",
        "referenced_tweets.id",
        "attachments.media_keys"
      ])
      const unread = ["in_reply_to_user_id", "reply_settings"]
      const fields = received[0]?.query.get("tweet.fields")?.split(",") ?? []
      assert.deepStrictEqual(
        fields.filter((name) => unread.includes(name)),
        []
      )
    })
  )

  it.live("leave a moment behind where there is none, and go on from it", () =>
    Effect.gen(function* () {
      const { received, x: connector } = yield* x(() => ({ body: { meta: { result_count: 0 } } }))
      const first = yield* connector.readFeed(access, mentionsFeed, { ...noRequest, limit: Option.some(2) })
      assert.strictEqual(received[0]?.query.get("max_results"), "5")
      assert.strictEqual(Option.getOrNull(first.checkpoint), `@${DateTime.formatIso(first.requestedAt)}`)
      const second = yield* connector.readFeed(access, mentionsFeed, { ...noRequest, checkpoint: first.checkpoint })
      assert.strictEqual(received[1]?.query.get("start_time"), DateTime.formatIso(first.requestedAt))
      assert.deepStrictEqual(second.checkpoint, Option.none())
      assert.deepStrictEqual(second.next, Option.none())
    })
  )

  it.live("are refused to the developer's app, unless X says that the account may not see them", () =>
    Effect.gen(function* () {
      const enrolled = { ...problem("client-forbidden", "enrol the app", 403), reason: "client-not-enrolled" }
      const word = (error: ReadFailed) => ("reason" in error ? `${error._tag} ${error.reason}` : error._tag)
      for (const [answer, expected] of [
        [{ status: 403, body: problem("not-authorized-for-resource", "no", 403) }, "AuthExpired permission"],
        [{ status: 403, body: problem("oauth2-permissions", "needs tweet.read", 403) }, "AuthExpired permission"],
        [{ status: 403, body: enrolled }, "Unavailable source"],
        [{ status: 403, body: { title: "Forbidden", detail: "Forbidden", type: "about:blank" } }, "Unavailable source"],
        [{ status: 404, body: { title: "Not Found" } }, "Unavailable source"],
        [{ status: 200, body: { errors: [problem("resource-not-found", "no", 404)] } }, "Unavailable source"],
        [{ status: 403, body: problem("client-forbidden", "your account is locked", 403) }, "Rejected blocked"],
        [{ status: 400, body: problem("invalid-request", "no", 400) }, "Rejected invalid"]
      ] as const) {
        const { x: connector } = yield* x(() => answer)
        const failed = yield* Effect.flip(connector.readFeed(access, mentionsFeed, noRequest))
        assert.strictEqual(word(failed), expected, JSON.stringify(answer))
      }
    }).pipe(Effect.scoped)
  )

  it.live("are gone only if X says so", () =>
    Effect.gen(function* () {
      const gone = { errors: [problem("resource-not-found", "no", 404)] }
      const hidden = { errors: [problem("not-authorized-for-resource", "no", 403)] }
      const { x: connector } = yield* x(({ path }) =>
        path.endsWith("/1") ? { body: gone } : path.endsWith("/2") ? { body: hidden } : { body: { data: { id: "3" } } }
      )
      assert.isFalse(yield* connector.isThere(access, "x_reply", "1"))
      assert.strictEqual((yield* Effect.flip(connector.isThere(access, "x_reply", "2")))._tag, "Rejected")
      assert.isTrue(yield* connector.isThere(access, "x_reply", "3"))
    })
  )

  it.live("hang on a post that is shown with its text and media", () =>
    Effect.gen(function* () {
      const data = {
        id: "900",
        text: "Look &amp; see https://t.co/v",
        author_id: "111",
        created_at: "2026-11-20T10:00:00.000Z",
        attachments: { media_keys: ["7_1"] },
        entities: { urls: [{ url: "https://t.co/v", media_key: "7_1" }] }
      }
      const media = [{ media_key: "7_1", type: "video", preview_image_url: "https://pbs.example/v.jpg" }]
      const includes = { media, users: [{ id: "111", username: "ours", name: "Ours" }] }
      const { x: connector } = yield* x(() => ({ body: { data, includes } }))
      assert.deepStrictEqual(yield* connector.findMediaContext(access, "x_reply", "900"), {
        id: "900",
        caption: Option.some("Look & see"),
        mediaUrl: Option.some("https://pbs.example/v.jpg"),
        timestamp: DateTime.make("2026-11-20T10:00:00.000Z"),
        mediaType: "video",
        permalink: Option.some("https://x.com/ours/status/900")
      })
    })
  )
})

describe("replies on X", () => {
  const reply = replyTo("x_reply", "902", "900")

  it.live("are one post, told as our own item", () =>
    Effect.gen(function* () {
      const data = { id: "950", text: "@reader Thank you!", edit_history_tweet_ids: ["950"] }
      const { received, x: connector } = yield* x(() => ({ status: 201, body: { data } }))
      assert.deepStrictEqual(yield* connector.prepareReply(access, reply), Option.none())
      const { posted } = yield* connector.sendReply(access, reply, Option.none())
      assert.deepInclude(posted, { externalId: "950", isOwn: true, body: "Thank you!" })
      assert.deepStrictEqual(posted.parentExternalId, Option.some("902"))
      assert.strictEqual(received.length, 1)
      assert.strictEqual(`${received[0]?.method} ${received[0]?.path}`, "POST /x/2/tweets")
      assert.deepStrictEqual(JSON.parse(received[0]?.body ?? ""), {
        text: "Thank you!",
        reply: { in_reply_to_tweet_id: "902" }
      })
    })
  )

  it.live("end as X says, and unknown where it does not say", () =>
    Effect.gen(function* () {
      const word = (error: WriteFailed) => ("reason" in error ? `${error._tag} ${error.reason}` : error._tag)
      const forbidden = (detail: string) => ({ status: 403, body: problem("client-forbidden", detail, 403) })
      const cases: ReadonlyArray<readonly [ReturnType<Behaviour>, string]> = [
        [forbidden("You are not allowed to create a Tweet with duplicate content."), "Rejected duplicate"],
        [
          forbidden("Not allowed because you have not been mentioned or otherwise engaged by the author."),
          "Rejected not_eligible"
        ],
        [{ status: 429, headers: { "x-rate-limit-reset": "1" }, body: { title: "Too Many Requests" } }, "RateLimited"],
        [{ status: 401, body: { title: "Unauthorized" } }, "AuthExpired token"],
        [{ status: 402, body: { title: "CreditsDepleted" } }, "Unavailable source"],
        [{ status: 403, body: problem("oauth1-permissions", "needs tweet.write", 403) }, "AuthExpired permission"],
        [{ status: 400, body: problem("invalid-request", "no", 400) }, "Rejected invalid"],
        [{ status: 500, body: {} }, "OutcomeUnknown"],
        [{ status: 409, body: {} }, "OutcomeUnknown"],
        [{ status: 201, body: "<html>" }, "OutcomeUnknown"],
        [{ status: 201, body: { data: {} } }, "OutcomeUnknown"],
        ["cut", "OutcomeUnknown"],
        ["reset", "OutcomeUnknown"],
        [undefined, "OutcomeUnknown"]
      ]
      for (const [answer, expected] of cases) {
        // Only who never answers is waited for: a busy machine is slow.
        const timeLimit = answer === undefined ? "200 millis" : "10 seconds"
        const { received, x: connector } = yield* x(() => answer, { timeLimit })
        const failed = yield* Effect.flip(connector.sendReply(access, reply, Option.none()))
        assert.strictEqual(word(failed), expected, JSON.stringify(answer))
        assert.strictEqual(received.length, 1)
      }
    }).pipe(Effect.scoped)
  )

  it.live("are looked for among the account's own, and by search where they are not there yet", () =>
    Effect.gen(function* () {
      const own = (id: string, target: string, at: string) => ({
        id,
        text: "@reader Thank you!",
        created_at: at,
        conversation_id: "900",
        referenced_tweets: [{ type: "replied_to", id: target }]
      })
      const late = own("953", "902", "2024-11-21T12:01:05.000Z")
      const others = [own("952", "899", "2024-11-21T12:01:02.000Z"), own("940", "902", "2024-11-21T11:00:00.000Z")]
      const { received, x: connector } = yield* x(({ path }) => ({
        body: path.endsWith("/recent") ? { data: [late], meta: {} } : { data: others, meta: {} }
      }))
      const look = yield* connector.findReply(access, uncertain(reply))
      assert.strictEqual(look._tag, "Candidates")
      if (look._tag !== "Candidates") return
      assert.deepStrictEqual(
        look.posted.map(({ externalId, isOwn }) => [externalId, isOwn]),
        [["953", true]]
      )
      assert.strictEqual(received[0]?.path, "/x/2/users/111/tweets")
      assert.strictEqual(received[0]?.query.get("since_id"), "902")
      assert.strictEqual(received[1]?.query.get("query"), "from:ours in_reply_to_tweet_id:902")
    })
  )
})

describe("tokens of X", () => {
  const xClient = { id: "client", secret: Redacted.make("of-the-app") }
  const old = Option.some(Redacted.make("refresh-1"))

  it.live("are renewed by a refresh token that rotates", () =>
    Effect.gen(function* () {
      const body = { token_type: "bearer", expires_in: 7200, access_token: "new", refresh_token: "refresh-2" }
      const { received, x: connector } = yield* x(() => ({ body }), { xClient })
      const renewed = Option.getOrThrow(yield* connector.refreshToken(access, old))
      assert.strictEqual(Redacted.value(renewed.accessToken), "new")
      assert.strictEqual(Redacted.value(Option.getOrThrow(renewed.refreshToken)), "refresh-2")
      assert.isTrue(Option.isSome(renewed.expiresAt))
      assert.strictEqual(received[0]?.path, "/x/2/oauth2/token")
      assert.strictEqual(
        received[0]?.headers.authorization,
        `Basic ${Buffer.from("client:of-the-app").toString("base64")}`
      )
      const form = new URLSearchParams(received[0]?.body)
      assert.deepStrictEqual([form.get("grant_type"), form.get("refresh_token")], ["refresh_token", "refresh-1"])
    })
  )

  it.live("are renewed for a public client by its id alone", () =>
    Effect.gen(function* () {
      const body = { token_type: "bearer", expires_in: 7200, access_token: "new", refresh_token: "refresh-2" }
      const { received, x: connector } = yield* x(() => ({ body }), { xClient: { id: "client" } })
      yield* connector.refreshToken(access, old)
      assert.isUndefined(received[0]?.headers.authorization)
      assert.strictEqual(new URLSearchParams(received[0]?.body).get("client_id"), "client")
    })
  )

  it.live("are dead when X says so, and not when our app is at fault", () =>
    Effect.gen(function* () {
      const failing = Effect.fnUntraced(function* (status: number, error: string) {
        const { x: connector } = yield* x(() => ({ status, body: { error } }), { xClient })
        return (yield* Effect.flip(connector.refreshToken(access, old)))._tag
      })
      assert.strictEqual(yield* failing(400, "invalid_request"), "AuthExpired")
      assert.strictEqual(yield* failing(401, "invalid_client"), "Unavailable")
      const { received, x: without } = yield* x(() => ({}))
      assert.deepStrictEqual(yield* without.refreshToken(access, old), Option.none())
      assert.strictEqual(received.length, 0)
    }).pipe(Effect.scoped)
  )
})
