import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { SocialAccounts } from "../../src/accounts/SocialAccounts.ts"
import type { OutboundOperation } from "../../src/outbound/OutboundOperation.ts"
import * as ReplyWorker from "../../src/replies/ReplyWorker.ts"
import { ManagedUsers } from "../../src/workspaces/ManagedUsers.ts"
import { layerInbox } from "@loopbox/testing/layers/inboxLayers"
import {
  failAll,
  failures,
  find,
  layerReplies,
  makeItem,
  reply,
  script,
  takeAll,
  toldStatuses,
  whole
} from "./replyWorld.ts"

/** An item on an account of Ann's, and how the account is given to Bob. */
const makeWorld = Effect.fnUntraced(function* (source: "ig_comment" | "threads_reply" = "ig_comment") {
  const world = yield* makeItem(source, {}, { externalUserId: Option.some("ann"), username: Option.some("page") })
  const at = yield* DateTime.now
  yield* (yield* ManagedUsers).put(world.workspace.id, "bob", at)
  const accounts = yield* SocialAccounts
  const move = Effect.orDie(
    accounts.update(world.workspace.id, world.account.id, { externalUserId: Option.some("bob") }, at)
  )
  return { world, move, sent: yield* takeAll }
})

const assertRefused = ({ state }: OutboundOperation) => {
  if (state._tag !== "Rejected") return assert.fail(state._tag)
  assert.strictEqual(state.failure.kind, "refused")
  assert.deepStrictEqual(state.failure.reason, Option.some("account_not_found"))
}

describe("a reply on an account that was given to another managed user", () => {
  it.effect("is not sent any more where it waited meanwhile, and readers are told", () =>
    Effect.gen(function* () {
      const { move, sent, world } = yield* makeWorld()
      const client = yield* Effect.forkChild(reply(world, "Yes", "k1"))
      yield* TestClock.adjust("1 millis")
      yield* move
      yield* Layer.build(ReplyWorker.layer())
      yield* TestClock.adjust("21 seconds")
      const { operation } = yield* Fiber.join(client)
      assertRefused(operation)
      assert.lengthOf(sent, 0)
      assert.deepStrictEqual(yield* toldStatuses(world), ["pending", "sending", "rejected"])
      // What has ended names nobody.
      assert.isTrue(Option.isNone((yield* find(world, operation.id)).externalUserId))
    }).pipe(Effect.scoped, Effect.provide(layerInbox))
  )

  it.effect("is not sent any more where it was being prepared meanwhile", () =>
    Effect.gen(function* () {
      const { move, sent, world } = yield* makeWorld("threads_reply")
      yield* script({ prepareReply: () => Effect.as(move, Option.some("container")) })
      const { operation } = yield* whole(reply(world, "Yes", "k1"))
      assertRefused(operation)
      assert.lengthOf(sent, 0)
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is not sent again by a replay of its key", () =>
    Effect.gen(function* () {
      const { move, world } = yield* makeWorld()
      const tried = yield* failAll(failures.away)
      assert.strictEqual((yield* whole(reply(world, "Yes", "k1"))).operation.state._tag, "Held")
      yield* move
      assert.strictEqual((yield* whole(reply(world, "Yes", "k1"))).operation.state._tag, "Rejected")
      assert.lengthOf(tried, 1)
    }).pipe(Effect.provide(layerReplies))
  )

  it.effect("is sent where it was the workspace's own and nobody had the account", () =>
    Effect.gen(function* () {
      const world = yield* makeItem()
      const sent = yield* takeAll
      const at = yield* DateTime.now
      yield* (yield* ManagedUsers).put(world.workspace.id, "bob", at)
      const client = yield* Effect.forkChild(reply(world, "Yes", "k1"))
      yield* TestClock.adjust("1 millis")
      const change = { externalUserId: Option.some("bob") }
      yield* (yield* SocialAccounts).update(world.workspace.id, world.account.id, change, at)
      yield* Layer.build(ReplyWorker.layer())
      yield* TestClock.adjust("21 seconds")
      assert.strictEqual((yield* Fiber.join(client)).operation.state._tag, "Completed")
      assert.lengthOf(sent, 1)
    }).pipe(Effect.scoped, Effect.provide(layerInbox))
  )
})
