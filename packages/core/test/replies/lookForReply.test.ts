import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { posted } from "@loopbox/testing/fixtures/activities"
import { ingest } from "@loopbox/testing/fixtures/inboxFixtures"
import {
  find,
  showing,
  failAll,
  failures,
  layerReplies,
  makeItem,
  postOf,
  reply,
  script,
  takeAll,
  toldStatuses,
  whole
} from "./replyWorld.ts"

const now = DateTime.now

describe("a reply with an unknown outcome (design §6)", () => {
  it.effect("is never sent again, is looked up at the scheduled times, and needs a person after its deadline", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const tried = yield* failAll(failures.unknown)
      const looks = yield* showing(() => [])
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assert.strictEqual(operation.state._tag, "OutcomeUnknown")
      yield* TestClock.adjust("29 minutes")
      assert.strictEqual((yield* find(world, operation.id)).state._tag, "OutcomeUnknown")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* find(world, operation.id)).state._tag, "NeedsReconciliation")
      assert.deepStrictEqual(
        looks.map((seconds) => Math.round(seconds)),
        [5, 15, 60, 300, 900, 1740]
      )
      assert.strictEqual(tried.length, 1)
      assert.deepStrictEqual(yield* toldStatuses(world), [
        "pending",
        "sending",
        "outcome_unknown",
        "needs_reconciliation"
      ])
      assert.strictEqual((yield* reply(world, "Yes", "k1")).operation.state._tag, "NeedsReconciliation")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is completed by a look-up that finds it, while its client still waits", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("x_reply", {}, { username: Option.some("page") })
      const tried = yield* failAll(failures.unknown)
      yield* showing(({ attemptedAt, reply: asked }) => [
        postOf(asked, "r1", { receivedAt: attemptedAt, body: "@ann see https://example.com/a/" }),
        postOf(asked, "r2", { receivedAt: attemptedAt, body: "something else" })
      ])
      const { item, operation } = yield* whole(reply(world, "see example.com/a", "k1"))
      assert.strictEqual(operation.state._tag, "Completed")
      assert.deepStrictEqual(
        Option.map(item, ({ body, externalId }) => [externalId, body]),
        Option.some(["r1", "see example.com/a"])
      )
      assert.strictEqual(tried.length, 1)
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is completed by its echo at once, even if look-ups do not find it", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("fb_dm", { threadKey: "ann", receivedAt: yield* now })
      yield* failAll(failures.unknown)
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      yield* TestClock.adjust("2 minutes")
      const echo = posted({
        source: "fb_dm",
        externalId: "m1",
        threadKey: "ann",
        isOwn: true,
        body: "Yes",
        receivedAt: yield* now
      })
      const stranger = { ...echo, externalId: "m0", replyTargetId: "m0", operationTag: Option.some("op_of_another") }
      yield* ingest(world.account, [Object.assign(posted(), stranger)], { now: yield* now })
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* find(world, operation.id)).state._tag, "OutcomeUnknown")
      const tagged = Object.assign(echo, { operationTag: Option.some(operation.id) })
      yield* ingest(world.account, [tagged], { now: yield* now })
      yield* TestClock.adjust("2 seconds")
      const { state } = yield* find(world, operation.id)
      assert.deepInclude(state, { _tag: "Completed", responseExternalId: "m1" })
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("does not match older posts, posts elsewhere, or the post of another reply", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const at = yield* now
      const own = (externalId: string, threadKey: string) =>
        posted({ externalId, threadKey, isOwn: true, body: "Yes", receivedAt: at })
      yield* ingest(world.account, [own("old", "c1")], { now: DateTime.subtract(at, { seconds: 30 }) })
      yield* takeAll
      yield* whole(reply(world, "Yes", "k0"))
      yield* failAll(failures.unknown)
      yield* showing(({ attemptedAt, reply: asked }) => [
        own("old", "c1"),
        postOf(asked, "r1", { receivedAt: attemptedAt }),
        Object.assign(postOf(asked, "r9", { receivedAt: attemptedAt }), { parentExternalId: Option.some("c9") }),
        postOf(asked, "r8", { receivedAt: DateTime.subtract(attemptedAt, { seconds: 61 }) })
      ])
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assert.strictEqual(operation.state._tag, "OutcomeUnknown")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("needs a person if two posts match equally", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      yield* failAll(failures.unknown)
      yield* showing(({ attemptedAt, reply: asked }) =>
        ["r1", "r2"].map((id) => postOf(asked, id, { receivedAt: attemptedAt }))
      )
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assert.strictEqual(operation.state._tag, "NeedsReconciliation")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is paired with equal replies by age, and one post settles one of them", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      yield* failAll(failures.unknown)
      const looks = yield* showing(() => [])
      const [first, second] = yield* whole(
        Effect.all([reply(world, "Yes", "k1"), Effect.delay(reply(world, "Yes", "k2"), "1 second")], {
          concurrency: 2
        })
      )
      assert.isAbove(looks.length, 1)
      yield* showing(({ attemptedAt, reply: asked }) => [postOf(asked, "r1", { receivedAt: attemptedAt })])
      yield* TestClock.adjust("6 minutes")
      const { state } = yield* find(world, first.operation.id)
      assert.isTrue(state._tag === "Completed" && state.responseExternalId === "r1")
      assert.strictEqual((yield* find(world, second.operation.id)).state._tag, "OutcomeUnknown")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is looked up at once when the network refuses the same text as a duplicate", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("x_reply", {}, { username: Option.some("page") })
      yield* failAll(failures.unknown)
      yield* showing(() => [])
      const first = yield* whole(reply(world, "Yes", "k1"))
      yield* TestClock.adjust("6 minutes")
      yield* failAll(failures.duplicate)
      yield* showing(({ attemptedAt, reply: asked }) => [postOf(asked, "r1", { receivedAt: attemptedAt })])
      const second = yield* whole(reply(world, "Yes", "k2"))
      assert.isTrue(
        second.operation.state._tag === "Rejected" &&
          Option.contains(second.operation.state.failure.reason, "duplicate")
      )
      assert.strictEqual((yield* find(world, first.operation.id)).state._tag, "Completed")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("results from a connector that hangs or dies, and does not block other networks", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const other = yield* makeItem("threads_reply", {}, { username: Option.some("page") })
      yield* script({
        sendReply: (_access, asked) => {
          if (asked.source === "threads_reply") return Effect.succeed({ posted: postOf(asked, "t1") })
          return asked.text === "dies" ? Effect.die(new Error("a bug")) : Effect.never
        }
      })
      const dead = yield* whole(reply(world, "dies", "k0"))
      assert.strictEqual(dead.operation.state._tag, "OutcomeUnknown")
      for (let n = 0; n < 20; n++) yield* Effect.forkChild(reply(world, "hangs", `k${n + 1}`))
      assert.strictEqual((yield* whole(reply(other, "Yes"))).operation.state._tag, "Completed")
      yield* TestClock.adjust("41 seconds")
      const hung = yield* reply(world, "hangs", "k1")
      assert.strictEqual(hung.operation.state._tag, "OutcomeUnknown")
      // The others get their turn, for a worker does not end before what it sends.
      yield* TestClock.adjust("1 minute")
    }).pipe(Effect.provide(layerReplies))
  )
})
