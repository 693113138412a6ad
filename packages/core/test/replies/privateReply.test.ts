import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { posted } from "@loopbox/testing/fixtures/activities"
import { ingest } from "@loopbox/testing/fixtures/inboxFixtures"
import { networkOf } from "@loopbox/testing/fixtures/networks"
import { Inbox } from "../../src/inbox/Inbox.ts"
import { IdempotencyKey } from "../../src/kernel/IdempotencyKey.ts"
import { OutcomeUnknown, RateLimited, Rejected, type WriteFailed } from "../../src/networks/ConnectorErrors.ts"
import type { PrivateReply } from "../../src/networks/moderating/NetworkModerate.ts"
import type { SentReply } from "../../src/networks/Reply.ts"
import type { Source } from "../../src/networks/Source.ts"
import { Replies } from "../../src/replies/Replies.ts"
import { find, layerReplies, makeItem, reply, script, showing, takeAll, whole, type World } from "./replyWorld.ts"

const ann = { author: { id: Option.some("ann") } }

const makeComment = Effect.fnUntraced(function* (source: Source = "ig_comment") {
  return yield* makeItem(source, { ...ann, receivedAt: yield* DateTime.now })
})

const answer = Effect.fnUntraced(function* (world: World, text: string, key?: string) {
  const idempotencyKey = key === undefined ? Option.none<IdempotencyKey>() : Option.some(IdempotencyKey.make(key))
  return yield* (yield* Replies).replyPrivately(world.caller, world.itemId, { text, idempotencyKey })
})

const itemOf = Effect.fnUntraced(function* ({ caller, itemId }: World) {
  return yield* (yield* Inbox).find(caller, itemId)
})

const common = ({ source }: PrivateReply) => ({
  network: networkOf(source),
  networkCode: Option.some("10900"),
  detail: "as scripted"
})

const messageOf = ({ source, text }: PrivateReply, externalId: string): SentReply => ({
  posted: posted({
    source: networkOf(source) === "facebook" ? "fb_dm" : "ig_dm",
    externalId,
    threadKey: "ann",
    body: text,
    isOwn: true,
    author: { id: Option.some("page") }
  })
})

const failures = {
  unknown: (asked: PrivateReply) => new OutcomeUnknown(common(asked)),
  answered: (asked: PrivateReply) => new Rejected({ ...common(asked), reason: "already_replied" }),
  limited: (asked: PrivateReply) => new RateLimited({ ...common(asked), retryAt: Option.none() })
}

/** The network answers each send by the next of these, and takes what comes after; answers what was sent. */
const answering = Effect.fnUntraced(function* (...steps: ReadonlyArray<(asked: PrivateReply) => WriteFailed>) {
  const sent: Array<PrivateReply> = []
  yield* script({
    replyPrivately: (_access, asked) =>
      Effect.suspend(() => {
        const step = steps[sent.length]
        sent.push(asked)
        return step === undefined ? Effect.succeed(messageOf(asked, `m${sent.length}`)) : Effect.fail(step(asked))
      })
  })
  return sent
})

