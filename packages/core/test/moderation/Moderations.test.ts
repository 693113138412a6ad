import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import {
  AuthExpired,
  OutcomeUnknown,
  RateLimited,
  Rejected,
  type WriteFailed
} from "../../src/networks/ConnectorErrors.ts"
import { InboxStore, noFilter } from "../../src/inbox/InboxStore.ts"
import { Moderations } from "../../src/moderation/Moderations.ts"
import type { Moderation } from "../../src/networks/moderating/NetworkModerate.ts"
import { posted } from "@loopbox/testing/fixtures/activities"
import { eventsAfter, ingest, listed, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { layerInbox } from "@loopbox/testing/layers/inboxLayers"
import { makeItem, script, type World } from "../replies/replyWorld.ts"

const common = { network: "facebook", networkCode: Option.some("17"), detail: "as scripted" }

const lost = new OutcomeUnknown(common)
const gone = new Rejected({ ...common, reason: "gone" })

/** The network does what it is asked, after these failures; answers the list of what it was asked. */
const taking = Effect.fnUntraced(function* (...failing: ReadonlyArray<WriteFailed>) {
  const asked: Array<Moderation> = []
  yield* script({
    act: (_access, _item, moderation) =>
      Effect.suspend(() => {
        asked.push(moderation)
        const failure = failing[asked.length - 1]
        return failure === undefined ? Effect.void : Effect.fail(failure)
      })
  })
  return asked
})

const act = (world: World, moderation: Exclude<Moderation, "delete">) =>
  Moderations.use((moderations) => moderations.act(world.caller, world.itemId, moderation))

/** Runs it while the clock goes on. */
const within = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust("25 seconds")
    return yield* Fiber.join(fiber)
  })

const tags = (world: World) =>
  Effect.map(eventsAfter(world.workspace.id, 1), (events) => events.map(({ event }) => event._tag))

describe("moderation (api-2.md §13)", () => {
  it.effect("hides an item once, tells so once, and shows it again", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("fb_comment")
      const asked = yield* taking()
      const hidden = yield* act(world, "hide")
      assert.isTrue(hidden.isHidden)
      assert.include(hidden.capabilities, "unhide")
      yield* act(world, "hide")
      assert.deepStrictEqual(asked, ["hide"])
      assert.deepStrictEqual(yield* tags(world), ["ItemUpdated"])
      assert.isFalse((yield* act(world, "unhide")).isHidden)
      assert.deepStrictEqual(asked, ["hide", "unhide"])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("calls the network once for fifty requests at once", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("fb_comment")
      const asked = yield* taking()
      yield* Effect.all(
        Array.from({ length: 50 }, () => act(world, "like")),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(asked, ["like"])
      assert.deepStrictEqual(yield* tags(world), ["ItemUpdated"])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("asks again while it is not known whether it was done", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("fb_comment")
      const asked = yield* taking(lost, lost, lost)
      assert.isTrue((yield* within(act(world, "hide"))).isHidden)
      assert.strictEqual(asked.length, 4)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("gives up after 20 seconds, with nothing changed", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("fb_comment")
      yield* taking(...Array.from({ length: 100 }, () => lost))
      const error = yield* within(Effect.flip(act(world, "hide")))
      assert.strictEqual(error._tag, "ActionUncertain")
      assert.deepStrictEqual(yield* tags(world), [])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("goes on when whoever asked has left", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("fb_comment")
      yield* script({ act: () => Effect.sleep("3 seconds") })
      const fiber = yield* Effect.forkChild(act(world, "hide"))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* tags(world), ["ItemUpdated"])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("tells what the network said", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("fb_comment")
      const failures = [
        [new Rejected({ ...common, reason: "other" }), "ActionRefused"],
        [new RateLimited({ ...common, retryAt: Option.none() }), "ActionLimited"],
        [new AuthExpired({ ...common, reason: "permission", missingScopes: ["pages"] }), "ReconnectRequired"]
      ] as const
      for (const [failure, tag] of failures) {
        yield* taking(failure)
        assert.strictEqual((yield* Effect.flip(act(world, "hide")))._tag, tag)
      }
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("refuses without a call what an item's capabilities lack", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("threads_reply", {}, { username: Option.some("page") })
      const asked = yield* taking()
      const error = yield* Effect.flip(act(world, "like"))
      assert.deepInclude(error, { _tag: "ActionNotAvailable", reason: "not_supported" })
      assert.deepStrictEqual(asked, [])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("deletes an item for good, also one that the network no longer has", () =>
    Effect.gen(function* () {
      const moderations = yield* Moderations
      for (const failures of [[], [lost, gone], [gone]]) {
        const world = yield* makeItem("fb_comment")
        yield* taking(...failures)
        yield* within(moderations.delete(world.caller, world.itemId))
        assert.deepStrictEqual(yield* tags(world), ["ItemDeleted"])
        const again = yield* Effect.flip(moderations.delete(world.caller, world.itemId))
        assert.strictEqual(again._tag, "ItemNotFound")
        // It stays deleted if it is told once more.
        yield* ingest(world.account, [posted({ source: "fb_comment", externalId: "c1" })])
        assert.deepStrictEqual(yield* listed(scopeOf(world.workspace.id)), [])
      }
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("finds that an item is gone when it is to be hidden", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("fb_comment")
      yield* taking(gone)
      assert.strictEqual((yield* Effect.flip(act(world, "hide")))._tag, "ItemNotFound")
      assert.deepStrictEqual(yield* tags(world), ["ItemDeleted"])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("keeps likes below the pace that locks an account out", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("ig_comment")
      const asked = yield* taking()
      for (let i = 0; i < 25; i++) {
        yield* act(world, "like")
        yield* act(world, "unlike")
      }
      const error = yield* Effect.flip(act(world, "like"))
      const retryAt = DateTime.add(yield* DateTime.now, { seconds: 5 })
      assert.deepInclude(error, { _tag: "ActionLimited", retryAt: Option.some(retryAt) })
      assert.strictEqual(asked.length, 50)
      yield* TestClock.adjust("5 seconds")
      yield* act(world, "like")
      assert.strictEqual(asked.length, 51)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("does a batch in order, each id once, and tells of each", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("fb_comment")
      const asked = yield* taking()
      const moderations = yield* Moderations
      const results = yield* moderations.batch(world.caller, [world.itemId, "itm_unknown", world.itemId], "hide")
      assert.deepStrictEqual(
        results.map(({ failure, id }) => [id, failure?._tag]),
        [
          [world.itemId, undefined],
          ["itm_unknown", "ItemNotFound"],
          [world.itemId, undefined]
        ]
      )
      assert.deepStrictEqual(asked, ["hide"])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("answers a batch within 25 seconds, and says what was not attempted", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("fb_comment")
      yield* ingest(
        world.account,
        Array.from({ length: 20 }, (_, i) => posted({ source: "fb_comment", externalId: `more${i}` }))
      )
      const store = yield* InboxStore
      const { items } = yield* store.list(scopeOf(world.workspace.id), {
        ...noFilter,
        limit: 50,
        after: Option.none()
      })
      yield* script({ act: () => Effect.sleep("9 seconds") })
      const moderations = yield* Moderations
      const results = yield* within(
        moderations.batch(
          world.caller,
          items.map(({ id }) => id),
          "hide"
        )
      )
      assert.strictEqual(results.length, 21)
      assert.strictEqual(results.filter(({ failure }) => failure === undefined).length, 8)
      assert.strictEqual(results.filter(({ failure }) => failure?._tag === "NotAttempted").length, 13)
    }).pipe(Effect.provide(layerInbox))
  )
})
