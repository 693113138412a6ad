import { networks, sources } from "../../src/names.ts"
import type { Network } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Sandbox } from "@loopbox/adapters-social/sandbox/Sandbox"
import * as SandboxLife from "@loopbox/adapters-social/sandbox/SandboxLife"
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

describe("Sandbox: what people do", () => {
  for (const network of networks) {
    it.effect(`a comment on ${network} is delivered, and is read as it was written`, () =>
      Effect.gen(function* () {
        const { sandbox, told } = yield* sandboxed()
        const first = yield* sandbox.comment({ network, from: "Ada Lovelace", text: "Grüße & <hi> 🚀" })
        const answer = yield* sandbox.comment({ network, from: "Bo", text: "me too", parentId: first.id })
        const [one, two] = yield* told
        assert.isTrue(one?._tag === "Posted" && two?._tag === "Posted")
        if (one?._tag !== "Posted" || two?._tag !== "Posted") return
        assert.strictEqual(one.externalId, first.id)
        assert.include(one.body, "Grüße & <hi> 🚀")
        assert.strictEqual(Option.getOrNull(one.route.accountId), accessOf(network).networkAccountId)
        assert.isFalse(one.isOwn)
        assert.strictEqual(two.externalId, answer.id)
        assert.deepStrictEqual(two.parentExternalId, Option.some(first.id))
      })
    )
  }

  it.effect("a message comes from the same person every time, and can be edited and unsent", () =>
    Effect.gen(function* () {
      const { sandbox, told } = yield* sandboxed()
      for (const network of ["instagram", "facebook"] as const) {
        const { id } = yield* sandbox.message({ network, from: "Ada", text: "one" })
        yield* sandbox.message({ network, from: "Ada", text: "two" })
        yield* sandbox.edit({ network, id, text: "one!" })
        yield* sandbox.remove({ network, id })
      }
      const activities = yield* told
      assert.deepStrictEqual(
        activities.map(({ _tag }) => _tag),
        ["Posted", "Posted", "Edited", "Deleted", "Posted", "Posted", "Edited", "Deleted"]
      )
      const threads = activities.flatMap((one) =>
        one._tag === "Posted" && one.threadKey._tag === "Known" ? [one.threadKey.key] : []
      )
      assert.strictEqual(threads[0], threads[1])
      assert.strictEqual(new Set(threads).size, 2)
    })
  )

  it.effect("an edit on X is a new post with the old one's history", () =>
    Effect.gen(function* () {
      const { sandbox, told } = yield* sandboxed()
      const { id } = yield* sandbox.mention({ network: "x", from: "Kai", text: "hello" })
      const edited = yield* sandbox.edit({ network: "x", id, text: "hello again @our_x" })
      const posts = (yield* told).flatMap((one) => (one._tag === "Posted" ? [one] : []))
      assert.deepStrictEqual(
        posts.map(({ externalId, replyTargetId, version }) => [externalId, replyTargetId, version]),
        [
          [id, id, 0],
          [id, edited.id, 1]
        ]
      )
      assert.deepStrictEqual(posts[0]?.summons, Option.some("yes"))
    })
  )

  it.effect("Facebook tells of edits, hiding and removal of comments; Instagram tells of none", () =>
    Effect.gen(function* () {
      const { sandbox, told } = yield* sandboxed()
      const { id } = yield* sandbox.comment({ network: "facebook", text: "one" })
      yield* sandbox.edit({ network: "facebook", id, text: "two" })
      yield* sandbox.hide({ network: "facebook", id, isHidden: true })
      yield* sandbox.hide({ network: "facebook", id, isHidden: false })
      yield* sandbox.remove({ network: "facebook", id })
      assert.deepStrictEqual(
        (yield* told).map(({ _tag }) => _tag),
        ["Posted", "Edited", "HiddenChanged", "HiddenChanged", "Deleted"]
      )
      const quiet = yield* sandbox.comment({ network: "instagram", text: "one" })
      assert.deepStrictEqual(yield* sandbox.remove({ network: "instagram", id: quiet.id }), {
        id: quiet.id,
        isTold: false
      })
      assert.strictEqual((yield* told).length, 6)
    })
  )

  it.effect("is found by its id alone, whichever network has it", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* sandboxed()
      const message = yield* sandbox.message({ network: "instagram", text: "one" })
      const comment = yield* sandbox.comment({ network: "facebook", text: "two" })
      const mention = yield* sandbox.mention({ network: "x", text: "three" })
      assert.strictEqual((yield* sandbox.edit({ id: message.id, text: "one!" })).id, message.id)
      yield* sandbox.hide({ id: comment.id, isHidden: true })
      for (const { id } of [message, comment, mention]) {
        yield* sandbox.remove({ id })
        yield* Effect.flip(sandbox.remove({ id }))
      }
    })
  )

  it.effect("is refused where no network would do it", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* sandboxed()
      const comment = yield* sandbox.comment({ network: "instagram", text: "one" })
      yield* Effect.flip(sandbox.edit({ network: "instagram", id: comment.id, text: "two" }))
      yield* Effect.flip(sandbox.message({ network: "x", text: "hi" }))
      yield* Effect.flip(sandbox.comment({ network: "threads", text: "hi", parentId: "nobody's" }))
      yield* Effect.flip(sandbox.comment({ network: "threads", text: "hi", accountId: "nobody's" }))
      const refused = yield* Effect.flip(sandbox.remove({ network: "facebook", id: "nobody's" }))
      assert.strictEqual(refused.reason, "Nobody wrote nobody's on facebook here.")
    })
  )

  it.effect("makes the same ids from the same seed and none of them from another", () =>
    Effect.gen(function* () {
      const idsOf = Effect.fnUntraced(function* (seed: number) {
        const { sandbox } = yield* sandboxed({ seed })
        const done = yield* Effect.forEach(networks, (network) => sandbox.comment({ network, from: "Ada", text: "hi" }))
        return done.map(({ id }) => id)
      })
      const first = yield* idsOf(7)
      assert.deepStrictEqual(yield* idsOf(7), first)
      assert.deepStrictEqual(
        (yield* idsOf(8)).filter((id) => first.includes(id)),
        []
      )
    })
  )
})

