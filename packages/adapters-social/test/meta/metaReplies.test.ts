import { connectorTo } from "@loopbox/core/networks/Connectors"
import type { Reply, ReplyLook } from "@loopbox/core/networks/Reply"
import type { Source } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { appsecretProof } from "../../src/payloads/signature.ts"
import { accessOf, at, essence, graph, graphError, kind, line, told } from "./graph.ts"
import { connected, serve } from "../loopback.ts"
import type { Answer, Behaviour } from "../loopback.ts"

const access = accessOf("1784", "our_account")

const replyTo = (source: Source, threadKey: string): Reply => ({
  source,
  target: { externalId: "12", replyTargetId: "12", threadKey, linkedPostId: Option.some("1784_69") },
  text: "Yes & ü 🚀",
  operationId: "op_1"
})

const networkOf = (source: Source) => (source.startsWith("ig") ? "instagram" : "facebook")

const sent = Effect.fnUntraced(function* (
  behave: Behaviour,
  source: Source,
  threadKey: string,
  more: Partial<Reply> = {}
) {
  const metaAppSecrets = [Redacted.make("secret")]
  const { connectors, received } = yield* connected(behave, { metaAppSecrets })
  const connector = connectorTo(connectors, networkOf(source))
  assert.deepStrictEqual(yield* connector.prepareReply(access, replyTo(source, threadKey)), Option.none())
  const { posted } = yield* connector.sendReply(access, { ...replyTo(source, threadKey), ...more }, Option.none())
  return { posted, request: received[0], count: received.length }
})

const proof = `appsecret_proof=${appsecretProof(Redacted.make("secret"), access.accessToken)}`

