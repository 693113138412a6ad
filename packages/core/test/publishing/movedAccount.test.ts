import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { SocialAccounts } from "../../src/accounts/SocialAccounts.ts"
import { PostStore } from "../../src/posts/PostStore.ts"
import { showPost } from "../../src/posts/showPost.ts"
import { Posts } from "../../src/posts/Posts.ts"
import * as PublishWorker from "../../src/publishing/PublishWorker.ts"
import { ManagedUsers } from "../../src/workspaces/ManagedUsers.ts"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { connectAccount, layerInbox } from "@loopbox/testing/layers/inboxLayers"

const layerWorld = PublishWorker.layer().pipe(Layer.provideMerge(layerInbox))

/** Ann's post on her account, which is given to Bob; both in minutes from now. */
const moved = Effect.fnUntraced(function* (startsIn: number, movesIn: number | "while it is prepared") {
  const calls: Array<string> = []
  const world = yield* FakeNetworks
  world.publish = {
    publish: () =>
      Effect.sync(() => {
        calls.push("published")
        return { externalId: "p1", url: Option.some("https://n.test/p1"), postIds: ["p1"] }
      }),
    remove: () => Option.some(() => Effect.sync(() => void calls.push("deleted at the network")))
  }
  const { id } = yield* makeWorkspace("growth")
  const now = yield* DateTime.now
  for (const user of ["ann", "bob"]) yield* (yield* ManagedUsers).put(id, user, now)
  const account = yield* connectAccount(id, { network: "instagram", externalUserId: Option.some("ann") })
  const made = yield* makeKeptPost(id, [account], now, {
    owner: "ann",
    startAt: DateTime.add(now, { minutes: startsIn })
  })
  const store = yield* PostStore
  yield* store.submit({ workspaceId: id, idempotencyKey: Option.none() }, () => Result.succeed(made))
  const accounts = yield* SocialAccounts
  const move = Effect.flatMap(DateTime.now, (at) =>
    accounts.update(id, account.id, { externalUserId: Option.some("bob") }, at)
  )
  const ready = { _tag: "Ready", preparation: "nothing" } as const
  if (movesIn === "while it is prepared") {
    world.publish = { ...world.publish, prepare: () => Effect.as(Effect.orDie(move), ready) }
  }
  const moves = movesIn === "while it is prepared" ? -1 : movesIn
  const until = Math.max(startsIn, moves) + 1
  for (let minute = 0; minute < until; minute++) {
    if (minute === moves) yield* move
    yield* TestClock.adjust("1 minute")
  }
  const found = yield* store.find(scopeOf(id, "ann").scope, made.post.id)
  return { calls, found }
})

describe("a post on an account that was given to another managed user", () => {
  for (const movesIn of [5, "while it is prepared"] as const) {
    it.effect(`is not published there any more (${movesIn})`, () =>
      Effect.gen(function* () {
        const { calls, found } = yield* moved(10, movesIn)
        const [target] = Option.getOrThrow(Option.map(found, (kept) => showPost(kept).targets))
        assert.deepStrictEqual([calls, target?.status], [[], "failed"])
        assert.deepStrictEqual(
          Option.map(target?.failure ?? Option.none(), ({ code }) => code),
          Option.some("account_not_found")
        )
      }).pipe(Effect.provide(layerWorld))
    )
  }

  it.effect("can't be deleted at the network by who had the account before", () =>
    Effect.gen(function* () {
      const { calls, found } = yield* moved(1, 5)
      assert.deepStrictEqual(calls, ["published"])
      const kept = Option.getOrThrow(found)
      const [target] = kept.targets
      if (target === undefined) return assert.fail("no target")
      const scope = scopeOf(kept.post.workspaceId, "ann").scope
      yield* Effect.ignore((yield* Posts).removeTarget(scope, kept.post.id, target.id))
      assert.deepStrictEqual(calls, ["published"])
    }).pipe(Effect.provide(layerWorld))
  )
})
