import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { EndpointDeliveries } from "../../src/outgoing/EndpointDeliveries.ts"
import { OutgoingEndpointStore } from "../../src/outgoing/OutgoingEndpointStore.ts"
import { WebhookEndpoints } from "../../src/outgoing/WebhookEndpoints.ts"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { happen, layerEndpoints, makeEndpoint, worker } from "./endpointFixtures.ts"

describe("A webhook that is asked for again", () => {
  it.effect("is refused while its endpoint is switched off", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const { caller, endpoint } = yield* makeEndpoint(id)
      const [endpoints, store] = [yield* WebhookEndpoints, yield* OutgoingEndpointStore]
      // Another call switches it off in the moment in which the store is asked.
      const switched = OutgoingEndpointStore.of({
        ...store,
        redeliver: (...of) =>
          Effect.andThen(
            Effect.orDie(endpoints.update(caller, endpoint.id, { status: "disabled" })),
            store.redeliver(...of)
          )
      })
      yield* Layer.build(worker)
      yield* happen(id, 1)
      yield* TestClock.adjust("2 seconds")
      const [sent] = (yield* store.deliveries(id, endpoint.id, Option.none(), { limit: 1, after: Option.none() })).items
      if (sent === undefined) return assert.fail("no delivery")
      const layer = Layer.provide(Layer.fresh(EndpointDeliveries.layer), Layer.succeed(OutgoingEndpointStore, switched))
      const deliveries = Context.get(yield* Layer.build(layer), EndpointDeliveries)
      const refused = yield* Effect.flip(deliveries.redeliver(caller, endpoint.id, sent.id))
      assert.strictEqual(refused._tag, "EndpointDisabled")
      yield* TestClock.adjust("1 minute")
      const found = yield* store.findDelivery(id, endpoint.id, sent.id)
      assert.deepStrictEqual(
        Option.map(found, ({ delivery: { attempts, status } }) => [attempts, status]),
        Option.some([1, "delivered"])
      )
    }).pipe(Effect.provide(layerEndpoints))
  )
})
