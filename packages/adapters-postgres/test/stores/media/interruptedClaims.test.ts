import { inboxEpoch, inboxWorld } from "@loopbox/testing/fixtures/inboxFixtures"
import { claimAt, makeQueued, makeWorkspace } from "@loopbox/testing/fixtures/storeFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
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
})
