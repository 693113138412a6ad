import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { Inbox } from "../../src/inbox/Inbox.ts"
import { IdempotencyKey } from "../../src/kernel/IdempotencyKey.ts"
import { Replies } from "../../src/replies/Replies.ts"
import { failAll, failures, layerPatient, makeItem, reply, takeAll, whole, type World } from "./replyWorld.ts"

const allowed = { permissions: ["human_agent"] }

const makeMessage = Effect.fnUntraced(function* (change: { readonly permissions?: ReadonlyArray<string> } = allowed) {
  return yield* makeItem("ig_dm", { receivedAt: yield* DateTime.now }, change)
})

const byPerson = Effect.fnUntraced(function* ({ caller, itemId }: World, text: string, key?: string) {
  const idempotencyKey = key === undefined ? Option.none<IdempotencyKey>() : Option.some(IdempotencyKey.make(key))
  return yield* (yield* Replies).reply(caller, itemId, { text, idempotencyKey, tag: "human_agent" })
})

const windowOf = Effect.fnUntraced(function* ({ caller, itemId }: World) {
  const { capabilities, receivedAt, replyWindow } = yield* (yield* Inbox).find(caller, itemId)
  return {
    window: Option.map(replyWindow, ({ closesAt, mode }) => [
      mode,
      Duration.format(DateTime.distance(receivedAt, closesAt))
    ]),
    mayReply: capabilities.includes("reply")
  }
})

describe("a person's answer to a message (api-2.md §13)", () => {
  it.effect("is an ordinary one within 24 hours, tagged until 7 days less a minute, and refused after that", () =>
    Effect.gen(function* () {
      const world = yield* makeMessage()
      const sent = yield* takeAll
      yield* whole(byPerson(world, "At once"))
      yield* TestClock.adjust("23 hours")
      yield* TestClock.adjust("58 minutes")
      yield* whole(byPerson(world, "In time"))
      yield* TestClock.adjust("1 minute")
      assert.deepInclude(yield* Effect.flip(reply(world, "By a program")), { _tag: "WindowClosed" })
      yield* whole(byPerson(world, "Next day"))
      yield* TestClock.adjust("5 days")
      yield* TestClock.adjust(Duration.subtract(Duration.hours(24), Duration.minutes(2)))
      yield* whole(byPerson(world, "Last day"))
      yield* TestClock.adjust("1 minute")
      assert.deepInclude(yield* Effect.flip(byPerson(world, "Too late")), { _tag: "WindowClosed" })
      assert.deepStrictEqual(
        sent.map(({ tag, text }) => [text, tag]),
        [
          ["At once", undefined],
          ["In time", undefined],
          ["Next day", "human_agent"],
          ["Last day", "human_agent"]
        ]
      )
    }).pipe(Effect.provide(layerPatient))
  )

  it.effect("is what the item's window says, where the account has the permission", () =>
    Effect.gen(function* () {
      const world = yield* makeMessage()
      const other = yield* makeMessage({ permissions: [] })
      assert.deepStrictEqual(yield* windowOf(world), { window: Option.some(["standard", "23h 59m"]), mayReply: true })
      yield* TestClock.adjust("24 hours")
      assert.deepStrictEqual(yield* windowOf(world), {
        window: Option.some(["human_agent", "6d 23h 59m"]),
        mayReply: true
      })
      assert.deepStrictEqual(yield* windowOf(other), { window: Option.some(["closed", "23h 59m"]), mayReply: false })
      yield* TestClock.adjust("6 days")
      assert.deepStrictEqual(yield* windowOf(world), { window: Option.some(["closed", "6d 23h 59m"]), mayReply: false })
    }).pipe(Effect.provide(layerPatient))
  )

  it.effect("needs a permission that the account is known to have, and a message", () =>
    Effect.gen(function* () {
      const sent = yield* takeAll
      const without = yield* makeMessage({ permissions: ["instagram_business_manage_messages"] })
      const comment = yield* makeItem("ig_comment", {}, allowed)
      assert.deepInclude(yield* Effect.flip(byPerson(without, "Yes")), {
        _tag: "ActionNotAvailable",
        reason: "missing_scopes",
        missingScopes: ["human_agent"]
      })
      assert.deepInclude(yield* Effect.flip(byPerson(comment, "Yes")), {
        _tag: "ActionNotAvailable",
        reason: "not_supported"
      })
      assert.strictEqual(sent.length, 0)
    }).pipe(Effect.provide(layerPatient))
  )

  it.effect("that was not taken is sent by its replay as the time then asks for", () =>
    Effect.gen(function* () {
      const world = yield* makeMessage()
      yield* TestClock.adjust("23 hours")
      yield* failAll(failures.limited)
      const { operation } = yield* whole(byPerson(world, "Yes", "k1"))
      assert.strictEqual(operation.state._tag, "Held")
      yield* TestClock.adjust("2 hours")
      const sent = yield* takeAll
      const again = yield* whole(byPerson(world, "Yes", "k1"))
      assert.deepStrictEqual([again.operation.id, again.operation.state._tag], [operation.id, "Completed"])
      assert.deepStrictEqual(
        sent.map(({ tag }) => tag),
        ["human_agent"]
      )
      assert.deepInclude(yield* Effect.flip(reply(world, "Yes", "k1")), { _tag: "ReplyKeyConflict" })
    }).pipe(Effect.provide(layerPatient))
  )
})