describe("a reply is sent as its network wants it", () => {
  it.live("to the top comment of Instagram, as a form", () =>
    Effect.gen(function* () {
      const { count, posted, request } = yield* sent(graph({ "10/replies": { id: 178 } }), "ig_comment", "10")
      assert.strictEqual(count, 1)
      assert.strictEqual(request === undefined ? "" : line(request), "POST /ig/v25.0/10/replies")
      assert.strictEqual(request?.headers["content-type"], "application/x-www-form-urlencoded")
      assert.deepStrictEqual([...new URLSearchParams(request?.body)], [["message", "Yes & ü 🚀"]])
      const [echo] = told({
        object: "instagram",
        entry: [
          {
            id: "1784",
            changes: [
              {
                field: "comments",
                value: {
                  id: "178",
                  text: "Yes & ü 🚀",
                  parent_id: "10",
                  from: { id: "1784" },
                  media: { id: "1784_69" }
                }
              }
            ]
          }
        ]
      })
      assert.deepStrictEqual(essence(posted), echo === undefined ? undefined : essence(echo))
    })
  )

  it.live("to a person on Instagram, as JSON", () =>
    Effect.gen(function* () {
      const answer = { recipient_id: "551", message_id: "m_new" }
      const { posted, request } = yield* sent(graph({ "me/messages": answer }), "ig_dm", "551")
      assert.strictEqual(request === undefined ? "" : line(request), "POST /ig/v25.0/me/messages")
      assert.deepStrictEqual(JSON.parse(request?.body ?? ""), {
        recipient: { id: "551" },
        message: { text: "Yes & ü 🚀" }
      })
      const [echo] = told({
        object: "instagram",
        entry: [
          {
            id: "1784",
            messaging: [
              {
                sender: { id: "1784" },
                recipient: { id: "551" },
                message: { mid: "m_new", text: "Yes & ü 🚀", is_echo: true }
              }
            ]
          }
        ]
      })
      assert.deepStrictEqual(essence(posted), echo === undefined ? undefined : essence(echo))
    })
  )

  for (const source of ["ig_dm", "fb_dm"] as const) {
    it.live(`to a person by a person on ${source}, with the tag that Meta asks for`, () =>
      Effect.gen(function* () {
        const place = source === "ig_dm" ? "me/messages" : "1784/messages"
        const answers = graph({ [place]: { recipient_id: "551", message_id: "m_new" } })
        const { request } = yield* sent(answers, source, "551", { tag: "human_agent" })
        assert.deepInclude(JSON.parse(request?.body ?? ""), { messaging_type: "MESSAGE_TAG", tag: "HUMAN_AGENT" })
      })
    )
  }

  for (const source of ["ig_dm", "fb_dm"] as const) {
    it.live(`with a file in place of words on ${source}, from its address`, () =>
      Effect.gen(function* () {
        const place = source === "ig_dm" ? "me/messages" : "1784/messages"
        const answers = graph({ [place]: { recipient_id: "551", message_id: "m_new" } })
        const media = { kind: "video", link: "https://files.test/1?signature=s" } as const
        const { posted, request } = yield* sent(answers, source, "551", { text: "", media })
        const { message } = JSON.parse(request?.body ?? "")
        assert.deepStrictEqual(message, {
          attachment: { type: "video", payload: { url: media.link } },
          ...(source === "fb_dm" ? { metadata: "op_1" } : {})
        })
        assert.deepStrictEqual([posted.body, posted.attachments], ["", [{ type: "video", url: null }]])
      })
    )
  }

  it.live("with a picture beside words or without any to a comment of Facebook", () =>
    Effect.gen(function* () {
      const media = { kind: "image", link: "https://files.test/1?signature=s" } as const
      for (const text of ["Look", ""]) {
        const answers = graph({ "69_1/comments": { id: "69_5" } })
        const { posted, request } = yield* sent(answers, "fb_comment", "69_1", { text, media })
        assert.deepStrictEqual(Object.fromEntries(new URLSearchParams(request?.body)), {
          ...(text === "" ? {} : { message: text }),
          attachment_url: media.link
        })
        assert.deepStrictEqual([posted.body, posted.attachments], [text, [{ type: "image", url: null }]])
      }
    })
  )

  it.live("to the top comment of Facebook, as a form, with the app's proof", () =>
    Effect.gen(function* () {
      const { posted, request } = yield* sent(graph({ "69_1/comments": { id: "69_5" } }), "fb_comment", "69_1")
      assert.strictEqual(request === undefined ? "" : line(request), `POST /fb/v25.0/69_1/comments?${proof}`)
      assert.deepStrictEqual([...new URLSearchParams(request?.body)], [["message", "Yes & ü 🚀"]])
      assert.deepStrictEqual(essence(posted), {
        source: "fb_comment",
        id: "69_5",
        thread: "69_1",
        parent: "69_1",
        author: "1784",
        isOwn: true,
        body: "Yes & ü 🚀"
      })
    })
  )

  it.live("to a person on Messenger, as JSON that carries the operation", () =>
    Effect.gen(function* () {
      const answer = { recipient_id: "678", message_id: "m_new" }
      const { posted, request } = yield* sent(graph({ "1784/messages": answer }), "fb_dm", "678")
      assert.strictEqual(request === undefined ? "" : line(request), `POST /fb/v25.0/1784/messages?${proof}`)
      assert.deepStrictEqual(JSON.parse(request?.body ?? ""), {
        recipient: { id: "678" },
        messaging_type: "RESPONSE",
        message: { text: "Yes & ü 🚀", metadata: "op_1" }
      })
      const [echo] = told({
        object: "page",
        entry: [
          {
            id: "1784",
            messaging: [
              {
                sender: { id: "1784" },
                recipient: { id: "678" },
                message: { mid: "m_new", text: "Yes & ü 🚀", is_echo: true, metadata: "op_1" }
              }
            ]
          }
        ]
      })
      assert.deepStrictEqual(essence(posted), echo === undefined ? undefined : essence(echo))
      assert.deepStrictEqual(posted.operationTag, echo?.operationTag)
    })
  )
})