describe("SandboxLife", () => {
  it.effect("fills the inbox of every source, and ends", () =>
    Effect.gen(function* () {
      const { sandbox, told } = yield* sandboxed()
      const life = SandboxLife.layer({ every: "1 minute", atFirst: "1 second", atMost: 30 })
      yield* Layer.build(life.pipe(Layer.provide(Layer.succeed(Sandbox, sandbox))))
      yield* TestClock.adjust("14 seconds")
      const first = yield* told
      assert.deepStrictEqual(
        [...new Set(first.flatMap((one) => ("source" in one ? [one.source] : [])))].toSorted(),
        [...sources].toSorted()
      )
      assert.deepStrictEqual([...new Set(first.map(({ _tag }) => _tag))].toSorted(), ["Deleted", "Edited", "Posted"])
      yield* TestClock.adjust("1 day")
      assert.isAbove((yield* told).length, first.length)
      assert.isAtMost((yield* told).length, 30)
    })
  )

  it.effect("waits for an account instead of writing to nobody", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* sandboxed({ isEmpty: true })
      const life = SandboxLife.layer({ atFirst: "1 second" })
      yield* Layer.build(life.pipe(Layer.provide(Layer.succeed(Sandbox, sandbox))))
      const connect = (network: (typeof networks)[number]) =>
        sandbox.connect({
          network,
          accountId: `demo_${network}`,
          name: "Demo",
          username: "demo",
          accessToken: Redacted.make(network)
        })
      const written = (network: (typeof networks)[number]) =>
        sandbox.world
          .findAccounts(network)
          .flatMap(sandbox.world.ofAccount)
          .flatMap(({ isOwn, text }) => (isOwn ? [] : [text]))
          .toReversed()
      yield* TestClock.adjust("5 seconds")
      yield* connect("facebook")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(written("facebook"), ["Hi, do you ship to Austria?"])
      yield* connect("instagram")
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(written("instagram"), ["Is the blue one back in stock? 💙", "Following, I want one too"])
    })
  )

  it.effect("writes nothing on X that the account may not answer", () =>
    Effect.gen(function* () {
      const { sandbox, told } = yield* sandboxed()
      const life = SandboxLife.layer({ atFirst: "1 second", atMost: 14 })
      yield* Layer.build(life.pipe(Layer.provide(Layer.succeed(Sandbox, sandbox))))
      yield* TestClock.adjust("14 seconds")
      const onX = (yield* told).flatMap((one) =>
        one._tag === "Posted" && one.source === "x_reply" ? [Option.getOrNull(one.summons)] : []
      )
      assert.deepStrictEqual(onX, ["yes", "yes"])
    })
  )
})
