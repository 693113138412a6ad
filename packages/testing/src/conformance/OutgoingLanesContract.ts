import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { judgeAttempt } from "@loopbox/core/outgoing/judgeAttempt"
import type { OutgoingDelivery } from "@loopbox/core/outgoing/OutgoingDelivery"
import { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { type EndedAttempt, OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { type InboxPorts, inboxWorld, redactNames } from "../fixtures/inboxFixtures.ts"
import {
  appendEvents,
  attemptOf,
  claimDue,
  later,
  leaseSeconds,
  makeDelivery,
  makeEndpoints,
  numbers,
  ofEndpoint,
  oldest,
  only,
  readOn,
  reclaim,
  seqsOf,
  settleAs,
  succeedAll
} from "../fixtures/laneFixtures.ts"

/** What every adapter of the ports OutgoingQueue and OutgoingEndpointStore does when several work on the same queues. */
export const outgoingLanesContract = <E>(
  adapter: string,
  stores: Layer.Layer<InboxPorts | OutgoingQueue | OutgoingEndpointStore, E>
) =>
  layer(inboxWorld(stores))(`Lanes of OutgoingQueue: ${adapter}`, (it) => {
    it.effect("gives each lane to one worker, whoever claims at the same time", () =>
      Effect.gen(function* () {
        const { endpoints, now } = yield* makeEndpoints({}, {}, { isOrdered: true })
        yield* appendEvents(endpoints, 1, 30, now)
        const workers = Array.from({ length: 12 }, () => claimDue(now, 1))
        const claims = (yield* Effect.all(workers, { concurrency: "unbounded" })).flat()
        // Workers that competed for one lane may have found nothing; the rest is left for later claims.
        for (let rest = yield* claimDue(now); rest.length > 0; rest = yield* claimDue(now)) claims.push(...rest)
        assert.strictEqual(claims.length, endpoints.length)
        assert.deepStrictEqual(
          endpoints.map((endpoint) => seqsOf(ofEndpoint(claims, endpoint).deliveries)),
          [numbers(1, 8), numbers(1, 8), [1]]
        )
      })
    )

    it.effect("writes nothing that names a managed user who was erased after it was made", () =>
      Effect.gen(function* () {
        const [queue, users] = [yield* OutgoingQueue, yield* ManagedUsers]
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        const [endpoint] = endpoints
        if (endpoint === undefined) return assert.fail("no endpoint")
        for (const user of ["ann", "bob"]) yield* users.put(workspaceId, user, now)
        const naming = (seq: number, user: string) =>
          makeDelivery(endpoint, seq, now, { externalUserId: Option.some(user) })
        const made = [yield* naming(1, "ann"), yield* naming(2, "bob"), yield* makeDelivery(endpoint, 3, now)]
        yield* users.erase(workspaceId, "ann", redactNames)
        assert.isTrue(yield* queue.append({ workspaceId, position: 0 }, 3, made))
        assert.deepStrictEqual(seqsOf(only(yield* claimDue(now)).deliveries).toSorted(), [2, 3])
        const again = [yield* naming(4, "ann"), yield* naming(5, "bob")]
        assert.strictEqual(yield* queue.replay(again), 1)
      })
    )

    it.effect("reads on behind a place, and from the beginning again what has not ended", () =>
      Effect.gen(function* () {
        const queue = yield* OutgoingQueue
        const { endpoints, now } = yield* makeEndpoints({})
        yield* appendEvents(endpoints, 1, 12, now)
        yield* appendEvents(endpoints, 13, 20, later(now, 1))
        const at = later(now, 1)
        const claim = only(yield* claimDue(at))
        const place = claim.deliveries[7] ?? assert.fail("too few")
        const next = yield* queue.next(claim.lane, { after: Option.some(place), limit: 8, now: at })
        assert.deepStrictEqual([seqsOf(next.deliveries), next.isFull], [numbers(9, 16), true])
        const behind = Option.fromUndefinedOr(next.deliveries[7])
        const last = yield* queue.next(claim.lane, { after: behind, limit: 8, now: at })
        assert.deepStrictEqual([seqsOf(last.deliveries), last.isFull], [numbers(17, 20), false])
        yield* succeedAll({ ...claim, deliveries: claim.deliveries.slice(2) }, at)
        yield* succeedAll({ ...claim, ...next }, at)
        assert.deepStrictEqual(seqsOf(yield* readOn(claim, at)), [1, 2, 17, 18, 19, 20])
      })
    )

    it.effect(
      "leaves nothing waiting when a delivery is delivered, fails or is canceled, and the lane is released",
      () =>
        Effect.gen(function* () {
          const queue = yield* OutgoingQueue
          const { endpoints, now } = yield* makeEndpoints({})
          yield* appendEvents(endpoints, 1, 4, now)
          const claim = only(yield* claimDue(now))
          const [delivered, failed, canceled] = claim.deliveries
          if (delivered === undefined || failed === undefined || canceled === undefined) return assert.fail("too few")
          assert.deepStrictEqual(yield* succeedAll({ ...claim, deliveries: [delivered] }, now), [Result.void])
          yield* settleAs(claim, failed, 500, now)
          yield* queue.cancel(claim.lane, canceled)
          assert.deepStrictEqual(seqsOf(yield* readOn(claim, now)), [4])
          const again = only(yield* reclaim(claim, now))
          assert.deepStrictEqual(seqsOf(again.deliveries), [4])
          yield* succeedAll(again, now)
          assert.deepStrictEqual(yield* reclaim(again, later(now, 4)), [])
          const retried = only(yield* claimDue(later(now, 6)))
          assert.deepStrictEqual([seqsOf(retried.deliveries), oldest(retried).attempts], [[2], 1])
        })
    )

    it.effect("settles an attempt once, however often that is asked for", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        yield* appendEvents(endpoints, 1, 2, now)
        const claim = only(yield* claimDue(now))
        const [failed, delivered] = claim.deliveries
        if (failed === undefined || delivered === undefined) return assert.fail("too few")
        for (let n = 0; n < 2; n++) {
          yield* settleAs(claim, failed, 500, now)
          assert.deepStrictEqual(yield* succeedAll({ ...claim, deliveries: [delivered] }, now), [Result.void])
        }
        const find = (id: OutgoingDelivery["id"]) => store.findDelivery(workspaceId, claim.endpoint.id, id)
        for (const { id } of [failed, delivered]) {
          const { delivery, log } = Option.getOrThrow(yield* find(id))
          assert.deepStrictEqual([delivery.attempts, delivery.attemptsInSchedule, log.length], [1, 1, 1])
        }
        const { failuresInRow } = Option.getOrThrow(yield* store.find(workspaceId, claim.endpoint.id))
        assert.strictEqual(failuresInRow, 0)
      })
    )

    it.effect("judges many attempts by what the ones before made of the endpoint", () =>
      Effect.gen(function* () {
        const [queue, store] = [yield* OutgoingQueue, yield* OutgoingEndpointStore]
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        yield* appendEvents(endpoints, 1, 12, now)
        const claim = only(yield* claimDue(now))
        const deliveries = yield* readOn(claim, now)
        const ended = deliveries.map((delivery) => ({ delivery, attempt: attemptOf(500, now) }))
        const judge = (endpoint: OutgoingEndpoint, one: EndedAttempt) =>
          judgeAttempt(endpoint, one.delivery, one.attempt, { at: now, random: 0.5 })
        yield* queue.settle(claim.lane, ended, judge, now)
        const found = Option.getOrThrow(yield* store.find(workspaceId, claim.endpoint.id))
        assert.deepStrictEqual([found.status, found.failuresInRow], ["failing", 12])
        assert.deepStrictEqual(yield* readOn(claim, now), [])
        assert.deepStrictEqual(seqsOf(yield* readOn(claim, later(now, 6))), numbers(1, 12))
      })
    )

    it.effect("sends again what failed when that is due, before what was added later", () =>
      Effect.gen(function* () {
        const { endpoints, now } = yield* makeEndpoints({})
        yield* appendEvents(endpoints, 1, 1, now)
        const claim = only(yield* claimDue(now))
        yield* settleAs(claim, oldest(claim), 500, now)
        assert.deepStrictEqual(yield* reclaim(claim, later(now, 4)), [])
        yield* appendEvents(endpoints, 2, 30, later(now, 6))
        const { deliveries } = only(yield* claimDue(later(now, 6)))
        assert.deepStrictEqual(seqsOf(deliveries), numbers(1, 8))
        assert.deepStrictEqual([deliveries[0]?.attempts, deliveries[1]?.attempts], [1, 0])
      })
    )

    it.effect("gives the lanes of a worker that died to others when its leases end", () =>
      Effect.gen(function* () {
        const queue = yield* OutgoingQueue
        const { endpoints, now } = yield* makeEndpoints({}, { isOrdered: true }, {})
        yield* appendEvents(endpoints, 1, 10, now)
        const died = yield* claimDue(now)
        assert.strictEqual(died.length, 3)
        const [prolonged] = died
        if (prolonged === undefined) return assert.fail("nothing to claim")
        yield* queue.renew(prolonged.lane, later(now, 3 * leaseSeconds))
        yield* succeedAll({ ...prolonged, deliveries: [oldest(prolonged)] }, now)
        assert.deepStrictEqual(yield* claimDue(now, 128, later(now, leaseSeconds - 1)), [])
        const next = yield* claimDue(now, 128, later(now, leaseSeconds))
        const others = died.filter((claim) => claim !== prolonged)
        assert.deepStrictEqual(
          next.map(({ endpoint }) => endpoint.id).toSorted(),
          others.map(({ endpoint }) => endpoint.id).toSorted()
        )
        for (const claim of others) {
          assert.deepStrictEqual(ofEndpoint(next, claim.endpoint).deliveries, claim.deliveries)
          assert.isTrue((yield* succeedAll(claim, now)).every(Result.isFailure))
          assert.strictEqual((yield* Effect.flip(readOn(claim, now)))._tag, "LeaseLost")
          assert.strictEqual((yield* Effect.flip(settleAs(claim, oldest(claim), 500, now)))._tag, "LeaseLost")
          assert.strictEqual((yield* Effect.flip(queue.cancel(claim.lane, oldest(claim))))._tag, "LeaseLost")
        }
        const rest = { ...prolonged, deliveries: prolonged.deliveries.slice(1) }
        assert.isTrue((yield* succeedAll(rest, now)).every(Result.isSuccess))
      })
    )

    it.effect("gives what is ordered from the oldest that has not ended, and nothing behind one that is not due", () =>
      Effect.gen(function* () {
        const queue = yield* OutgoingQueue
        const { endpoints, now } = yield* makeEndpoints({ isOrdered: true })
        yield* appendEvents(endpoints, 1, 4, now)
        const first = only(yield* claimDue(now))
        assert.deepStrictEqual(seqsOf(first.deliveries), [1])
        assert.deepStrictEqual(seqsOf(yield* readOn(first, now)), [1, 2, 3, 4])
        yield* settleAs(first, oldest(first), 500, now)
        yield* appendEvents(endpoints, 5, 6, later(now, 1))
        assert.deepStrictEqual(yield* readOn(first, later(now, 4)), [])
        assert.deepStrictEqual(yield* reclaim(first, later(now, 4)), [])
        const at = later(now, 6)
        const again = only(yield* claimDue(at))
        assert.deepStrictEqual(seqsOf(again.deliveries), [1])
        yield* succeedAll(again, at)
        const second = { ...again, deliveries: yield* readOn(again, at, 3) }
        assert.deepStrictEqual(seqsOf(second.deliveries), [2, 3, 4])
        yield* queue.cancel(second.lane, oldest(second))
        const [, , fourth] = second.deliveries
        if (fourth === undefined) return assert.fail("too few")
        yield* settleAs(second, fourth, 500, at)
        const third = { ...second, deliveries: yield* readOn(second, at) }
        assert.deepStrictEqual(seqsOf(third.deliveries), [3])
        yield* succeedAll(third, at)
        assert.deepStrictEqual(yield* readOn(second, at), [])
        assert.deepStrictEqual(yield* reclaim(second, later(at, 4)), [])
        const last = only(yield* claimDue(later(at, 6)))
        for (const seq of [4, 5, 6]) {
          const deliveries = yield* readOn(last, later(at, 6), 1)
          assert.deepStrictEqual(seqsOf(deliveries), [seq])
          yield* succeedAll({ ...last, deliveries }, at)
        }
        assert.deepStrictEqual(yield* reclaim(last, later(now, 3_600)), [])
      })
    )

    it.effect("gives what is asked for again before what waits, also of an ordered endpoint", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { endpoints, now, workspaceId } = yield* makeEndpoints({ isOrdered: true })
        const [one] = yield* appendEvents(endpoints, 1, 3, now)
        if (one === undefined) return assert.fail("no delivery")
        const claim = only(yield* claimDue(now))
        yield* succeedAll(claim, now)
        const second = yield* readOn(claim, now, 1)
        assert.deepStrictEqual(seqsOf(second), [2])
        yield* store.redeliver(workspaceId, one.endpointId, one.id, now)
        yield* succeedAll({ ...claim, deliveries: second }, now)
        assert.deepStrictEqual(seqsOf(yield* readOn(claim, now)), [1, 3])
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
        const claim = only(yield* claimDue(now))
        yield* order(true)
        assert.deepStrictEqual(yield* claimDue(now), [])
        yield* succeedAll(claim, now)
        assert.deepStrictEqual(seqsOf(yield* readOn(claim, now, 2)), [9, 10])
        yield* order(false)
        assert.deepStrictEqual(seqsOf(yield* readOn(claim, now)), numbers(9, 30))
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
        assert.strictEqual(yield* queue.replay([sent]), 0)
        assert.deepStrictEqual(yield* readOn(claim, later(now, 1)), [sent])
        assert.deepStrictEqual(yield* succeedAll(claim, now), [Result.void])
        const again = yield* store.redeliver(workspaceId, sent.endpointId, sent.id, later(now, 2))
        const { attempts, attemptsInSchedule, messageId, status } = Option.getOrThrow(again)
        assert.deepStrictEqual([attempts, attemptsInSchedule, messageId, status], [1, 0, sent.messageId, "pending"])
        assert.deepStrictEqual(seqsOf(yield* readOn(claim, later(now, 2))), [1])
      })
    )

    it.effect("leaves a delivery as it is whose endpoint was switched off before it is asked for again", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        const [endpoint] = endpoints
        const [sent] = yield* appendEvents(endpoints, 1, 1, now)
        if (endpoint === undefined || sent === undefined) return assert.fail("no delivery")
        yield* succeedAll(only(yield* claimDue(now)), now)
        const switchTo = (status: "disabled" | "enabled") =>
          store.update(workspaceId, endpoint.id, (known) => new OutgoingEndpoint({ ...known, status }), now)
        yield* switchTo("disabled")
        const found = yield* store.redeliver(workspaceId, endpoint.id, sent.id, later(now, 1))
        assert.deepStrictEqual(
          Option.map(found, ({ status }) => status),
          Option.some("delivered")
        )
        assert.deepStrictEqual(yield* claimDue(later(now, 2)), [])
        yield* switchTo("enabled")
        assert.deepStrictEqual(yield* claimDue(later(now, 3)), [])
      })
    )

    it.effect("finds what is asked for again while its lane is held, when the lane is released", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        yield* appendEvents(endpoints, 1, 2, now)
        const claim = only(yield* claimDue(now))
        const [failed, other] = claim.deliveries
        if (failed === undefined || other === undefined) return assert.fail("too few")
        yield* settleAs(claim, failed, 500, now)
        yield* store.redeliver(workspaceId, claim.endpoint.id, failed.id, later(now, 1))
        yield* succeedAll({ ...claim, deliveries: [other] }, now)
        assert.deepStrictEqual(seqsOf(only(yield* reclaim(claim, later(now, 1))).deliveries), [1])
      })
    )

    it.effect("queues events again once each, however often that is asked for", () =>
      Effect.gen(function* () {
        const [queue, store] = [yield* OutgoingQueue, yield* OutgoingEndpointStore]
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        const deliveries = yield* appendEvents(endpoints, 1, 3, now)
        const claim = only(yield* claimDue(now))
        yield* succeedAll(claim, now)
        const replays = Array.from({ length: 4 }, () => queue.replay(deliveries))
        yield* Effect.all(replays, { concurrency: "unbounded" })
        const page = yield* store.deliveries(workspaceId, claim.endpoint.id, Option.none(), {
          limit: 50,
          after: Option.none()
        })
        assert.deepStrictEqual(
          page.items.map(({ attempts, status }) => [attempts, status]),
          deliveries.map(() => [1, "pending"])
        )
        const again = { ...claim, deliveries: yield* readOn(claim, now) }
        assert.deepStrictEqual(seqsOf(again.deliveries), [1, 2, 3])
        yield* succeedAll(again, now)
        assert.deepStrictEqual(yield* reclaim(claim, now), [])
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
        const claims = yield* claimDue(now)
        for (const endpoint of endpoints) {
          assert.deepStrictEqual(seqsOf(ofEndpoint(claims, endpoint).deliveries), [1, 2, 3])
        }
      })
    )
  })