/** How a reply to a server that behaves so ends, and how many requests it saw. */
const outcomeOf = Effect.fnUntraced(function* (behave: Behaviour) {
  const { connectors, received } = yield* connected(behave)
  const failed = yield* Effect.flip(
    connectorTo(connectors, "facebook").sendReply(access, replyTo("fb_dm", "678"), Option.none())
  )
  return [kind(failed), received.length] as const
}, Effect.scoped)

const always =
  (answer: Answer): Behaviour =>
  () =>
    answer

describe("a reply that was not answered with yes (§3.2, §8)", () => {
  it.live("is unknown where nothing proves that it was not posted", () =>
    Effect.gen(function* () {
      for (const answer of [
        graphError(400, 1),
        graphError(400, 2),
        graphError(500, 1, 1_357_046),
        graphError(400, 77, undefined, { is_transient: true }),
        graphError(503, 10, 2_018_278),
        graphError(409, 100),
        { status: 500, body: {} },
        { status: 408, body: {} },
        { status: 425, body: {} },
        { status: 200, body: {} },
        { status: 200, body: { recipient_id: "678" } },
        { status: 200, body: { error: { message: "?" } } },
        { status: 200, body: "<html>" }
      ]) {
        assert.deepStrictEqual(yield* outcomeOf(always(answer)), ["OutcomeUnknown", 1], JSON.stringify(answer))
      }
      assert.deepStrictEqual(yield* outcomeOf(() => "reset"), ["OutcomeUnknown", 1])
      assert.deepStrictEqual(yield* outcomeOf(() => "cut"), ["OutcomeUnknown", 1])
    })
  )

  it.live("is unknown where Meta gives a code below 1, which it explains nowhere", () =>
    Effect.gen(function* () {
      for (const answer of [graphError(400, -1), graphError(400, 0), graphError(403, -3, 7)]) {
        assert.deepStrictEqual(yield* outcomeOf(always(answer)), ["OutcomeUnknown", 1], JSON.stringify(answer))
      }
    })
  )

  it.live("is refused as the network says", () =>
    Effect.gen(function* () {
      for (const [answer, expected] of [
        [graphError(400, 10, 2_018_278), "Rejected window_closed"],
        [graphError(400, 10, 2_534_022), "Rejected window_closed"],
        [graphError(403, 200, 1_545_041), "Rejected unreachable"],
        [graphError(400, 100, 2_018_001), "Rejected unreachable"],
        [graphError(400, 100, 33), "Rejected gone"],
        [graphError(400, 100), "Rejected invalid"],
        [graphError(400, 368), "Rejected blocked"],
        [graphError(400, 190, 460), "AuthExpired token"],
        [graphError(403, 10), "AuthExpired permission"],
        [graphError(403, 4, undefined, { is_transient: true }), "RateLimited"],
        [graphError(400, 613), "RateLimited"],
        [{ status: 429, body: "slow down" }, "RateLimited"],
        [{ status: 404, body: "<html>" }, "Unavailable unreadable"]
      ] as const) {
        assert.deepStrictEqual(yield* outcomeOf(always(answer)), [expected, 1], JSON.stringify(answer))
      }
    })
  )

  it.live("was not sent where nobody listens", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(serve(always({})))
      const { connectors, received } = yield* connected(always({}), { baseUrls: { facebook: url } })
      const failed = yield* Effect.flip(
        connectorTo(connectors, "facebook").sendReply(access, replyTo("fb_dm", "678"), Option.none())
      )
      assert.deepStrictEqual([kind(failed), received.length], ["Unavailable upstream", 0])
    })
  )
})

