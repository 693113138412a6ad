import { ApiKeys } from "@loopbox/core/workspaces/ApiKeys"
import { apiKey, makeWorkspace, storeWorld } from "@loopbox/testing/fixtures/storeFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import * as Statement from "effect/sql/Statement"
import { layerStores } from "../../testDatabase.ts"

layer(storeWorld(layerStores()), { excludeTestServices: true })("Requests of one key", (it) => {
  it.effect("that come together are let in by one statement", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* makeWorkspace("growth", yield* DateTime.now)
      const key = yield* apiKey(id, yield* DateTime.now)
      assert.isTrue(yield* keys.insert(key))
      // Its workspace is remembered from then on.
      yield* keys.findHolder(key.id)
      let sent = 0
      const found = yield* Effect.all(
        Array.from({ length: 5 }, () => keys.findHolder(key.id)),
        { concurrency: "unbounded" }
      ).pipe(
        Effect.provideService(Statement.CurrentTransformer, (statement) =>
          Effect.sync(() => {
            sent++
            return statement
          })
        )
      )
      assert.strictEqual(sent, 1)
      for (const holder of found) assert.strictEqual(Option.getOrThrow(holder).key.id, key.id)
      assert.isTrue(yield* keys.revoke(id, key.id))
      assert.isTrue(Option.isNone(yield* keys.findHolder(key.id)))
    })
  )
})
