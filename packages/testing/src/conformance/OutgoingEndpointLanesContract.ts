import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { SyncId } from "@loopbox/core/kernel/Ids"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { type InboxPorts, inboxWorld } from "../fixtures/inboxFixtures.ts"
import {
  appendEvents,
  claimDue,
  disabled,
  enabled,
  later,
  makeEndpoints,
  ofEndpoint,
  oldest,
  only,
  readOn,
  seqsOf,
  settleAs,
  succeedAll
} from "../fixtures/laneFixtures.ts"

const synced = {
  _tag: "SyncCompleted",
  externalUserId: Option.none(),
  syncId: SyncId.make(`syn_${"0".repeat(26)}`),
  newItems: 1
} as const

/** What every adapter of the ports OutgoingQueue and OutgoingEndpointStore does with the lane of an endpoint that is disabled or removed. */
export const outgoingEndpointLanesContract = <E>(
  adapter: string,
  stores: Layer.Layer<InboxPorts | OutgoingQueue | OutgoingEndpointStore, E>
) =>
  layer(inboxWorld(stores))(`Lanes of endpoints that change: ${adapter}`, (it) => {
    it.effect(
      "cancels what waits for an endpoint that is disabled, and writes nothing for it until it is enabled",
      () =>
        Effect.gen(function* () {
          const [queue, store] = [yield* OutgoingQueue, yield* OutgoingEndpointStore]
          const { endpoints, now, workspaceId } = yield* makeEndpoints({}, {})
          const [one, other] = endpoints
          if (one === undefined || other === undefined) return assert.fail("no endpoint")
          yield* appendEvents(endpoints, 1, 10, now)
          const claims = yield* claimDue(now)
          const held = ofEndpoint(claims, one)
          yield* store.update(workspaceId, one.id, disabled, now)
          assert.strictEqual((yield* Effect.flip(settleAs(held, oldest(held), 500, now)))._tag, "LeaseLost")
          yield* appendEvents(endpoints, 11, 12, now)
          const known = yield* store.deliveries(workspaceId, one.id, Option.none(), { limit: 50, after: Option.none() })
          assert.deepStrictEqual(new Set(known.items.map(({ status }) => status)), new Set(["canceled"]))
          assert.strictEqual(known.items.length, 10)
          assert.deepStrictEqual(
            (yield* queue.listening(workspaceId)).map(({ endpoint }) => endpoint.id),
            [other.id]
          )
          const beside = ofEndpoint(claims, other)
          yield* succeedAll(beside, now)
          assert.deepStrictEqual(seqsOf(yield* readOn(beside, now)), [9, 10, 11, 12])
          yield* store.update(workspaceId, one.id, enabled, now)
          yield* appendEvents(endpoints, 13, 13, now)
          assert.deepStrictEqual(seqsOf(only(yield* claimDue(now)).deliveries), [13])
        })
    )

    it.effect(
      "writes nothing of before an endpoint was enabled again, though that was while its deliveries were made",
      () =>
        Effect.gen(function* () {
          const [events, store] = [yield* InboxEvents, yield* OutgoingEndpointStore]
          const { endpoints, now, workspaceId } = yield* makeEndpoints({}, {})
          const [one, other] = endpoints
          if (one === undefined || other === undefined) return assert.fail("no endpoint")
          yield* events.publish(workspaceId, [synced, synced], now)
          yield* store.update(workspaceId, one.id, disabled, now)
          yield* store.update(workspaceId, one.id, enabled, now)
          // Made for an endpoint that was there as it is now.
          yield* appendEvents(endpoints, 1, 3, now)
          const claims = yield* claimDue(now)
          assert.deepStrictEqual(seqsOf(ofEndpoint(claims, one).deliveries), [3])
          assert.deepStrictEqual(seqsOf(ofEndpoint(claims, other).deliveries), [1, 2, 3])
        })
    )

    it.effect("ends what waits for an endpoint whose answer disabled it, also what is being sent", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        yield* appendEvents(endpoints, 1, 10, now)
        const claim = only(yield* claimDue(now))
        const [gone, beside] = claim.deliveries
        if (gone === undefined || beside === undefined) return assert.fail("nothing to claim")
        yield* settleAs(claim, gone, 410, now)
        const found = Option.getOrThrow(yield* store.find(workspaceId, claim.endpoint.id))
        assert.deepStrictEqual([found.status, found.statusReason], ["disabled", Option.some("gone")])
        assert.deepStrictEqual((yield* succeedAll({ ...claim, deliveries: [beside] }, now)).map(Result.isFailure), [
          true
        ])
        const count = Effect.fnUntraced(function* (status: "failed" | "canceled") {
          const page = { limit: 50, after: Option.none() }
          return (yield* store.deliveries(workspaceId, claim.endpoint.id, Option.some(status), page)).items.length
        })
        assert.deepStrictEqual([yield* count("failed"), yield* count("canceled")], [1, 9])
        assert.deepStrictEqual(yield* claimDue(later(now, 3_600)), [])
      })
    )

    it.effect("refuses everything to whoever sends to an endpoint that was removed meanwhile", () =>
      Effect.gen(function* () {
        const [queue, store] = [yield* OutgoingQueue, yield* OutgoingEndpointStore]
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        yield* appendEvents(endpoints, 1, 3, now)
        const claim = only(yield* claimDue(now))
        assert.isTrue(yield* store.remove(workspaceId, claim.endpoint.id))
        assert.isTrue((yield* succeedAll(claim, now)).every(Result.isFailure))
        const refused = [
          settleAs(claim, oldest(claim), 500, now),
          readOn(claim, now),
          queue.renew(claim.lane, later(now, 60)),
          queue.release(claim.lane, now)
        ]
        for (const asked of refused)
          assert.strictEqual(
            (yield* Effect.flip<unknown, { readonly _tag: string }, OutgoingQueue>(asked))._tag,
            "LeaseLost"
          )
        assert.deepStrictEqual(yield* claimDue(later(now, 3_600)), [])
      })
    )
  })
