import { inboxEpoch, inboxWorld } from "@loopbox/testing/fixtures/inboxFixtures"
import { claimAt, claimed, makeQueued, makeWorkspace } from "@loopbox/testing/fixtures/storeFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { LooksBehind } from "../../../src/rows/fairTurns.ts"
import { layerStores } from "../../testDatabase.ts"
import { awaitWaiting } from "../../waiting.ts"

layer(inboxWorld(layerStores()), { excludeTestServices: true })("a claim that ends half-way", (it) => {
  it.effect("of a conversion counts no attempt, and leaves the job to the next claim", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const now = yield* inboxEpoch
      const { id } = yield* makeQueued((yield* makeWorkspace("team", now)).id, now)
      const [locked, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const lock = yield* sql`LOCK TABLE media IN ACCESS EXCLUSIVE MODE`.pipe(
        Effect.andThen(Deferred.succeed(locked, undefined)),
        Effect.andThen(Deferred.await(go)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(locked)
      // It has taken the job, and waits for the record of its GIF.
      const claiming = yield* Effect.forkChild(claimAt(now))
      yield* awaitWaiting(1)
      yield* Fiber.interrupt(claiming)
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(lock)
      const outcome = yield* claimAt(DateTime.add(now, { seconds: 1 }))
      if (outcome._tag !== "Claimed") return assert.fail(outcome._tag)
      assert.deepStrictEqual([outcome.claim.job.id, outcome.claim.job.attempts], [id, 1])
    })
  )

  it.effect("of a conversion leaves it in front of the backlog that the look before has found", () =>
    Effect.gen(function* () {
      const store = yield* ConversionStore
      const now = DateTime.add(yield* inboxEpoch, { hours: 1 })
      const { id: workspaceId } = yield* makeWorkspace("team", now)
      yield* Effect.replicateEffect(makeQueued(workspaceId, now), 20, { discard: true })
      const [first, second] = [yield* claimed(now), yield* claimed(now)]
      yield* store.release(first, now)
      const again = yield* claimed(now)
      assert.strictEqual(again.job.id, first.job.id)
      assert.notStrictEqual(again.job.id, second.job.id)
      // Each of the others is claimed once, whoever looked.
      const others = yield* Effect.replicateEffect(claimed(now), 18)
      assert.strictEqual(new Set([again, second, ...others].map(({ job }) => job.id)).size, 20)
      assert.strictEqual((yield* claimAt(now))._tag, "Nothing")
    }).pipe(Effect.provideService(LooksBehind, 1e-9))
  )
})
