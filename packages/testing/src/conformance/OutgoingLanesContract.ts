import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { atOnceOfEndpoint, type OutgoingClaim, OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { type InboxPorts, inboxWorld } from "../fixtures/inboxFixtures.ts"
import {
  appendEvents,
  claimDue,
  later,
  leaseSeconds,
  makeEndpoints,
  seqsOf,
  settleAs,
  succeedAll
} from "../fixtures/laneFixtures.ts"

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

const ofEndpoint = (claims: ReadonlyArray<OutgoingClaim>, { id }: Pick<OutgoingEndpoint, "id">) =>
  claims.filter(({ delivery }) => delivery.endpointId === id)

const only = (claims: ReadonlyArray<OutgoingClaim>): OutgoingClaim => {
  const [claim, ...more] = claims
  assert.deepStrictEqual(more, [])
  return claim ?? assert.fail("nothing to claim")
}

const disabled = (endpoint: OutgoingEndpoint) =>
  new OutgoingEndpoint({ ...endpoint, status: "disabled", statusReason: Option.some("requested") })

const enabled = (endpoint: OutgoingEndpoint) =>
  new OutgoingEndpoint({ ...endpoint, status: "enabled", statusReason: Option.none() })

/** What every adapter of the ports OutgoingQueue and OutgoingEndpointStore does when several work on the same queues. */
export const outgoingLanesContract = <E>(
  adapter: string,
  stores: Layer.Layer<InboxPorts | OutgoingQueue | OutgoingEndpointStore, E>
) =>
  layer(inboxWorld(stores))(`Lanes of OutgoingQueue: ${adapter}`, (it) => {
    it.effect("gives each endpoint its places, and no more, whoever claims", () =>
      Effect.gen(function* () {
        const { endpoints, now } = yield* makeEndpoints({}, {}, { isOrdered: true })
        yield* appendEvents(endpoints, 1, 30, now)
        const workers = Array.from({ length: 12 }, () => claimDue(now, 5))
        const claims = (yield* Effect.all(workers, { concurrency: "unbounded" })).flat()
        // Workers that competed for one queue may have found nothing; the rest is left for later claims.
        for (let rest = yield* claimDue(now); rest.length > 0; rest = yield* claimDue(now)) claims.push(...rest)
        const counts = endpoints.map((endpoint) => ofEndpoint(claims, endpoint).length)
        assert.deepStrictEqual(counts, [atOnceOfEndpoint, atOnceOfEndpoint, 1])
        assert.strictEqual(new Set(claims.map(({ delivery }) => delivery.id)).size, claims.length)
      })
    )

    it.effect("takes of a long queue no more than its places, and all that is due of the others", () =>
      Effect.gen(function* () {
        const { endpoints, now } = yield* makeEndpoints({}, {}, {})
        const [long, ...short] = endpoints
        if (long === undefined) return assert.fail("no endpoint")
        yield* appendEvents([long], 1, 200, now)
        yield* appendEvents(short, 201, 202, later(now, 1))
        const claims = yield* claimDue(later(now, 1), 12)
        assert.deepStrictEqual(
          endpoints.map((endpoint) => ofEndpoint(claims, endpoint).length),
          [atOnceOfEndpoint, 2, 2]
        )
        assert.deepStrictEqual(seqsOf(ofEndpoint(claims, long)), numbers(1, atOnceOfEndpoint))
      })
    )

    it.effect("gives a place to the next when a delivery is delivered, fails, is released or canceled", () =>
      Effect.gen(function* () {
        const queue = yield* OutgoingQueue
        const { endpoints, now } = yield* makeEndpoints({})
        yield* appendEvents(endpoints, 1, 20, now)
        const [delivered, failed, released, canceled] = yield* claimDue(now)
        if (delivered === undefined || failed === undefined || released === undefined || canceled === undefined) {
          return assert.fail("nothing to claim")
        }
        assert.deepStrictEqual(yield* succeedAll([delivered], now), [Result.void])
        assert.deepStrictEqual(seqsOf(yield* claimDue(now)), [9])
        yield* settleAs(failed, 500, now)
        assert.deepStrictEqual(seqsOf(yield* claimDue(now)), [10])
        yield* queue.cancel(canceled, now)
        assert.deepStrictEqual(seqsOf(yield* claimDue(now)), [11])
        yield* queue.release(released, now)
        assert.deepStrictEqual(seqsOf(yield* claimDue(now)), seqsOf([released]))
        assert.deepStrictEqual(yield* claimDue(now), [])
      })
    )

    it.effect("sends again what failed when that is due, before what was added later", () =>
      Effect.gen(function* () {
        const { endpoints, now } = yield* makeEndpoints({})
        yield* appendEvents(endpoints, 1, 1, now)
        yield* settleAs(only(yield* claimDue(now)), 500, now)
        assert.deepStrictEqual(yield* claimDue(later(now, 4)), [])
        yield* appendEvents(endpoints, 2, 30, later(now, 5))
        const claims = yield* claimDue(later(now, 5))
        assert.deepStrictEqual(seqsOf(claims), numbers(1, atOnceOfEndpoint))
        assert.deepStrictEqual([claims[0]?.delivery.attempts, claims[1]?.delivery.attempts], [1, 0])
      })
    )

    it.effect("gives the places of a worker that died to others when its leases end", () =>
      Effect.gen(function* () {
        const queue = yield* OutgoingQueue
        const { endpoints, now } = yield* makeEndpoints({}, { isOrdered: true })
        yield* appendEvents(endpoints, 1, 10, now)
        const died = yield* claimDue(now)
        assert.strictEqual(died.length, atOnceOfEndpoint + 1)
        const [prolonged] = died
        if (prolonged === undefined) return assert.fail("nothing to claim")
        yield* queue.renew(prolonged, later(now, 3 * leaseSeconds))
        assert.deepStrictEqual(yield* claimDue(now, 128, later(now, leaseSeconds - 1)), [])
        const next = yield* claimDue(now, 128, later(now, leaseSeconds))
        assert.strictEqual(next.length, died.length - 1)
        assert.deepStrictEqual(
          next.map(({ delivery }) => delivery.id).toSorted(),
          died.flatMap(({ delivery }) => (delivery.id === prolonged.delivery.id ? [] : [delivery.id])).toSorted()
        )
        const late = yield* succeedAll(died, now)
        assert.deepStrictEqual(late.map(Result.isSuccess), [true, ...next.map(() => false)])
      })
    )

    it.effect("sends what is ordered one at a time, the next only when the one before is delivered or has failed", () =>
      Effect.gen(function* () {
        const { endpoints, now } = yield* makeEndpoints({ isOrdered: true })
        yield* appendEvents(endpoints, 1, 4, now)
        const first = only(yield* claimDue(now))
        assert.deepStrictEqual(seqsOf([first]), [1])
        yield* settleAs(first, 500, now)
        yield* appendEvents(endpoints, 5, 6, later(now, 1))
        assert.deepStrictEqual(yield* claimDue(later(now, 4)), [])
        const again = only(yield* claimDue(later(now, 5)))
        assert.deepStrictEqual(seqsOf([again]), [1])
        yield* succeedAll([again], later(now, 5))
        const second = only(yield* claimDue(later(now, 5)))
        assert.deepStrictEqual(seqsOf([second]), [2])
        yield* (yield* OutgoingQueue).cancel(second, later(now, 5))
        for (const seq of [3, 4, 5, 6]) {
          const next = only(yield* claimDue(later(now, 5)))
          assert.deepStrictEqual(seqsOf([next]), [seq])
          yield* succeedAll([next], later(now, 5))
        }
        assert.deepStrictEqual(yield* claimDue(later(now, 3_600)), [])
      })
    )

    it.effect("sends what is asked for again before what waits, also of an ordered endpoint", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { endpoints, now, workspaceId } = yield* makeEndpoints({ isOrdered: true })
        const [one] = yield* appendEvents(endpoints, 1, 3, now)
        if (one === undefined) return assert.fail("no delivery")
        yield* succeedAll(yield* claimDue(now), now)
        const second = only(yield* claimDue(now))
        yield* store.redeliver(workspaceId, one.endpointId, one.id, now)
        assert.deepStrictEqual(yield* claimDue(now), [])
        yield* succeedAll([second], now)
        for (const seq of [1, 3]) {
          const next = only(yield* claimDue(now))
          assert.deepStrictEqual(seqsOf([next]), [seq])
          yield* succeedAll([next], now)
        }
      })
    )

    it.effect("goes on in order, or at once, from when that is asked for", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        const [endpoint] = endpoints
        if (endpoint === undefined) return assert.fail("no endpoint")
        const order = (isOrdered: boolean) =>
          store.update(workspaceId, endpoint.id, (known) => new OutgoingEndpoint({ ...known, isOrdered }), now)
        yield* appendEvents(endpoints, 1, 30, now)
        const beside = yield* claimDue(now)
        yield* order(true)
        assert.deepStrictEqual(yield* claimDue(now), [])
        yield* succeedAll(beside, now)
        const next = only(yield* claimDue(now))
        assert.deepStrictEqual(seqsOf([next]), [9])
        assert.deepStrictEqual(yield* claimDue(now), [])
        yield* order(false)
        assert.deepStrictEqual(seqsOf(yield* claimDue(now)), numbers(10, 16))
      })
    )

    it.effect("leaves a delivery that is being sent as it is when it is asked for again", () =>
      Effect.gen(function* () {
        const [queue, store] = [yield* OutgoingQueue, yield* OutgoingEndpointStore]
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        const [sent] = yield* appendEvents(endpoints, 1, 1, now)
        if (sent === undefined) return assert.fail("no delivery")
        const claim = only(yield* claimDue(now))
        const found = yield* store.redeliver(workspaceId, sent.endpointId, sent.id, later(now, 1))
        assert.deepStrictEqual(found, Option.some(sent))
        assert.deepStrictEqual(yield* claimDue(later(now, 1)), [])
        yield* queue.replay([sent])
        assert.deepStrictEqual(yield* claimDue(later(now, 1)), [])
        assert.deepStrictEqual(yield* succeedAll([claim], now), [Result.void])
        const again = yield* store.redeliver(workspaceId, sent.endpointId, sent.id, later(now, 2))
        const { attempts, attemptsInSchedule, messageId, status } = Option.getOrThrow(again)
        assert.deepStrictEqual([attempts, attemptsInSchedule, messageId, status], [1, 0, sent.messageId, "pending"])
        assert.deepStrictEqual(seqsOf(yield* claimDue(later(now, 2))), [1])
      })
    )

    it.effect("queues events again once each, however often that is asked for", () =>
      Effect.gen(function* () {
        const [queue, store] = [yield* OutgoingQueue, yield* OutgoingEndpointStore]
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        const deliveries = yield* appendEvents(endpoints, 1, 3, now)
        const [endpoint] = endpoints
        if (endpoint === undefined) return assert.fail("no endpoint")
        yield* succeedAll(yield* claimDue(now), now)
        const replays = Array.from({ length: 4 }, () => queue.replay(deliveries))
        yield* Effect.all(replays, { concurrency: "unbounded" })
        const page = yield* store.deliveries(workspaceId, endpoint.id, Option.none(), {
          limit: 50,
          after: Option.none()
        })
        assert.deepStrictEqual(
          page.items.map(({ attempts, status }) => [attempts, status]),
          deliveries.map(() => [1, "pending"])
        )
        const claims = yield* claimDue(now)
        assert.deepStrictEqual(seqsOf(claims), [1, 2, 3])
        yield* succeedAll(claims, now)
        assert.deepStrictEqual(yield* claimDue(now), [])
      })
    )

    it.effect("writes the deliveries of an event once, whoever writes them at the same time", () =>
      Effect.gen(function* () {
        const queue = yield* OutgoingQueue
        const { endpoints, now, workspaceId } = yield* makeEndpoints({}, {})
        const from = { workspaceId, position: 0 }
        const written = yield* appendEvents(endpoints, 1, 3, now)
        const writers = [queue.append(from, 3, written), queue.append({ workspaceId, position: 3 }, 3, written)]
        assert.deepStrictEqual(yield* Effect.all(writers, { concurrency: "unbounded" }), [false, true])
        const replayed = [queue.replay(written), queue.append({ workspaceId, position: 3 }, 5, written)]
        yield* Effect.all(replayed, { concurrency: "unbounded" })
        assert.deepStrictEqual(seqsOf(yield* claimDue(now)), [1, 1, 2, 2, 3, 3])
      })
    )

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
          const [held] = ofEndpoint(claims, one)
          if (held === undefined) return assert.fail("nothing to claim")
          yield* store.update(workspaceId, one.id, disabled, now)
          assert.strictEqual((yield* Effect.flip(settleAs(held, 500, now)))._tag, "LeaseLost")
          yield* appendEvents(endpoints, 11, 12, now)
          const known = yield* store.deliveries(workspaceId, one.id, Option.none(), { limit: 50, after: Option.none() })
          assert.deepStrictEqual(new Set(known.items.map(({ status }) => status)), new Set(["canceled"]))
          assert.strictEqual(known.items.length, 10)
          assert.deepStrictEqual(
            (yield* queue.listening(workspaceId)).map(({ endpoint }) => endpoint.id),
            [other.id]
          )
          yield* succeedAll(ofEndpoint(claims, other), now)
          assert.deepStrictEqual(seqsOf(yield* claimDue(now)), [9, 10, 11, 12])
          yield* store.update(workspaceId, one.id, enabled, now)
          yield* appendEvents(endpoints, 13, 13, now)
          assert.deepStrictEqual(seqsOf(ofEndpoint(yield* claimDue(now), one)), [13])
        })
    )

    it.effect("ends what waits for an endpoint whose answer disabled it, also what others are sending", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        yield* appendEvents(endpoints, 1, 10, now)
        const [gone, beside] = yield* claimDue(now)
        if (gone === undefined || beside === undefined) return assert.fail("nothing to claim")
        yield* settleAs(gone, 410, now)
        const found = Option.getOrThrow(yield* store.find(workspaceId, gone.endpoint.id))
        assert.deepStrictEqual([found.status, found.statusReason], ["disabled", Option.some("gone")])
        assert.deepStrictEqual((yield* succeedAll([beside], now)).map(Result.isFailure), [true])
        const count = Effect.fnUntraced(function* (status: "failed" | "canceled") {
          const page = { limit: 50, after: Option.none() }
          return (yield* store.deliveries(workspaceId, gone.endpoint.id, Option.some(status), page)).items.length
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
        const [one, two, three] = yield* claimDue(now)
        if (one === undefined || two === undefined || three === undefined) return assert.fail("nothing to claim")
        assert.isTrue(yield* store.remove(workspaceId, one.endpoint.id))
        assert.deepStrictEqual((yield* succeedAll([one], now)).map(Result.isFailure), [true])
        assert.strictEqual((yield* Effect.flip(settleAs(two, 500, now)))._tag, "LeaseLost")
        assert.strictEqual((yield* Effect.flip(queue.renew(three, later(now, 60))))._tag, "LeaseLost")
        assert.strictEqual((yield* Effect.flip(queue.release(three, now)))._tag, "LeaseLost")
        assert.deepStrictEqual(yield* claimDue(later(now, 3_600)), [])
      })
    )
  })
