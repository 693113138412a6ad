import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import { IngestStore } from "../../src/inbox/IngestStore.ts"
import { WebhookDeliveries } from "../../src/webhooks/WebhookDeliveries.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import * as WebhookWorker from "../../src/webhooks/WebhookWorker.ts"
import { posted } from "@loopbox/testing/fixtures/activities"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { listed, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount, layerInboxPorts, layerInboxServices } from "@loopbox/testing/layers/inboxLayers"

describe("a stored delivery", () => {
  it.effect("is asked for once when it comes, and without a pause where the bodies of others took all memory", () => {
    let asked = 0
    const passLessThanAPoll = Effect.repeat(TestClock.adjust("10 millis"), { times: 49 })
    const ingesting = Latch.makeUnsafe(true)
    const worker = WebhookWorker.layer().pipe(
      Layer.provideMerge(layerInboxServices),
      Layer.updateService(IngestStore, (store) =>
        IngestStore.of({ ...store, ingest: (unit) => ingesting.whenOpen(store.ingest(unit)) })
      ),
      Layer.updateService(WebhookDeliveries, (store) =>
        WebhookDeliveries.of({
          ...store,
          claim: (request) => {
            asked += 1
            return store.claim(request)
          }
        })
      ),
      Layer.provideMerge(layerInboxPorts)
    )
    return Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      yield* connectAccount(workspace.id)
      yield* TestClock.adjust("100 millis")
      const before = asked
      const { toBody } = yield* FakeNetworks
      const webhooks = yield* Webhooks
      yield* webhooks.accept("meta", toBody([posted()]))
      yield* passLessThanAPoll
      assert.deepStrictEqual(yield* listed(scopeOf(workspace.id)), ["c1"])
      assert.strictEqual(asked - before, 1)

      yield* ingesting.close
      for (let i = 0; i < 40; i++) {
        // As much as 31 of them is what a process holds.
        const body = new Uint8Array(1_100_000).fill(32)
        body.set(toBody([posted({ externalId: `large ${i}` })]))
        yield* webhooks.accept("meta", body)
      }
      yield* TestClock.adjust("2 seconds")
      yield* ingesting.open
      yield* passLessThanAPoll
      assert.lengthOf(yield* listed(scopeOf(workspace.id)), 41)
    }).pipe(Effect.provide(worker))
  })
})