describe("a private reply (api-2.md §13)", () => {
  it.effect("arrives once, lies in the conversation, and marks its comment", () =>
    Effect.gen(function* () {
      const world = yield* makeComment()
      assert.include((yield* itemOf(world)).capabilities, "private_reply")
      const sent = yield* answering()
      const { item, operation } = yield* whole(answer(world, " Look here ", "k1"))
      assert.strictEqual(operation.state._tag, "Completed")
      assert.deepStrictEqual(
        Option.map(item, ({ body, isOwn, source, threadKey }) => [source, threadKey, body, isOwn]),
        Option.some(["ig_dm", "ann", "Look here", true])
      )
      const { capabilities, privateRepliedAt } = yield* itemOf(world)
      assert.isTrue(Option.isSome(privateRepliedAt))
      assert.notInclude(capabilities, "private_reply")
      const again = yield* answer(world, "Look here", "k1")
      assert.deepStrictEqual([again.operation.id, again.operation.state._tag], [operation.id, "Completed"])
      for (const key of ["k2", undefined]) {
        const second = yield* Effect.flip(answer(world, "Look here", key))
        assert.deepInclude(second, { _tag: "ActionNotAvailable", reason: "already_replied" })
      }
      assert.deepStrictEqual(
        sent.map(({ authorId, externalId, source, text }) => [source, externalId, authorId, text]),
        [["ig_comment", "c1", Option.some("ann"), "Look here"]]
      )
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is not sent twice by two who ask at once, with or without a key", () =>
    Effect.gen(function* () {
      const world = yield* makeComment()
      const sent = yield* answering()
      const first = yield* Effect.forkChild(answer(world, "One"))
      const second = yield* Effect.forkChild(Effect.result(answer(world, "Two", "k")))
      yield* TestClock.adjust("21 seconds")
      yield* Fiber.join(first)
      assert.deepInclude(yield* Fiber.join(second), { _tag: "Failure" })
      assert.strictEqual(sent.length, 1)
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("whose answer was lost is sent again, and has arrived if the network takes no second one", () =>
    Effect.gen(function* () {
      const world = yield* makeComment()
      const sent = yield* answering(failures.unknown, failures.answered)
      yield* showing(({ attemptedAt, reply: asked }) => [
        posted({
          source: asked.source,
          externalId: "m1",
          threadKey: asked.target.threadKey,
          body: asked.text,
          isOwn: true,
          receivedAt: attemptedAt
        })
      ])
      const { item, operation } = yield* whole(answer(world, "Look", "k1"))
      assert.strictEqual(operation.state._tag, "Completed")
      assert.deepStrictEqual(
        Option.map(item, ({ externalId, source }) => [source, externalId]),
        Option.some(["ig_dm", "m1"])
      )
      assert.strictEqual(sent.length, 2)
      assert.isTrue(Option.isSome((yield* itemOf(world)).privateRepliedAt))
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("that is known to have arrived is completed, also if the conversation does not show it yet", () =>
    Effect.gen(function* () {
      const world = yield* makeComment("fb_comment")
      yield* answering(failures.unknown, failures.answered)
      yield* showing(() => [])
      const { item, operation } = yield* whole(answer(world, "Look", "k1"))
      assert.deepStrictEqual([operation.state._tag, item], ["Completed", Option.none()])
      assert.isTrue(Option.isSome((yield* itemOf(world)).privateRepliedAt))
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("that did not arrive does so by the second send", () =>
    Effect.gen(function* () {
      const world = yield* makeComment()
      const sent = yield* answering(failures.unknown, failures.unknown)
      const { operation } = yield* whole(answer(world, "Look", "k1"))
      assert.strictEqual(operation.state._tag, "Completed")
      assert.strictEqual(sent.length, 3)
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is found by its echo, before it is sent again", () =>
    Effect.gen(function* () {
      const world = yield* makeComment("fb_comment")
      const sent = yield* answering(failures.unknown)
      const asked = yield* Effect.forkChild(answer(world, "Look", "k1"))
      yield* TestClock.adjust("2 seconds")
      const echo = posted({
        source: "fb_dm",
        externalId: "m9",
        threadKey: "ann",
        isOwn: true,
        body: "Look",
        receivedAt: yield* DateTime.now
      })
      yield* ingest(world.account, [echo], { now: yield* DateTime.now })
      yield* TestClock.adjust("19 seconds")
      const { item } = yield* Fiber.join(asked)
      assert.deepStrictEqual(
        Option.map(item, ({ externalId }) => externalId),
        Option.some("m9")
      )
      assert.strictEqual(sent.length, 1)
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("to a comment that somebody answered by hand is refused, and its comment knows", () =>
    Effect.gen(function* () {
      const world = yield* makeComment()
      yield* answering(failures.answered)
      const { operation } = yield* whole(answer(world, "Look", "k1"))
      assert.deepInclude(operation.state, { _tag: "Rejected" })
      const { capabilities, privateRepliedAt } = yield* itemOf(world)
      assert.isTrue(Option.isSome(privateRepliedAt))
      assert.notInclude(capabilities, "private_reply")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("that was limited is sent by a replay of its key, and leaves room for another", () =>
    Effect.gen(function* () {
      const world = yield* makeComment()
      const sent = yield* answering(failures.limited, failures.limited)
      const held = yield* whole(answer(world, "Look", "k1"))
      assert.strictEqual(held.operation.state._tag, "Held")
      assert.strictEqual((yield* whole(answer(world, "Other", "k2"))).operation.state._tag, "Held")
      const { operation } = yield* whole(answer(world, "Look", "k1"))
      assert.deepStrictEqual([operation.id, operation.state._tag], [held.operation.id, "Completed"])
      assert.strictEqual(sent.length, 3)
      assert.strictEqual((yield* find(world, operation.id)).state._tag, "Completed")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is no public one: a key names one of them", () =>
    Effect.gen(function* () {
      const world = yield* makeComment()
      yield* takeAll
      yield* whole(reply(world, "Yes", "k1"))
      const error = yield* Effect.flip(answer(world, "Yes", "k1"))
      assert.strictEqual(error._tag, "ReplyKeyConflict")
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is refused with its reason, and nothing is sent", () =>
    Effect.gen(function* () {
      const sent = yield* answering()
      const old = yield* makeItem("fb_comment", {
        ...ann,
        receivedAt: DateTime.subtract(yield* DateTime.now, { days: 7 })
      })
      const none = yield* makeItem("x_reply", {}, { username: Option.some("page") })
      const own = yield* makeItem("ig_comment", { isOwn: true })
      const reasonOf = (world: World) => Effect.flip(answer(world, "Look", "k1"))
      assert.deepInclude(yield* reasonOf(old), { _tag: "ActionNotAvailable", reason: "window_closed" })
      assert.deepInclude(yield* reasonOf(none), { _tag: "ActionNotAvailable", reason: "not_supported" })
      assert.deepInclude(yield* reasonOf(own), { _tag: "ActionNotAvailable", reason: "own_item" })
      assert.strictEqual((yield* Effect.flip(answer(old, "  ", "k1")))._tag, "ReplyTextInvalid")
      assert.deepStrictEqual(sent, [])
    }).pipe(Effect.provide(layerReplies))
  )
})
