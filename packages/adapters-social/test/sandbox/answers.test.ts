import { connectorTo } from "@loopbox/core/networks/Connectors"
import { isNetwork } from "../../src/names.ts"
import type { Network } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { told as line } from "../fixtures.ts"
import { accounts, sandboxed } from "./sandboxed.ts"

const accessOf = (network: Network) => {
  const account = accounts.find((one) => one.network === network)
  return {
    networkAccountId: account?.accountId ?? "",
    otherAccountId: Option.none(),
    login: Option.none(),
    throughAccountId: Option.none(),
    username: Option.none(),
    accessToken: account?.accessToken ?? Redacted.make("")
  }
}

describe("Sandbox: what the networks answer", () => {
  it.effect("people are found by the connectors, on Instagram only those who wrote to the account", () =>
    Effect.gen(function* () {
      const { connectors, sandbox, told } = yield* sandboxed()
      yield* sandbox.comment({ network: "instagram", from: "Shy", text: "hi" })
      yield* sandbox.message({ network: "instagram", from: "Mira Kovac", text: "hi" })
      yield* sandbox.message({ network: "facebook", from: "Ada", text: "hi" })
      yield* sandbox.comment({ network: "x", from: "Kai", text: "hi" })
      const names: Array<string | null> = []
      for (const activity of yield* told) {
        if (activity._tag !== "Posted") continue
        const { network } = activity.route
        assert.isTrue(isNetwork(network))
        if (!isNetwork(network)) continue
        const id = Option.getOrElse(activity.author.id, () => "")
        const person = yield* connectorTo(connectors, network).findPerson(accessOf(network), activity.source, id)
        names.push(Option.getOrNull(Option.flatMap(person, ({ name }) => name)))
      }
      assert.deepStrictEqual(names, [null, "Mira Kovac", "Ada", "Kai"])
    })
  )

  it.effect("the top of a chain of comments, and the conversation of a post", () =>
    Effect.gen(function* () {
      const { connectors, sandbox } = yield* sandboxed()
      const one = yield* sandbox.comment({ network: "facebook", text: "1" })
      const two = yield* sandbox.comment({ network: "facebook", text: "2", parentId: one.id })
      const three = yield* sandbox.comment({ network: "facebook", text: "3", parentId: two.id })
      const facebook = connectorTo(connectors, "facebook")
      const x = connectorTo(connectors, "x")
      const thread = { source: "fb_comment", externalId: three.id, parentExternalId: two.id } as const
      assert.strictEqual(yield* facebook.findThreadKey(accessOf("facebook"), thread), one.id)
      const post = yield* sandbox.comment({ network: "x", text: "1", postId: "77" })
      const unsettled = { source: "x_reply", externalId: post.id, parentExternalId: "77" } as const
      assert.strictEqual(yield* x.findThreadKey(accessOf("x"), unsettled), "77")
      yield* sandbox.remove({ network: "facebook", id: two.id })
      const gone = yield* Effect.flip(facebook.findThreadKey(accessOf("facebook"), thread))
      assert.isTrue(gone._tag === "Rejected" && gone.reason === "gone")
    })
  )

  it.effect("whoever holds a token of the account, in as many workspaces as it is connected", () =>
    Effect.gen(function* () {
      const { connectors, sandbox, told } = yield* sandboxed()
      const account = accounts.find(({ network }) => network === "facebook") ?? assert.fail("no account")
      const second = Redacted.make("token of another workspace")
      yield* sandbox.connect({ ...account, accessToken: second })
      yield* sandbox.comment({ network: "facebook", from: "Ada", text: "hi" })
      const [activity] = yield* told
      if (activity?._tag !== "Posted") return assert.fail("nothing was told")
      const personId = Option.getOrElse(activity.author.id, () => "")
      for (const accessToken of [account.accessToken, second]) {
        const access = { ...accessOf("facebook"), accessToken }
        const person = yield* connectorTo(connectors, "facebook").findPerson(access, "fb_comment", personId)
        assert.deepStrictEqual(
          Option.flatMap(person, ({ name }) => name),
          Option.some("Ada")
        )
      }
    })
  )

  it.effect("nothing to a token that no account has", () =>
    Effect.gen(function* () {
      const { connectors, sandbox, told } = yield* sandboxed()
      for (const network of ["instagram", "facebook", "x"] as const)
        yield* sandbox.comment({ network, from: "Ada", text: "hi" })
      for (const activity of yield* told) {
        if (activity._tag !== "Posted") continue
        const { network } = activity.route
        assert.isTrue(isNetwork(network))
        if (!isNetwork(network)) continue
        const access = { ...accessOf(network), accessToken: Redacted.make("another") }
        const failed = yield* Effect.flip(
          connectorTo(connectors, network).findPerson(
            access,
            activity.source,
            Option.getOrElse(activity.author.id, () => "")
          )
        )
        assert.isTrue(failed._tag === "AuthExpired" && failed.reason === "token", line(activity))
      }
    })
  )
})

describe("Sandbox: its time", () => {
  it.effect("is that of its own clock, also where requests run on another one", () =>
    Effect.gen(function* () {
      const { ask } = yield* sandboxed()
      const headers = { authorization: "Bearer token of x" }
      const answer = yield* Effect.promise(() => ask("http://sandbox.example/x/2/users/me", { headers }))
      assert.strictEqual(answer.headers.get("x-rate-limit-reset"), "900")
    })
  )
})

describe("Sandbox: reads that fail", () => {
  it.effect("as often as was ordered, each in its network's words", () =>
    Effect.gen(function* () {
      // The served sandbox has a clock of its own, by which it says when to come again.
      yield* TestClock.setTime(yield* TestClock.withLive(Clock.currentTimeMillis))
      const { connectors, sandbox } = yield* sandboxed()
      const { id } = yield* sandbox.comment({ network: "facebook", text: "1" })
      const post = yield* sandbox.comment({ network: "x", text: "1" })
      const thread = { source: "fb_comment", externalId: "9", parentExternalId: id } as const
      const unsettled = { source: "x_reply", externalId: post.id, parentExternalId: "1" } as const
      const facebook = connectorTo(connectors, "facebook").findThreadKey(accessOf("facebook"), thread)
      const x = connectorTo(connectors, "x").findThreadKey(accessOf("x"), unsettled)
      for (const [kind, tag] of [
        ["rate_limit", "RateLimited"],
        ["server_error", "Unavailable"],
        ["html", "Unavailable"],
        ["truncated", "Unavailable"],
        ["token_expired", "AuthExpired"]
      ] as const) {
        sandbox.api.faults.set({ network: "facebook", kind, times: 2 })
        sandbox.api.faults.set({ network: "x", kind, times: 1 })
        // As long as the networks ask to wait, nothing is asked.
        const waited = TestClock.adjust("31 seconds")
        assert.strictEqual((yield* Effect.flip(facebook))._tag, tag)
        yield* waited
        assert.strictEqual((yield* Effect.flip(facebook))._tag, tag)
        assert.strictEqual((yield* Effect.flip(x))._tag, tag)
        yield* waited
        assert.strictEqual(yield* facebook, id)
        yield* x
      }
      const [first] = sandbox.api.listRequests()
      assert.deepStrictEqual([first?.network, first?.endpoint], ["facebook", "comment"])
      assert.deepStrictEqual(first?.fault, Option.some("rate_limit"))
    })
  )
})
