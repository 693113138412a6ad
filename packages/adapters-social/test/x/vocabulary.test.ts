import { connectorTo } from "@loopbox/core/networks/Connectors"
import { normaliseX } from "@loopbox/adapters-social"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { corpus, sampleJson, samplesOf } from "../corpus.ts"
import { arrivedAt, bytesOf, fixtureJson, fixtures } from "../fixtures.ts"
import { connected } from "../loopback.ts"
import { accessTo, mentionsFeed, noRequest, replyTo, uncertain } from "../support.ts"
import { inNewWords } from "./words.ts"

const access = accessTo("111", "ours")

const told = (payload: unknown) => normaliseX({ body: bytesOf(payload), arrivedAt })

/** X, which answers everything so. */
const answering = Effect.fnUntraced(function* (body: unknown) {
  const { connectors } = yield* connected(() => ({ status: 200, body }))
  return connectorTo(connectors, "x")
})

/** A page of mentions without the moment of its reading. */
const polled = Effect.fnUntraced(function* (body: unknown) {
  const { requestedAt: _moment, ...page } = yield* (yield* answering(body)).readFeed(access, mentionsFeed, {
    ...noRequest,
    checkpoint: Option.some("1")
  })
  return page
}, Effect.scoped)

const post = (id: string, more: object = {}) => ({
  id,
  text: `text of ${id}`,
  author_id: "222",
  conversation_id: "900",
  created_at: "2024-11-21T12:01:05.000Z",
  ...more
})

const repost = post("905", { referenced_tweets: [{ type: "retweeted", id: "900" }] })
const quote = post("904", { referenced_tweets: [{ type: "quoted", id: "900" }] })
const long = post("903", { note_tweet: { text: "the whole of it" } })
const edit = post("902", { edit_history_tweet_ids: ["901", "902"] })
const page = {
  data: [repost, quote, long, edit],
  includes: { users: [{ id: "222", name: "Reader", username: "reader" }], tweets: [{ id: "900", author_id: "111" }] },
  errors: [{ resource_type: "tweet", resource_id: "899", type: "https://api.x.com/2/problems/resource-not-found" }],
  meta: { result_count: 4, newest_id: "905" }
}

describe("X in either of its vocabularies", () => {
  it.live("gives the same mentions", () =>
    Effect.gen(function* () {
      const now = yield* polled(inNewWords(page))
      assert.deepStrictEqual(now, yield* polled(page))
      const items = now.activities.flatMap((one) => (one._tag === "Posted" ? [one] : []))
      assert.deepStrictEqual(
        items.map((one) => [one.externalId, one.replyTargetId, one.body, Option.getOrNull(one.summons), one.version]),
        [
          ["904", "904", "text of 904", "yes", 0],
          ["903", "903", "the whole of it", "unknown", 0],
          ["901", "902", "text of 902", "unknown", 1]
        ]
      )
      // One repost, and one that is gone.
      assert.deepStrictEqual([now.seen, now.suppressed], [["905", "904", "903", "901"], 2])
    })
  )

  it("tells the same by webhook", () => {
    for (const file of fixtures.x) {
      const payload = fixtureJson("x", file)
      if (file === "activity.json") assert.notDeepEqual(inNewWords(payload), payload)
      assert.deepStrictEqual(told(inNewWords(payload)), told(payload), file)
    }
  })

  it.live("finds the answer that got lost, and its thread", () =>
    Effect.gen(function* () {
      const own = post("953", { author_id: "111", referenced_tweets: [{ type: "replied_to", id: "902" }] })
      const found = Effect.fnUntraced(function* (body: unknown) {
        const look = yield* (yield* answering(body)).findReply(access, uncertain(replyTo("x_reply", "902", "900")))
        return look._tag === "Candidates" ? look.posted.map(({ externalId }) => externalId) : []
      }, Effect.scoped)
      const timeline = { data: [own], meta: { result_count: 1 } }
      assert.deepStrictEqual(yield* found(timeline), ["953"])
      assert.deepStrictEqual(yield* found(inNewWords(timeline)), ["953"])
      const threadOf = Effect.fnUntraced(function* (body: unknown) {
        const thread = { source: "x_reply", externalId: "902", parentExternalId: "901" } as const
        return yield* (yield* answering(body)).findThreadKey(access, thread)
      }, Effect.scoped)
      const edited = { data: { ...edit, conversation_id: "902" } }
      assert.deepStrictEqual(yield* threadOf(inNewWords(edited)), yield* threadOf(edited))
      const sent = Effect.fnUntraced(function* (body: unknown) {
        const connector = yield* answering(body)
        return (yield* connector.sendReply(access, replyTo("x_reply", "902", "900"), Option.none())).posted.externalId
      }, Effect.scoped)
      const created = { data: { id: "961", text: "hi", edit_history_tweet_ids: ["960", "961"] } }
      assert.deepStrictEqual([yield* sent(created), yield* sent(inNewWords(created))], ["960", "960"])
    })
  )
})

const Vocabulary = Schema.Struct({ renamed: Schema.Record(Schema.String, Schema.String) })

/** What the published names say was renamed, as far as it stands in payloads. */
const published = (): ReadonlyArray<readonly [string, string]> =>
  Object.entries(Schema.decodeUnknownSync(Vocabulary)(sampleJson("x", "vocabulary.json")).renamed).filter(
    ([old, now]) => !/[ (]/.test(old + now) && !/^(?!includes\.)\w+\./.test(old)
  )

describe.skipIf(corpus === undefined)("X's samples as sent, in its new names (set LOOPBOX_CORPUS)", () => {
  it.live("all tell the same", () =>
    Effect.gen(function* () {
      for (const { file } of samplesOf("x")) {
        const payload = sampleJson("x", file)
        assert.deepStrictEqual(told(inNewWords(payload, published())), told(payload), file)
      }
      for (const { file } of samplesOf("x", ["poll"])) {
        const body = sampleJson("x", file)
        assert.deepStrictEqual(yield* polled(inNewWords(body, published())), yield* polled(body), file)
      }
    })
  )
})
