import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { type OutgoingClaim, OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { type InboxPorts, inboxWorld } from "../fixtures/inboxFixtures.ts"
import {
  appendEvents,
  claimDue,
  later,
  leaseSeconds,
  makeEndpoints,
  ofEndpoint,
  oldest,
  only,
  seqsOf,
  settleAs
} from "../fixtures/laneFixtures.ts"

const together = { concurrency: "unbounded" } as const

/** What every adapter of the port OutgoingQueue does when lanes of one workspace end what they have at the same time. */
export const outgoingTogetherContract = <E>(
  adapter: string,
  stores: Layer.Layer<InboxPorts | OutgoingQueue | OutgoingEndpointStore, E>
) =>
  layer(inboxWorld(stores))(`Lanes of OutgoingQueue that end together: ${adapter}`, (it) => {
    it.effect("are settled and given back by whoever holds them, and by nobody else", () =>
      Effect.gen(function* () {
        const [queue, store] = [yield* OutgoingQueue, yield* OutgoingEndpointStore]
        const settings = Array.from({ length: 12 }, (_, n) => ({ isOrdered: n % 2 === 0 }))
        const { endpoints, now, workspaceId } = yield* makeEndpoints(...settings)
        yield* appendEvents(endpoints, 1, 2, now)
        const [late, well] = [yield* claimDue(now, 4), yield* claimDue(now)]
        yield* Effect.forEach(well, ({ lane }) => queue.renew(lane, later(now, 4 * leaseSeconds)))
        // Another worker has the lanes of the first one by now.
        const taken = yield* claimDue(now, 128, later(now, leaseSeconds + 1))
        assert.deepStrictEqual([late.length, well.length, taken.length], [4, 8, 4])
        const [[gone], [removed]] = [taken, well]
        if (gone === undefined || removed === undefined) return assert.fail("too few")
        yield* store.remove(workspaceId, removed.endpoint.id)

        const isLost = (call: (claim: OutgoingClaim) => Effect.Effect<void, unknown, OutgoingQueue>) =>
          Effect.forEach(
            [...late, ...taken, ...well],
            (claim) => Effect.map(Effect.result(call(claim)), Result.isFailure),
            together
          )
        const settled = yield* isLost((claim) => settleAs(claim, oldest(claim), claim === gone ? 410 : 500, now))
        const expected = (of: ReadonlyArray<OutgoingClaim>) =>
          [...late, ...taken, ...well].map((claim) => late.includes(claim) || of.includes(claim))
        assert.deepStrictEqual(settled, expected([removed]))
        for (const { endpoint } of [...taken, ...well]) {
          const found = yield* store.find(workspaceId, endpoint.id)
          const states = Option.toArray(found).map(({ failuresInRow, status }) => [status, failuresInRow])
          if (endpoint.id === removed.endpoint.id) assert.deepStrictEqual(states, [])
          else if (endpoint.id === gone.endpoint.id) assert.deepStrictEqual(states, [["disabled", 1]])
          else assert.deepStrictEqual(states, [["enabled", 1]])
        }

        // Disabling takes the lane from its worker.
        const released = yield* isLost(({ lane }) => queue.release(lane, now))
        assert.deepStrictEqual(released, expected([removed, gone]))
        const again = yield* claimDue(later(now, 6))
        assert.strictEqual(again.length, endpoints.length - 2)
        for (const endpoint of endpoints) {
          if (endpoint.id === removed.endpoint.id || endpoint.id === gone.endpoint.id) continue
          const { deliveries } = ofEndpoint(again, endpoint)
          assert.deepStrictEqual(seqsOf(deliveries), endpoint.isOrdered ? [1] : [2, 1])
          assert.strictEqual(deliveries.at(-1)?.attempts, 1)
        }
      })
    )

    it.effect("are told of when they are given back and something of them is due", () =>
      Effect.gen(function* () {
        const queue = yield* OutgoingQueue
        const { endpoints, now } = yield* makeEndpoints({})
        yield* appendEvents(endpoints, 1, 1, now)
        const told = yield* Queue.unbounded<void>()
        yield* Effect.forkScoped(Stream.runForEach(queue.additions, () => Queue.offer(told, undefined)))
        // What is told before the subscription is there is not heard.
        while ((yield* Queue.size(told)) === 0) {
          yield* queue.release(only(yield* claimDue(now)).lane, now)
          yield* Effect.yieldNow
        }
      })
    )
  })
