import { networks } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { listAt, served } from "./served.ts"

const other = (network: (typeof networks)[number]) => ({
  network,
  accountId: "990",
  name: "Other",
  username: "other",
  accessToken: Redacted.make(`other of ${network}`)
})

describe("Sandbox: webhooks of an account", () => {
  it.effect("come when it is subscribed, and not before", () =>
    Effect.gen(function* () {
      const { ask, call, control, sandbox, told } = yield* served()
      const comment = (network: (typeof networks)[number]) =>
        Effect.map(
          sandbox.comment({ network, accountId: "990", from: "Ada", text: "hi @other" }),
          ({ isTold }) => isTold
        )
      for (const network of networks) {
        yield* sandbox.connect(other(network))
        assert.isFalse(yield* comment(network), network)
      }
      assert.deepStrictEqual(yield* told, [])
      // A poll sees it all the same.
      const token = "other of x"
      const mentions = yield* ask("x", "GET", "/users/990/mentions", { token })
      assert.strictEqual(listAt(mentions.body, "data").length, 1)
      // Meta's networks are asked for it by the connector, or whoever sets the app up.
      for (const [network, path, subscribed_fields] of [
        ["instagram", "/me/subscribed_apps", "comments,messages"],
        ["facebook", "/990/subscribed_apps", "feed,messages"]
      ] as const) {
        yield* ask(network, "POST", path, { token: `other of ${network}`, form: { subscribed_fields } })
        assert.isTrue(yield* comment(network), network)
      }
      assert.deepStrictEqual((yield* control("subscribe", { network: "x" })).body, { changed: 1 })
      assert.deepStrictEqual((yield* control("subscribe", { network: "threads", account_id: "990" })).body, {
        changed: 1
      })
      assert.isTrue(yield* comment("x"))
      assert.isTrue(yield* comment("threads"))
      assert.deepStrictEqual((yield* control("unsubscribe", { account_id: "990" })).body, { changed: 4 })
      for (const network of networks) assert.isFalse(yield* comment(network), network)
      assert.strictEqual((yield* told).length, 4)
      const listed = yield* call("GET", "/sandbox/accounts", { token: null })
      assert.deepStrictEqual(
        listAt(listed.body).map((one) => Reflect.get(Object(one), "is_subscribed")),
        networks.flatMap(() => [true, false])
      )
      assert.strictEqual((yield* control("subscribe", { account_id: "nobody" })).status, 409)
    })
  )

  it.effect("leave out what came over the API too", () =>
    Effect.gen(function* () {
      const { ask, sandbox, told } = yield* served()
      yield* sandbox.connect(other("x"))
      const created = yield* ask("x", "POST", "/tweets", { token: "other of x", json: { text: "on our own" } })
      assert.strictEqual(created.status, 201)
      assert.deepStrictEqual(yield* told, [])
    })
  )
})
