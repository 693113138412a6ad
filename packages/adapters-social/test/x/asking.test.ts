import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import { Connectors, connectorTo } from "@loopbox/core/networks/Connectors"
import * as SocialConnectors from "@loopbox/adapters-social/SocialConnectors"
import type { SocialSettings } from "@loopbox/adapters-social/calls/SocialSettings"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { corpus, sampleJson } from "../corpus.ts"
import { accessTo, mentionsFeed, noRequest, replyTo, uncertain } from "../support.ts"
import { inNewWords } from "./words.ts"

const access = accessTo("111", "ours")

const page = {
  data: [{ id: "902", text: "@ours hi", author_id: "222", created_at: "2026-11-21T11:59:00.000Z", note_tweet: {} }],
  meta: { result_count: 1 }
}

type Query = Readonly<Record<string, string>>

interface Answer {
  readonly status?: number
  readonly body: unknown
}

const wordsOf = (query: Query): string =>
  "post.fields" in query ? "post" : "tweet.fields" in query ? "tweet" : "neither"

/** What X says of a parameter that it does not have, or does not have such a value for. */
const invalid = (parameter: string, value: string): Answer => ({
  status: 400,
  body: {
    errors: [
      { parameters: { [parameter]: [value] }, message: `The query parameter [${parameter}] is not one of [id]` }
    ],
    title: "Invalid Request",
    detail: "One or more parameters to your request was invalid.",
    type: "https://api.x.com/2/problems/invalid-request"
  }
})

/** A request in words that X no longer has. */
const unknownIn = (query: Query): Answer =>
  wordsOf(query) === "tweet" ? invalid("tweet.fields", "note_tweet") : invalid("post.fields", "note_post")

/** X, as a function of the query. */
const scripted = Effect.fnUntraced(function* (answer: (query: Query) => Answer, settings: SocialSettings = {}) {
  const asked: Array<Query> = []
  const client = HttpClient.make((request) =>
    Effect.sync(() => {
      const query = Object.fromEntries(Array.from(request.urlParams, ([name, value]) => [name, String(value)]))
      asked.push(query)
      const { body, status = 200 } = answer(query)
      return HttpClientResponse.fromWeb(request, new Response(JSON.stringify(body), { status }))
    })
  )
  const layer = SocialConnectors.layer(settings).pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, client)))
  const x = connectorTo(Context.get(yield* Layer.build(layer), Connectors), "x")
  return { x, asked, words: () => asked.splice(0).map(wordsOf) }
})

const read = (x: SocialConnector) =>
  Effect.match(x.readFeed(access, mentionsFeed, noRequest), {
    onFailure: (error) => ("reason" in error ? `${error._tag} ${error.reason}` : error._tag),
    onSuccess: ({ activities }) => `${activities.length} items`
  })

