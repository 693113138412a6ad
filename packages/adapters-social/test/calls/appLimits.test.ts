import { connectorTo } from "@loopbox/core/networks/Connectors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric, Option } from "effect"
import { connected } from "../loopback.ts"
import type { Answer } from "../loopback.ts"
import { accessTo, replyTo } from "../support.ts"

const [first, second] = [accessTo("1", "one"), accessTo("2", "two")]

const tagOf = <A, E extends { readonly _tag: string }, R>(call: Effect.Effect<A, E, R>) =>
  Effect.match(call, { onFailure: ({ _tag }) => _tag, onSuccess: () => "answered" })

const codeAnswer = (code: number, error_subcode?: number): Answer => ({
  status: 400,
  body: { error: { message: `(#${code}) no`, type: "OAuthException", code, error_subcode } }
})

/** How often Facebook was asked when two accounts looked something up, and what the second was told. */
const askedTwice = Effect.fnUntraced(function* (answer: Answer) {
  const { connectors, received } = yield* connected(() => answer)
  const look = (access: AccountAccess) =>
    tagOf(connectorTo(connectors, "facebook").findMediaContext(access, "fb_comment", "9_1"))
  yield* look(first)
  const told = yield* look(second)
  return { asked: received.length, told, connectors, received }
})

describe("limits of the whole app (§2.2)", () => {
  it.live("that one account has met are not met by another one: Meta's code 4", () =>
    Effect.gen(function* () {
      const { asked, connectors, received, told } = yield* askedTwice(codeAnswer(4))
      assert.deepStrictEqual([asked, told], [1, "RateLimited"])
      // Instagram's app is counted apart.
      yield* tagOf(connectorTo(connectors, "instagram").findMediaContext(second, "ig_comment", "8"))
      assert.strictEqual(received.length, 2)
    })
  )

  it.live("are told by X-App-Usage before they are met", () =>
    Effect.gen(function* () {
      const usage = JSON.stringify({ call_count: 100, total_time: 3, total_cputime: 3 })
      const { asked, told } = yield* askedTwice({ headers: { "x-app-usage": usage }, body: { id: "9_1" } })
      assert.deepStrictEqual([asked, told], [1, "RateLimited"])
      const shares = (yield* Metric.snapshot).filter(({ id }) => id === "loopbox_network_budget_used_percent")
      const ofFacebook = shares.find(({ attributes }) => attributes?.["network"] === "facebook")
      assert.deepStrictEqual(ofFacebook?.state, { value: 100 })
    })
  )

  it.live("are none of one account's: a Page's calls, or a block of what it publishes", () =>
    Effect.gen(function* () {
      for (const answer of [codeAnswer(80_001), codeAnswer(32), codeAnswer(4, 2_207_051)]) {
        const { asked } = yield* askedTwice(answer)
        assert.strictEqual(asked, 2, JSON.stringify(answer.body))
      }
      const business = JSON.stringify({ "1": [{ type: "pages", call_count: 100 }] })
      const { asked, told } = yield* askedTwice({
        headers: { "x-business-use-case-usage": business },
        body: { id: "9_1" }
      })
      assert.deepStrictEqual([asked, told], [2, "answered"])
    }).pipe(Effect.scoped)
  )

  it.live("are an account's on Threads, which counts an app and an account together", () =>
    Effect.gen(function* () {
      const usage = JSON.stringify({ call_count: 100, total_time: 3, total_cputime: 3 })
      const { connectors, received } = yield* connected(() => ({
        headers: { "x-app-usage": usage },
        body: { id: "7" }
      }))
      for (const access of [first, second]) {
        yield* tagOf(connectorTo(connectors, "threads").findMediaContext(access, "threads_reply", "7"))
      }
      assert.strictEqual(received.length, 2)
    })
  )

  it.live("of a day on X hold for what they count, whoever asks", () =>
    Effect.gen(function* () {
      const reset = String(Math.floor(Date.now() / 1000) + 3_600)
      const spent = {
        "x-app-limit-24hour-limit": "10000",
        "x-app-limit-24hour-remaining": "0",
        "x-app-limit-24hour-reset": reset
      }
      const { connectors, received } = yield* connected(({ method }) =>
        method === "POST"
          ? { status: 429, headers: spent, body: { title: "Too Many Requests", status: 429 } }
          : { body: { data: { id: "5", username: "reader", name: "Reader" } } }
      )
      const { findPerson, sendReply } = connectorTo(connectors, "x")
      const reply = replyTo("x_reply", "902", "900")
      assert.strictEqual(yield* tagOf(sendReply(first, reply, Option.none())), "RateLimited")
      assert.strictEqual(yield* tagOf(sendReply(second, reply, Option.none())), "RateLimited")
      assert.strictEqual(received.length, 1)
      // Another endpoint has a day of its own.
      assert.strictEqual(yield* tagOf(findPerson(second, "x_reply", "5")), "answered")
    })
  )
})