describe("an uncertain reply is looked for", () => {
  const attemptedAt = at("2026-02-17T12:00:00Z")
  const found = Effect.fnUntraced(function* (behave: Behaviour, source: Source, threadKey: string) {
    const { connectors, received } = yield* connected(behave)
    const look: ReplyLook = yield* connectorTo(connectors, networkOf(source)).findReply(access, {
      reply: replyTo(source, threadKey),
      preparation: Option.none(),
      attemptedAt
    })
    assert.strictEqual(look._tag, "Candidates")
    const posted = look._tag === "Candidates" ? look.posted : []
    return { found: posted.map(essence), asked: received.map((one) => decodeURIComponent(line(one))) }
  })
  const own = { id: "1784" }
  const minute = (minutes: number) => DateTime.formatIso(DateTime.add(attemptedAt, { minutes })).replace("Z", "+0000")

  it.live("among the replies to Instagram's comment, oldest first", () =>
    Effect.gen(function* () {
      const data = [
        { id: "1", text: "b", timestamp: minute(2), username: "our_account" },
        { id: "2", text: "a", timestamp: minute(-1), from: own },
        { id: "3", text: "early", timestamp: minute(-2), from: own },
        { id: "4", text: "theirs", timestamp: minute(1), from: { id: "551" } }
      ]
      const look = yield* found(graph({ "10/replies": { data } }), "ig_comment", "10")
      assert.deepStrictEqual(
        look.found.map(({ id, parent, thread }) => [id, thread, parent]),
        [
          ["2", "10", "10"],
          ["1", "10", "10"]
        ]
      )
      assert.deepStrictEqual(look.asked, [
        "GET /ig/v25.0/10/replies?fields=id,text,timestamp,username,from{id,username},parent_id,hidden&limit=50"
      ])
    })
  )

  it.live("in the conversation on Instagram", () =>
    Effect.gen(function* () {
      const conversation = (id: string, person: string) => ({
        id,
        updated_time: minute(1),
        participants: { data: [own, { id: person }] }
      })
      const data = [
        { id: "m_1", message: "Yes", created_time: minute(0), from: own, to: { data: [{ id: "551" }] } },
        { id: "m_0", message: "Hi", created_time: minute(0), from: { id: "551" } }
      ]
      const look = yield* found(
        graph({
          "me/conversations": { data: [conversation("c9", "559"), conversation("c1", "551")] },
          c1: { id: "c1", messages: { data } }
        }),
        "ig_dm",
        "551"
      )
      assert.deepStrictEqual(
        look.found.map(({ id, thread }) => [id, thread]),
        [["m_1", "551"]]
      )
      assert.strictEqual(
        look.asked[0],
        "GET /ig/v25.0/me/conversations?platform=instagram&user_id=551&fields=id,updated_time,participants{id,username}&limit=25"
      )
      assert.strictEqual(look.asked.length, 2)
    })
  )

  it.live("below Facebook's comment, page by page until the time of the attempt", () =>
    Effect.gen(function* () {
      const page = (id: string, minutes: number, after: string): Answer => ({
        body: {
          data: [{ id, message: id, from: own, created_time: minute(minutes), parent: { id: "69_1" } }],
          paging: { cursors: { after }, next: "https://graph.example/" }
        }
      })
      const look = yield* found(
        ({ query }) => {
          const after = query.get("after")
          if (after === null) return page("69_9", 3, "A")
          return after === "A" ? page("69_8", 1, "B") : page("69_7", -2, "C")
        },
        "fb_comment",
        "69_1"
      )
      assert.deepStrictEqual(
        look.found.map(({ id, thread }) => [id, thread]),
        [
          ["69_8", "69_1"],
          ["69_9", "69_1"]
        ]
      )
      assert.strictEqual(look.asked.length, 3)
    })
  )

  it.live("in the conversation on Messenger, in one call", () =>
    Effect.gen(function* () {
      const data = [{ id: "m_1", message: "Yes", created_time: minute(0), from: own, to: { data: [{ id: "678" }] } }]
      const look = yield* found(
        graph({
          "1784/conversations": {
            data: [{ id: "t_1", participants: { data: [{ id: "678" }, own] }, messages: { data } }]
          }
        }),
        "fb_dm",
        "678"
      )
      assert.deepStrictEqual(
        look.found.map(({ id }) => id),
        ["m_1"]
      )
      assert.strictEqual(look.asked.length, 1)
      assert.isTrue(look.asked[0]?.includes("platform=messenger&user_id=678&") === true)
    })
  )
})
