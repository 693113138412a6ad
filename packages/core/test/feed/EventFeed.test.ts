import { assert, describe, it } from "@effect/vitest"
import { Cause, DateTime, Effect, Exit, Fiber, Latch, Option, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { AccountAdministration } from "../../src/access/AccountAdministration.ts"
import type { EntitledCaller } from "../../src/access/EntitledCaller.ts"
import { EventFeed } from "../../src/feed/EventFeed.ts"
import type { FeedMessage } from "../../src/feed/FeedMessage.ts"
import { Inbox } from "../../src/inbox/Inbox.ts"
import { InboxEvents } from "../../src/feed/InboxEvents.ts"
import { posted } from "@loopbox/testing/fixtures/activities"
import { ingest, lastSeq } from "@loopbox/testing/fixtures/inboxFixtures"
import { away } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount, enter, layerInbox } from "@loopbox/testing/layers/inboxLayers"
import { feedOver, followBy, line, twoUsers, ways } from "./feedWorld.ts"

describe.each(Object.entries(ways))("following a scope by messages %s (api.md §4)", (_, way) => {
  const follow = followBy(way)

  it.effect("start with Hello and the last number, then have each event of the scope once, in order", () =>
    Effect.gen(function* () {
      const { mine, u1, u2, whole, yours } = yield* twoUsers
      yield* ingest(mine, [posted({ externalId: "old" })])
      const [all, one, two] = [yield* follow(whole), yield* follow(u1), yield* follow(u2)]
      yield* ingest(mine, [posted({ externalId: "a" })])
      yield* ingest(yours, [posted({ externalId: "b" })])
      assert.deepStrictEqual(yield* all.next, ["Hello 1", "2 NewItem a of u1", "3 NewItem b of u2"])
      assert.deepStrictEqual(yield* one.next, ["Hello 1", "2 NewItem a of u1"])
      assert.deepStrictEqual(yield* two.next, ["Hello 1", "3 NewItem b of u2"])
      yield* ingest(mine, [posted({ externalId: "c" })])
      assert.deepStrictEqual(yield* one.next, ["4 NewItem c of u1"])
      assert.deepStrictEqual(yield* two.next, [])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("are replayed from a number on, also more than memory holds, and continue live", () =>
    Effect.gen(function* () {
      const { mine, whole } = yield* twoUsers
      const many = (from: number, count: number) =>
        Array.from({ length: count }, (_, n) => posted({ externalId: String(from + n) }))
      yield* ingest(mine, many(1, 1_300))
      const feed = yield* follow(whole, 2)
      yield* ingest(mine, many(1_301, 2))
      const heard = yield* feed.next
      assert.strictEqual(heard[0], "Hello 1300")
      assert.deepStrictEqual(
        heard.slice(1),
        Array.from({ length: 1_300 }, (_, n) => `${n + 3} NewItem ${n + 3} of u1`)
      )
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("start with ResyncRequired after a deleted number, and beyond the last", () =>
    Effect.gen(function* () {
      const { id, mine, whole } = yield* twoUsers
      yield* ingest(mine, [posted({ externalId: "a" })], { now: DateTime.makeUnsafe(0) })
      yield* ingest(mine, [posted({ externalId: "b" })], { now: DateTime.makeUnsafe(2) })
      yield* (yield* InboxEvents).removeOlder(DateTime.makeUnsafe(1), 10)
      assert.strictEqual(yield* lastSeq(id), 2)
      const [old, kept, beyond] = [yield* follow(whole, 0), yield* follow(whole, 1), yield* follow(whole, 3)]
      yield* ingest(mine, [posted({ externalId: "c" })])
      assert.deepStrictEqual(yield* old.next, ["Hello 2", "ResyncRequired 2", "3 NewItem c of u1"])
      assert.deepStrictEqual(yield* kept.next, ["Hello 2", "2 NewItem b of u1", "3 NewItem c of u1"])
      assert.deepStrictEqual(yield* beyond.next, ["Hello 2", "ResyncRequired 2", "3 NewItem c of u1"])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("go to the account's owner at the time of delivery, also in a replay, and its move to both owners", () =>
    Effect.gen(function* () {
      const { id, mine, u1, u2, whole } = yield* twoUsers
      yield* ingest(mine, [posted({ externalId: "a" })])
      const [one, two] = [yield* follow(u1), yield* follow(u2)]
      yield* (yield* AccountAdministration).updateAccount(id, mine.id, { externalUserId: Option.some("u2") })
      yield* ingest(mine, [posted({ externalId: "b" })])
      assert.deepStrictEqual(yield* one.next, ["Hello 1", "2 AccountMoved of u1"])
      assert.deepStrictEqual(yield* two.next, ["Hello 1", "2 AccountMoved of u2", "3 NewItem b of u2"])
      const [again, other, all] = [yield* follow(u1, 0), yield* follow(u2, 0), yield* follow(whole, 0)]
      assert.deepStrictEqual(yield* again.next, ["Hello 3", "2 AccountMoved of u1"])
      const everything = ["Hello 3", "1 NewItem a of u2", "2 AccountMoved of u2", "3 NewItem b of u2"]
      assert.deepStrictEqual(yield* other.next, everything)
      assert.deepStrictEqual(yield* all.next, everything)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("have no items of a disconnected account, until it is connected again", () =>
    Effect.gen(function* () {
      const { id, mine, u1, whole, yours } = yield* twoUsers
      const accounts = yield* AccountAdministration
      // Somebody stays, so that events are kept at hand.
      yield* follow(whole)
      yield* ingest(mine, [posted({ externalId: "a" })])
      yield* ingest(yours, [posted({ externalId: "b" })])
      const one = yield* follow(u1)
      yield* one.next
      yield* accounts.disconnect(id, mine.id)
      const ended = ["3 AccountMoved of u1", "4 AccountDisconnected of u1"]
      assert.deepStrictEqual(yield* one.next, ended)
      const [all, again] = [yield* follow(whole, 0), yield* follow(u1, 0)]
      const [moved, disconnected] = ["3 AccountMoved of -", "4 AccountDisconnected of u1"]
      assert.deepStrictEqual(yield* all.next, ["Hello 4", "2 NewItem b of u2", moved, disconnected])
      assert.deepStrictEqual(yield* again.next, ["Hello 4", ...ended])
      yield* connectAccount(id, { networkAccountId: "1", externalUserId: Option.some("u1") })
      assert.deepStrictEqual(yield* all.next, ["5 AccountMoved of u1"])
      const back = yield* follow(u1, 0)
      assert.deepStrictEqual(yield* back.next, ["Hello 5", "1 NewItem a of u1", ...ended, "5 AccountMoved of u1"])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("have no items of an erased user, also not for the next user of that name", () =>
    Effect.gen(function* () {
      const { id, mine, whole, yours } = yield* twoUsers
      const accounts = yield* AccountAdministration
      const staying = yield* follow(whole)
      yield* ingest(mine, [posted({ externalId: "a" })])
      yield* ingest(yours, [posted({ externalId: "b" })])
      yield* staying.next
      yield* accounts.eraseManagedUser(id, "u1")
      assert.deepStrictEqual(yield* staying.next, ["3 AccountMoved of -"])
      yield* accounts.putManagedUser(id, "u1")
      const [all, next] = [yield* follow(whole, 0), yield* follow(yield* enter(id, "u1"), 0)]
      assert.deepStrictEqual(yield* all.next, ["Hello 3", "2 NewItem b of u2", "3 AccountMoved of -"])
      assert.deepStrictEqual(yield* next.next, ["Hello 3"])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("never show a managed user the other owner of an account, or how much the workspace read", () =>
    Effect.gen(function* () {
      const { id, mine, u1, whole } = yield* twoUsers
      yield* ingest(mine, [posted()])
      const feed = yield* follow(u1)
      assert.deepStrictEqual(yield* feed.next, ["Hello 1"])
      assert.strictEqual(yield* (yield* Inbox).markAllRead(whole), 1)
      yield* (yield* AccountAdministration).updateAccount(id, mine.id, { externalUserId: Option.some("u2") })
      const events = (yield* feed.nextMessages).map((message) => message._tag === "Delivered" && message.event.event)
      assert.deepStrictEqual(events, [
        { _tag: "ItemsRead", externalUserId: Option.none(), upToSeq: 1, marked: Option.none() },
        { _tag: "AccountMoved", accountId: mine.id, from: Option.some("u1"), to: Option.none() }
      ])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("arrive within two seconds after a lost notification", () =>
    Effect.gen(function* () {
      const { mine, whole } = yield* twoUsers
      const feed = yield* follow(whole)
      assert.deepStrictEqual(yield* feed.next, ["Hello 0"])
      yield* ingest(mine, [posted()])
      assert.deepStrictEqual(yield* feed.next, [])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* feed.next, ["1 NewItem c1 of u1"])
    }).pipe(Effect.provide(feedOver((events) => InboxEvents.of({ ...events, changes: Stream.never }))))
  )

  it.effect("all arrive at a subscriber that starts while the previous channel is closing", () => {
    const isReading = Latch.makeUnsafe()
    const mayEnd = Latch.makeUnsafe()
    let isSlow = false
    // An interrupted read ends only when the database has confirmed it.
    const slow = (events: InboxEvents["Service"]) =>
      InboxEvents.of({
        ...events,
        read: (...of) =>
          isSlow
            ? Effect.uninterruptible(Effect.andThen(isReading.open, Effect.andThen(mayEnd.await, events.read(...of))))
            : events.read(...of)
      })
    return Effect.gen(function* () {
      const { mine, whole } = yield* twoUsers
      const tab = yield* Scope.make()
      const before = yield* follow(whole).pipe(Scope.provide(tab))
      assert.deepStrictEqual(yield* before.next, ["Hello 0"])
      isSlow = true
      yield* ingest(mine, [posted({ externalId: "a" })])
      yield* isReading.await
      const closing = yield* Effect.forkChild(Scope.close(tab, Exit.void), { startImmediately: true })
      isSlow = false
      const reloaded = yield* follow(whole)
      assert.deepStrictEqual(yield* reloaded.next, ["Hello 1"])
      yield* mayEnd.open
      yield* Fiber.join(closing)
      yield* ingest(mine, [posted({ externalId: "b" })])
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* reloaded.next, ["2 NewItem b of u1"])
    }).pipe(Effect.provide(feedOver(slow)))
  })

  it.effect("arrive once, and only after Hello, if the subscriber starts ahead of the channel", () => {
    const mayGoOn = Latch.makeUnsafe(true)
    // The channel reads what is new, two pages of it, only when it may.
    const paged = (events: InboxEvents["Service"]) =>
      InboxEvents.of({
        ...events,
        read: (id, after, limit) =>
          after === 0 ? Effect.andThen(mayGoOn.await, events.read(id, after, limit)) : events.read(id, after, limit)
      })
    return Effect.gen(function* () {
      const { mine, whole } = yield* twoUsers
      const many = Array.from({ length: 1_000 }, (_, n) => posted({ externalId: String(n + 1) }))
      const early = yield* follow(whole)
      assert.deepStrictEqual(yield* early.next, ["Hello 0"])
      yield* mayGoOn.close
      yield* ingest(mine, many)
      yield* TestClock.adjust("10 millis")
      const [late, replay] = [yield* follow(whole), yield* follow(whole, 990)]
      assert.deepStrictEqual([yield* late.next, yield* replay.next], [["Hello 1000"], ["Hello 1000"]])
      yield* mayGoOn.open
      yield* ingest(mine, [posted({ externalId: "last" })])
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* late.next, ["1001 NewItem last of u1"])
      const since = Array.from({ length: 10 }, (_, n) => `${991 + n} NewItem ${991 + n} of u1`)
      assert.deepStrictEqual(yield* replay.next, [...since, "1001 NewItem last of u1"])
      assert.strictEqual((yield* early.next).length, 1_001)
    }).pipe(Effect.provide(feedOver(paged)))
  })

  it.effect("wait during an outage of the store, and none is lost", () => {
    let isAway = false
    const flaky = (events: InboxEvents["Service"]) =>
      InboxEvents.of({
        ...events,
        read: (...of) => (isAway ? Effect.fail(away()) : events.read(...of)),
        lastOf: (ids) => (isAway ? Effect.fail(away()) : events.lastOf(ids))
      })
    return Effect.gen(function* () {
      const { mine, whole } = yield* twoUsers
      yield* ingest(mine, [posted({ externalId: "a" })])
      const [live, replay] = [yield* follow(whole), yield* follow(whole, 0)]
      isAway = true
      yield* ingest(mine, [posted({ externalId: "b" })])
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* live.next, ["Hello 1"])
      isAway = false
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* live.next, ["2 NewItem b of u1"])
      assert.deepStrictEqual((yield* replay.next).slice(-1), ["2 NewItem b of u1"])
    }).pipe(Effect.provide(feedOver(flaky)))
  })

  it.effect("are the same object for two subscribers of one scope, to be encoded once", () =>
    Effect.gen(function* () {
      const { mine, whole } = yield* twoUsers
      const [one, two] = [yield* follow(whole), yield* follow(whole)]
      yield* one.next
      yield* two.next
      yield* ingest(mine, [posted()])
      const eventOf = ([message]: ReadonlyArray<FeedMessage>) =>
        message?._tag === "Delivered" ? message.event : assert.fail("no event")
      assert.strictEqual(eventOf(yield* one.nextMessages), eventOf(yield* two.nextMessages))
    }).pipe(Effect.provide(layerInbox))
  )
})

describe("a follower", () => {
  /** Takes so many at once, and more each time `refill` is called. */
  const makeHungry = Effect.fnUntraced(function* (caller: EntitledCaller, appetite: number) {
    const room = yield* Latch.make(true)
    const heard: Array<string> = []
    let left = appetite
    const followWith = yield* (yield* EventFeed).follow(caller, Option.none())
    yield* followWith({
      take: (messages) => {
        const taken = messages.slice(0, left)
        left -= taken.length
        if (left === 0) room.closeUnsafe()
        heard.push(...taken.map(line))
        return taken.length
      },
      ready: room.await,
      failed: Effect.die
    })
    const refill = (more: number) =>
      Effect.gen(function* () {
        left = more
        yield* room.open
        yield* TestClock.adjust("10 millis")
      })
    return { heard, refill }
  })

  it.effect("that has no room gets the rest later, and does not block others", () =>
    Effect.gen(function* () {
      const { mine, whole } = yield* twoUsers
      const [slow, quick] = [yield* makeHungry(whole, 3), yield* makeHungry(whole, 1_000)]
      const stuck = yield* makeHungry(whole, 0)
      yield* TestClock.adjust("10 millis")
      const letters = ["a", "b", "c", "d", "e"]
      yield* ingest(
        mine,
        letters.map((externalId) => posted({ externalId }))
      )
      yield* TestClock.adjust("10 millis")
      const all = ["Hello 0", ...letters.map((letter, n) => `${n + 1} NewItem ${letter} of u1`)]
      assert.deepStrictEqual(quick.heard, all)
      assert.deepStrictEqual(slow.heard, all.slice(0, 3))
      yield* slow.refill(1)
      assert.deepStrictEqual(slow.heard, all.slice(0, 4))
      yield* ingest(mine, [posted({ externalId: "f" })])
      yield* slow.refill(1_000)
      yield* ingest(mine, [posted({ externalId: "g" })])
      yield* TestClock.adjust("10 millis")
      const more = [...all, "6 NewItem f of u1", "7 NewItem g of u1"]
      assert.deepStrictEqual(slow.heard, more)
      assert.deepStrictEqual(quick.heard, more)
      assert.deepStrictEqual(stuck.heard, [])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("that dies of a message ends alone", () =>
    Effect.gen(function* () {
      const { mine, whole } = yield* twoUsers
      const followWith = yield* (yield* EventFeed).follow(whole, Option.none())
      const failures: Array<Cause.Cause<never>> = []
      yield* followWith({
        take: ([message]) => (message?._tag === "Hello" ? 1 : assert.fail("it breaks")),
        ready: Effect.void,
        failed: (cause) => Effect.sync(() => void failures.push(cause))
      })
      const other = yield* makeHungry(whole, 1_000)
      yield* TestClock.adjust("10 millis")
      yield* ingest(mine, [posted({ externalId: "a" })])
      yield* ingest(mine, [posted({ externalId: "b" })])
      yield* TestClock.adjust("10 millis")
      assert.deepStrictEqual(other.heard, ["Hello 0", "1 NewItem a of u1", "2 NewItem b of u1"])
      assert.deepStrictEqual(failures.map(Cause.hasDies), [true])
    }).pipe(Effect.provide(layerInbox))
  )
})