describe("the names in which X is asked (LOOPBOX_X_VOCABULARY)", () => {
  it.effect("are the known ones, until X refuses them; then the new ones, without asking twice again", () =>
    Effect.gen(function* () {
      let has = ["tweet"]
      const { words, x } = yield* scripted((query) =>
        has.includes(wordsOf(query)) ? { body: wordsOf(query) === "post" ? inNewWords(page) : page } : unknownIn(query)
      )
      assert.deepStrictEqual([yield* read(x), words()], ["1 items", ["tweet"]])
      has = ["post"]
      assert.deepStrictEqual([yield* read(x), words()], ["1 items", ["tweet", "post"]])
      assert.deepStrictEqual([yield* read(x), words()], ["1 items", ["post"]])
      // A network that takes it back is followed as well.
      has = ["tweet"]
      assert.deepStrictEqual([yield* read(x), words()], ["1 items", ["post", "tweet"]])
    })
  )

  it.effect("change too when X only ignores the known ones, and sends posts without what was asked", () =>
    Effect.gen(function* () {
      const bare = {
        data: [{ id: "902", text: "@ours hi", edit_history_post_ids: ["902"] }],
        meta: { result_count: 1 }
      }
      const { words, x } = yield* scripted((query) => ({
        body: wordsOf(query) === "post" ? inNewWords(page) : bare
      }))
      assert.deepStrictEqual([yield* read(x), words()], ["1 items", ["tweet", "post"]])
      assert.deepStrictEqual([yield* read(x), words()], ["1 items", ["post"]])
    })
  )

  it.effect("are tried again only after a while where X takes neither", () =>
    Effect.gen(function* () {
      const { words, x } = yield* scripted(unknownIn)
      assert.deepStrictEqual([yield* read(x), words()], ["Rejected invalid", ["tweet", "post"]])
      for (let i = 0; i < 3; i++) assert.deepStrictEqual([yield* read(x), words()], ["Rejected invalid", ["tweet"]])
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual([yield* read(x), words()], ["Rejected invalid", ["tweet", "post"]])
    })
  )

  it.effect("are not the fault of every 400, nor of an empty page", () =>
    Effect.gen(function* () {
      const { words, x } = yield* scripted(() => invalid("since_id", "x"))
      assert.deepStrictEqual([yield* read(x), words()], ["Rejected invalid", ["tweet"]])
      const empty = yield* scripted(() => ({ body: { meta: { result_count: 0 } } }))
      assert.deepStrictEqual([yield* read(empty.x), empty.words()], ["0 items", ["tweet"]])
    })
  )

  it.effect("are what is configured, whatever X says", () =>
    Effect.gen(function* () {
      for (const xVocabulary of ["tweet", "post"] as const) {
        const { words, x } = yield* scripted(unknownIn, { xVocabulary })
        assert.deepStrictEqual([yield* read(x), words()], ["Rejected invalid", [xVocabulary]])
      }
    })
  )
})

const Names = Schema.Array(Schema.String)
const Vocabulary = Schema.Struct({
  renamed: Schema.Record(Schema.String, Schema.String),
  "post.fields": Names,
  expansions: Names,
  "user.fields": Names,
  "media.fields": Names,
  post: Schema.Record(Schema.String, Schema.Unknown)
})

/** Every read that the connector makes of X. */
const everything = Effect.fnUntraced(function* (xVocabulary: "tweet" | "post") {
  const { asked, x } = yield* scripted(() => ({ body: { data: { id: "1" }, meta: {} } }), { xVocabulary })
  const thread = { source: "x_reply", externalId: "2", parentExternalId: "1" } as const
  yield* Effect.all(
    [
      x.readFeed(access, mentionsFeed, noRequest),
      x.findMediaContext(access, "x_reply", "900"),
      x.findPerson(access, "x_reply", "222"),
      x.findThreadKey(access, thread),
      x.isThere(access, "x_reply", "902"),
      x.findReply(access, uncertain(replyTo("x_reply", "902", "900")))
    ].map((call: Effect.Effect<unknown, unknown>) => Effect.exit(call))
  )
  assert.isAtLeast(asked.length, 6)
  return asked
})

describe.skipIf(corpus === undefined)("what X is asked for (set LOOPBOX_CORPUS)", () => {
  const published = () => Schema.decodeUnknownSync(Vocabulary)(sampleJson("x", "vocabulary.json"))

  it.effect("are names that X has, in the new vocabulary", () =>
    Effect.gen(function* () {
      const known = published()
      for (const query of yield* everything("post")) {
        assert.notProperty(query, "tweet.fields")
        for (const parameter of ["post.fields", "expansions", "user.fields", "media.fields"] as const) {
          assert.includeMembers([...known[parameter]], query[parameter]?.split(",") ?? [], parameter)
        }
      }
    })
  )

  it.effect("are names that X had, or has not renamed, in the old one", () =>
    Effect.gen(function* () {
      const known = published()
      const old = new Map(Object.entries(known.renamed))
      for (const query of yield* everything("tweet")) {
        assert.notProperty(query, "post.fields")
        for (const name of query["tweet.fields"]?.split(",") ?? []) {
          assert.property(known.post, old.get(name) ?? name)
          assert.isFalse([...old.values()].includes(name), name)
        }
        for (const name of query["expansions"]?.split(",") ?? []) {
          assert.isTrue(known.expansions.includes(name) || old.has(name), name)
        }
      }
    })
  )
})
