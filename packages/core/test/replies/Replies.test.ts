import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { InboxEvents } from "../../src/feed/InboxEvents.ts"
import { OutboundStore } from "../../src/outbound/OutboundStore.ts"
import { Replies } from "../../src/replies/Replies.ts"
import { posted } from "@loopbox/testing/fixtures/activities"
import { idOf, ingest, listed, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { layerInbox, layerInboxPorts, layerInboxServices } from "@loopbox/testing/layers/inboxLayers"
import {
  failAll,
  failures,
  layerPatient,
  layerReplies,
  makeItem,
  postOf,
  reply,
  script,
  takeAll,
  toldStatuses,
  whole
} from "./replyWorld.ts"

describe("a reply (design §6)", () => {
  it.effect("is sent once and is an own item with the text that was sent", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const sent = yield* takeAll
      const { item, operation } = yield* whole(reply(world, "  Yes!  "))
      assert.strictEqual(operation.state._tag, "Completed")
      assert.strictEqual(operation.attempts, 1)
      assert.deepStrictEqual(
        Option.map(item, ({ body, isOwn }) => [body, isOwn]),
        Option.some(["Yes!", true])
      )
      assert.deepStrictEqual(
        sent.map(({ operationId, target, text }) => [operationId, target.externalId, text]),
        [[operation.id, "c1", "Yes!"]]
      )
      assert.deepStrictEqual(yield* toldStatuses(world), ["pending", "sending", "remote_succeeded", "completed"])
      const found = yield* (yield* Replies).find(world.caller, operation.id)
      assert.deepStrictEqual(found, operation)
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("asked for fifty times at once with one key is posted once, and with another key twice", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const sent = yield* takeAll
      const all = yield* whole(
        Effect.all(
          Array.from({ length: 50 }, () => reply(world, "Yes", "k1")),
          { concurrency: "unbounded" }
        )
      )
      assert.strictEqual(sent.length, 1)
      assert.strictEqual(new Set(all.map(({ operation }) => operation.id)).size, 1)
      assert.isTrue(all.every(({ item }) => Option.isSome(item)))
      yield* whole(reply(world, "Yes", "k2"))
      assert.strictEqual(sent.length, 2)
      assert.strictEqual((yield* listed(scopeOf(world.workspace.id))).length, 3)
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is refused with the same key and another text, and nothing goes out", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const sent = yield* takeAll
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      const error = yield* Effect.flip(reply(world, "No", "k1"))
      assert.deepInclude(error, { _tag: "ReplyKeyConflict", operationId: operation.id })
      assert.strictEqual(sent.length, 1)
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("names what its credential may not do before it asks for a key", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("x_reply", {}, { username: Option.some("page"), permissions: ["tweet.read"] })
      const error = yield* Effect.flip(reply(world, "Yes"))
      assert.strictEqual(error._tag, "PermissionsMissing")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("whose client goes away is sent and settled all the same", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      let posts = 0
      yield* script({
        sendReply: (_access, asked) =>
          Effect.sync(() => {
            posts += 1
            return { posted: postOf(asked, "r1") }
          }).pipe(Effect.delay("3 seconds"))
      })
      const client = yield* Effect.forkChild(reply(world, "Yes", "k1"))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(client)
      yield* TestClock.adjust("10 seconds")
      const { operation } = yield* reply(world, "Yes", "k1")
      assert.deepStrictEqual([operation.state._tag, posts], ["Completed", 1])
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is read at most ten times a second while a request waits, however many events its workspace has", () => {
    let looks = 0
    const counting = (store: OutboundStore["Service"]) =>
      OutboundStore.of({
        ...store,
        find: (scope, id) =>
          Effect.andThen(
            Effect.sync(() => (looks += 1)),
            store.find(scope, id)
          )
      })
    return Effect.gen(function* () {
      const world = yield* makeItem()
      const events = yield* InboxEvents
      const client = yield* Effect.forkChild(reply(world, "Yes", "k1"))
      const moved = {
        _tag: "AccountMoved",
        accountId: world.account.id,
        from: Option.none(),
        to: Option.none()
      } as const
      const write = Effect.flatMap(DateTime.now, (at) => events.publish(world.workspace.id, [moved], at))
      yield* Effect.forkChild(Effect.forever(Effect.delay(write, "5 millis")))
      yield* TestClock.adjust("10 seconds")
      assert.isAtLeast(looks, 50)
      assert.isAtMost(looks, 101)
      yield* Fiber.interrupt(client)
    }).pipe(
      Effect.provide(
        layerInboxServices.pipe(Layer.updateService(OutboundStore, counting), Layer.provideMerge(layerInboxPorts))
      )
    )
  })

  it.effect("that the network refused stays refused for its key, without another call", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const tried = yield* failAll(failures.refused)
      const first = yield* whole(reply(world, "Yes", "k1"))
      const { state } = first.operation
      assert.isTrue(state._tag === "Rejected" && Option.contains(state.failure.reason, "blocked"))
      yield* takeAll
      assert.deepStrictEqual((yield* reply(world, "Yes", "k1")).operation, first.operation)
      assert.strictEqual(tried.length, 1)
    }).pipe(Effect.provide(layerReplies))
  )

  for (const name of ["limited", "expired", "away"] as const) {
    it.effect(`that surely was not posted (${name}) is sent by a replay of its key, and by nothing else`, () =>
      Effect.gen(function* () {
        const world = yield* makeItem()
        yield* failAll(failures[name])
        const first = yield* whole(reply(world, "Yes", "k1"))
        assert.strictEqual(first.operation.state._tag, "Held")
        const keyless = yield* whole(reply(world, "Yes"))
        assert.strictEqual(keyless.operation.state._tag, "Rejected")
        const sent = yield* takeAll
        yield* TestClock.adjust("23 hours")
        assert.strictEqual(sent.length, 0)
        const second = yield* whole(reply(world, "Yes", "k1"))
        assert.deepStrictEqual([second.operation.state._tag, second.operation.attempts], ["Completed", 2])
        assert.strictEqual(second.operation.id, first.operation.id)
        assert.strictEqual(sent.length, 1)
      }).pipe(Effect.provide(layerPatient))
    )
  }

  it.effect("that is not replayed within a day expires", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      yield* failAll(failures.limited)
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      const sent = yield* takeAll
      yield* TestClock.adjust("24 hours")
      const { state } = yield* (yield* Replies).find(world.caller, operation.id)
      assert.isTrue(state._tag === "Rejected" && state.failure.kind === "expired")
      assert.strictEqual((yield* reply(world, "Yes", "k1")).operation.state._tag, "Rejected")
      assert.strictEqual(sent.length, 0)
    }).pipe(Effect.provide(layerPatient))
  )

  it.effect("that no worker took within a minute is never sent", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const sent = yield* takeAll
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assert.strictEqual(operation.state._tag, "Waiting")
      yield* TestClock.adjust("40 seconds")
      const { state } = (yield* reply(world, "Yes", "k1")).operation
      assert.isTrue(state._tag === "Rejected" && state.failure.kind === "expired")
      assert.strictEqual(sent.length, 0)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("of an account that must be connected again is not sent", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("x_reply", {}, { username: Option.some("page"), permissions: ["tweet.read"] })
      const error = yield* Effect.flip(reply(world, "Yes", "k1"))
      assert.deepInclude(error, { _tag: "PermissionsMissing", missingScopes: ["tweet.write"] })
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is refused before anything is kept: own items, texts, keys, and X posts that do not summon", () =>
    Effect.gen(function* () {
      const world = yield* makeItem("x_reply", {}, { username: Option.some("page") })
      yield* script({ measure: (_source, text) => ({ length: text.length, limit: 5 }) })
      const tagOf = (text: string, key?: string, itemId = world.itemId) =>
        Effect.map(Effect.flip(reply({ ...world, itemId }, text, key)), ({ _tag }) => _tag)
      assert.strictEqual(yield* tagOf("Yes"), "ReplyKeyRequired")
      assert.strictEqual(yield* tagOf("  ", "k"), "ReplyTextInvalid")
      assert.strictEqual(yield* tagOf("123456", "k"), "ReplyTextInvalid")
      const other = Object.assign(posted({ source: "x_reply", externalId: "c2" }), { summons: Option.some("no") })
      yield* ingest(world.account, [other, posted({ source: "x_reply", externalId: "c3", isOwn: true })])
      const scope = scopeOf(world.workspace.id)
      assert.strictEqual(yield* tagOf("Yes", "k", yield* idOf(scope, "c2")), "NotAnswerable")
      assert.strictEqual(yield* tagOf("Yes", "k", yield* idOf(scope, "c3")), "NotAnswerable")
      assert.deepStrictEqual(yield* toldStatuses(world), [])
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("to a message is refused a minute before 24 hours after the person's newest, and open until then", () =>
    Effect.gen(function* () {
      const receivedAt = yield* DateTime.now
      const world = yield* makeItem("ig_dm", { threadKey: "ann", receivedAt })
      yield* takeAll
      yield* TestClock.adjust("1438 minutes")
      const sent = yield* whole(reply(world, "Still there?", "k1"))
      assert.strictEqual(sent.operation.state._tag, "Completed")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Effect.flip(reply(world, "Now?", "k2")))._tag, "WindowClosed")
      // What was sent before is still told.
      assert.strictEqual((yield* reply(world, "Still there?", "k1")).operation.state._tag, "Completed")
      const again = posted({ source: "ig_dm", externalId: "m2", threadKey: "ann", receivedAt: yield* DateTime.now })
      yield* ingest(world.account, [again])
      assert.strictEqual((yield* whole(reply(world, "Now?", "k2"))).operation.state._tag, "Completed")
    }).pipe(Effect.provide(layerPatient))
  )
})
