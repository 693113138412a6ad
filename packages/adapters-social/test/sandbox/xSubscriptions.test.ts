import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { at, listAt, served, textAt } from "./served.ts"

const network = "x"
const other = {
  network,
  accountId: "990",
  name: "Other",
  username: "other",
  accessToken: Redacted.make("other of x")
} as const
const path = "/activity/subscriptions"
const filter = { user_id: other.accountId }

describe("Sandbox: X's subscriptions (§1.5)", () => {
  it.effect("let webhooks of one kind come, until they are deleted", () =>
    Effect.gen(function* () {
      const { call, sandbox, told } = yield* served()
      yield* sandbox.connect(other)
      const ask = (method: string, below = "", json?: object) =>
        call(method, `/x/2${path}${below}`, { token: "other of x", ...(json === undefined ? {} : { json }) })
      const answer = Effect.map(
        sandbox.comment({ network, accountId: "990", from: "Ada", text: "hi" }),
        ({ isTold }) => isTold
      )
      const mention = Effect.map(
        sandbox.mention({ network, accountId: "990", from: "Ada", text: "look" }),
        ({ isTold }) => isTold
      )
      assert.deepStrictEqual([yield* answer, yield* mention], [false, false])
      const made = yield* ask("POST", "", { event_type: "post.mention.create", filter, tag: "ours", webhook_id: "1" })
      assert.deepStrictEqual(
        [made.status, at(made.body, "meta", "total_subscriptions"), at(made.body, "data", 0, "event_type")],
        [201, 1, "post.mention.create"]
      )
      assert.deepStrictEqual([yield* answer, yield* mention], [false, true])
      assert.strictEqual((yield* told).length, 1)
      yield* ask("POST", "", { event_type: "post.reply.create", filter, tag: "ours" })
      assert.deepStrictEqual([yield* answer, yield* mention], [true, true])
      const listed = yield* ask("GET")
      assert.deepStrictEqual(
        listAt(listed.body, "data").map((one) => [at(one, "event_type"), at(one, "filter"), at(one, "tag")]),
        [
          ["post.mention.create", filter, "ours"],
          ["post.reply.create", filter, "ours"]
        ]
      )
      const id = textAt(made.body, "data", 0, "subscription_id")
      assert.deepStrictEqual((yield* ask("DELETE", `/${id}`)).body, {
        data: { deleted: true },
        meta: { total_subscriptions: 1 }
      })
      assert.deepStrictEqual([yield* answer, yield* mention], [true, false])
    })
  )

  it.effect("are refused twice, of others' accounts, and of what X does not tell", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      yield* sandbox.connect(other)
      const subscribe = (json: object) =>
        Effect.map(ask(network, "POST", path, { token: "other of x", json }), ({ status }) => status)
      assert.strictEqual(yield* subscribe({ event_type: "post.create", filter }), 201)
      assert.strictEqual(yield* subscribe({ event_type: "post.create", filter }), 400)
      assert.strictEqual(yield* subscribe({ event_type: "post.create", filter: { user_id: "1" } }), 403)
      assert.strictEqual(yield* subscribe({ event_type: "post.sigh", filter }), 400)
      assert.strictEqual(yield* subscribe({ event_type: "post.delete" }), 400)
    })
  )
})
