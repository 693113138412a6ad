import { assert, describe, it } from "@effect/vitest"
import { Cause, DateTime, Effect, Exit, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { EventFeed } from "../../src/feed/EventFeed.ts"
import { InboxEvents } from "../../src/feed/InboxEvents.ts"
import type { WorkspaceId } from "../../src/kernel/Ids.ts"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import { ingest } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount } from "@loopbox/testing/layers/inboxLayers"
import { feedOver, followBy, twoUsers, ways } from "./feedWorld.ts"

type Events = InboxEvents["Service"]

const many = (count: number, body = "text") =>
  Array.from({ length: count }, (_, n) => posted({ externalId: String(n + 1), body }))

describe.each(Object.entries(ways))("messages %s, after a fault", (_, way) => {
  const follow = followBy(way)

  it.effect("start again with ResyncRequired after a defect, and live events follow", () => {
    let isBroken = false
    const breaking = (events: Events) =>
      InboxEvents.of({ ...events, read: (...of) => (isBroken ? Effect.die("a bug") : events.read(...of)) })
    return Effect.gen(function* () {
      const { mine, whole } = yield* twoUsers
      const feed = yield* follow(whole)
      assert.deepStrictEqual(yield* feed.next, ["Hello 0"])
      isBroken = true
      yield* ingest(mine, [posted({ externalId: "a" })])
      assert.deepStrictEqual(yield* feed.next, [])
      isBroken = false
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* feed.next, ["ResyncRequired 1"])
      yield* ingest(mine, [posted({ externalId: "b" })])
      assert.deepStrictEqual(yield* feed.next, ["2 NewItem b of u1"])
    }).pipe(Effect.provide(feedOver(breaking)))
  })

  /** Reads another log after a failover to a database that had not received all events. */
  const failover = () => {
    let standby: WorkspaceId | undefined
    const layer = feedOver((events) => {
      const logOf = (id: WorkspaceId) => standby ?? id
      return InboxEvents.of({
        ...events,
        range: (id) => events.range(logOf(id)),
        lastOf: (ids) =>
          Effect.map(
            Effect.forEach(ids, (id) => Effect.map(events.range(logOf(id)), ({ last }) => [id, last] as const)),
            (all) => new Map(all)
          ),
        read: (id, after, limit) =>
          Effect.map(events.read(logOf(id), after, limit), (page) => ({
            ...page,
            events: page.events.map((routed) => ({ ...routed, workspaceId: id }))
          }))
      })
    })
    const takeOver = (id: WorkspaceId) =>
      Effect.sync(() => {
        standby = id
      })
    return { layer, takeOver }
  }

  /** A subscriber that has three events of a log, when another log of `count` events takes over. */
  const takenOver = Effect.fnUntraced(function* (takeOver: (id: WorkspaceId) => Effect.Effect<void>, count: number) {
    const { mine, whole } = yield* twoUsers
    const { id } = yield* makeWorkspace("growth")
    const other = yield* connectAccount(id, { networkAccountId: "3" })
    const feed = yield* follow(whole)
    yield* ingest(mine, many(3))
    assert.strictEqual((yield* feed.next).length, 4)
    yield* ingest(other, many(count), { now: DateTime.add(noon, { hours: 1 }) })
    yield* takeOver(id)
    yield* TestClock.adjust("3 seconds")
    return { feed, other }
  })

  it.effect("start again with ResyncRequired when a failover lost numbers", () => {
    const { layer, takeOver } = failover()
    return Effect.gen(function* () {
      const { feed, other } = yield* takenOver(takeOver, 1)
      assert.deepStrictEqual(yield* feed.next, ["ResyncRequired 1"])
      yield* ingest(other, [posted({ externalId: "b" })])
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* feed.next, ["2 NewItem b of -"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("start again with ResyncRequired when lost numbers were reused before a read", () => {
    const { layer, takeOver } = failover()
    return Effect.gen(function* () {
      const { feed } = yield* takenOver(takeOver, 5)
      assert.deepStrictEqual(yield* feed.next, ["ResyncRequired 5"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("end with the subscription when the store fails permanently", () => {
    let isBroken = false
    const breaking = (events: Events) =>
      InboxEvents.of({
        ...events,
        read: (...of) => (isBroken ? Effect.die("a bug") : events.read(...of)),
        range: (id) => (isBroken ? Effect.die("a bug") : events.range(id))
      })
    return Effect.gen(function* () {
      const { mine, whole } = yield* twoUsers
      const feed = yield* EventFeed
      const followWith = yield* feed.follow(whole, Option.none())
      const failures: Array<Cause.Cause<never>> = []
      yield* followWith({
        take: ({ length }) => length,
        ready: Effect.void,
        failed: (cause) => Effect.sync(() => void failures.push(cause))
      })
      const puller = yield* Effect.forkChild(Stream.runDrain(yield* feed.subscribe(whole, Option.none())))
      yield* TestClock.adjust("10 millis")
      isBroken = true
      yield* ingest(mine, many(1))
      yield* TestClock.adjust("5 seconds")
      const exit = puller.pollUnsafe()
      assert.isTrue(exit !== undefined && Exit.hasDies(exit))
      assert.deepStrictEqual(failures.map(Cause.hasDies), [true])
      isBroken = false
      const next = yield* follow(whole)
      yield* ingest(mine, [posted({ externalId: "b" })])
      assert.deepStrictEqual(yield* next.next, ["Hello 1", "2 NewItem b of u1"])
    }).pipe(Effect.provide(feedOver(breaking)))
  })

  describe("the memory of recent events", () => {
    /** Counts the reads after the first event. */
    const counting = () => {
      let reads = 0
      const layer = feedOver((events) =>
        InboxEvents.of({
          ...events,
          read: (id, after, limit) => {
            if (after === 1) reads += 1
            return events.read(id, after, limit)
          }
        })
      )
      return { layer, reads: () => reads }
    }

    it.effect("keeps events for five minutes", () => {
      const { layer, reads } = counting()
      return Effect.gen(function* () {
        const { mine, whole } = yield* twoUsers
        yield* follow(whole)
        yield* TestClock.adjust("10 millis")
        yield* ingest(mine, many(3))
        yield* TestClock.adjust("4 minutes")
        const young = yield* follow(whole, 1)
        assert.deepStrictEqual([(yield* young.next).length, reads()], [3, 0])
        yield* TestClock.adjust("2 minutes")
        const old = yield* follow(whole, 1)
        assert.deepStrictEqual([(yield* old.next).length, reads()], [3, 1])
      }).pipe(Effect.provide(layer))
    })

    it.effect("is limited for all workspaces together, and drops the least recently used first", () => {
      const { layer, reads } = counting()
      const long = "x".repeat(100_000)
      return Effect.gen(function* () {
        const [idle, busy] = [yield* twoUsers, yield* twoUsers]
        yield* follow(idle.whole)
        yield* follow(busy.whole)
        yield* TestClock.adjust("10 millis")
        yield* ingest(idle.mine, many(200, long))
        yield* TestClock.adjust("10 millis")
        yield* ingest(busy.mine, many(200, long))
        yield* TestClock.adjust("10 millis")
        const first = yield* follow(busy.whole, 1)
        assert.deepStrictEqual([(yield* first.next).length, reads()], [200, 0])
        const second = yield* follow(idle.whole, 1)
        assert.deepStrictEqual([(yield* second.next).length, reads()], [200, 1])
      }).pipe(Effect.provide(layer))
    })
  })
})
