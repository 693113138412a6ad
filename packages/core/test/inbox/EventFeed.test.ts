import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Exit, Fiber, Latch, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { AccountAdministration } from "../../src/access/AccountAdministration.ts"
import type { EntitledCaller } from "../../src/access/EntitledCaller.ts"
import { EventFeed } from "../../src/inbox/EventFeed.ts"
import type { FeedMessage } from "../../src/inbox/FeedMessage.ts"
import { Inbox } from "../../src/inbox/Inbox.ts"
import { InboxEvents } from "../../src/inbox/InboxEvents.ts"
import { posted } from "../../src/testing/activities.ts"
import { ingest, lastSeq } from "../../src/testing/inboxFixtures.ts"
import { away, makeWorkspace } from "../support/fixtures.ts"
import { connectAccount, enter, layerInbox, layerInboxPorts, layerInboxServices } from "../support/inboxLayers.ts"

/** A message as a line of text. */
const line = (message: FeedMessage): string => {
  if (message._tag !== "Delivered") return `${message._tag} ${message.seq}`
  const { event, externalUserId, seq } = message.event
  const about = event._tag === "NewItem" ? ` ${event.item.externalId}` : ""
  return `${seq} ${event._tag}${about} of ${Option.getOrElse(externalUserId, () => "-")}`
}

/** How messages come to a subscriber. */
const ways = {
  "that are pulled": Effect.fnUntraced(function* (
    caller: EntitledCaller,
    after: number | undefined,
    hear: (message: FeedMessage) => void
  ) {
    const stream = yield* (yield* EventFeed).subscribe(caller, Option.fromUndefinedOr(after))
    yield* Effect.forkScoped(Stream.runForEach(stream, (message) => Effect.sync(() => hear(message))))
  }),
  "that are handed out": Effect.fnUntraced(function* (
    caller: EntitledCaller,
    after: number | undefined,
    hear: (message: FeedMessage) => void
  ) {
    const followWith = yield* (yield* EventFeed).follow(caller, Option.fromUndefinedOr(after))
    const take = (messages: ReadonlyArray<FeedMessage>) => {
      messages.forEach(hear)
      return messages.length
    }
    yield* Effect.forkScoped(followWith({ take, ready: Effect.void }))
  })
}

type Way = (typeof ways)[keyof typeof ways]

/** Follows a scope; `next` gives what has come, oldest first. */
const followBy = (way: Way) =>
  Effect.fnUntraced(function* (caller: EntitledCaller, after?: number) {
    let heard: ReadonlyArray<FeedMessage> = []
    yield* way(caller, after, (message) => {
      heard = [...heard, message]
    })
    const nextMessages = Effect.gen(function* () {
      yield* TestClock.adjust("10 millis")
      const messages = heard
      heard = []
      return messages
    })
    return { nextMessages, next: Effect.map(nextMessages, (messages) => messages.map(line)) }
  })

const town = Effect.gen(function* () {
  const workspace = yield* makeWorkspace("growth")
  const mine = yield* connectAccount(workspace.id, { networkAccountId: "1", externalUserId: Option.some("u1") })
  const yours = yield* connectAccount(workspace.id, { networkAccountId: "2", externalUserId: Option.some("u2") })
  return {
    id: workspace.id,
    mine,
    yours,
    whole: yield* enter(workspace.id),
    u1: yield* enter(workspace.id, "u1"),
    u2: yield* enter(workspace.id, "u2")
  }
})

/** The services over events that behave otherwise. */
const feedOver = (change: (events: InboxEvents["Service"]) => InboxEvents["Service"]) =>
  layerInboxServices.pipe(Layer.updateService(InboxEvents, change), Layer.provideMerge(layerInboxPorts))

describe.each(Object.entries(ways))("following a scope by messages %s (api.md §4)", (_, way) => {
  const follow = followBy(way)

  it.effect("says hello with the last number, then each event of the scope once, in order", () =>
    Effect.gen(function* () {
      const { mine, u1, u2, whole, yours } = yield* town
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

  it.effect("replays what came since a number, also more than is kept at hand, and goes on live", () =>
    Effect.gen(function* () {
      const { mine, whole } = yield* town
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

  it.effect("asks for a fresh start behind what is kept, and beyond the last", () =>
    Effect.gen(function* () {
      const { id, mine, whole } = yield* town
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

  it.effect("gives an account's events to who owns it when they are sent, replay included, and its move to both", () =>
    Effect.gen(function* () {
      const { id, mine, u1, u2, whole } = yield* town
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

  it.effect("tells nobody again of a disconnected account's items, until it is connected again", () =>
    Effect.gen(function* () {
      const { id, mine, u1, whole, yours } = yield* town
      const accounts = yield* AccountAdministration
      // Somebody stays, so that events are kept at hand.
      yield* follow(whole)
      yield* ingest(mine, [posted({ externalId: "a" })])
      yield* ingest(yours, [posted({ externalId: "b" })])
      const one = yield* follow(u1)
      yield* one.next
      yield* accounts.disconnect(id, mine.id)
      assert.deepStrictEqual(yield* one.next, ["3 AccountMoved of u1"])
      const [all, again] = [yield* follow(whole, 0), yield* follow(u1, 0)]
      assert.deepStrictEqual(yield* all.next, ["Hello 3", "2 NewItem b of u2", "3 AccountMoved of -"])
      assert.deepStrictEqual(yield* again.next, ["Hello 3", "3 AccountMoved of u1"])
      yield* connectAccount(id, { networkAccountId: "1", externalUserId: Option.some("u1") })
      assert.deepStrictEqual(yield* all.next, ["4 AccountMoved of u1"])
      const back = yield* follow(u1, 0)
      assert.deepStrictEqual(yield* back.next, [
        "Hello 4",
        "1 NewItem a of u1",
        "3 AccountMoved of u1",
        "4 AccountMoved of u1"
      ])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("tells nobody of an erased user's items, also not the next user of that name", () =>
    Effect.gen(function* () {
      const { id, mine, whole, yours } = yield* town
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

  it.effect("never tells a managed user whose an account was or becomes, nor how much the workspace read", () =>
    Effect.gen(function* () {
      const { id, mine, u1, whole } = yield* town
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

  it.effect("hears within two seconds what it was not told of", () =>
    Effect.gen(function* () {
      const { mine, whole } = yield* town
      const feed = yield* follow(whole)
      assert.deepStrictEqual(yield* feed.next, ["Hello 0"])
      yield* ingest(mine, [posted()])
      assert.deepStrictEqual(yield* feed.next, [])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* feed.next, ["1 NewItem c1 of u1"])
    }).pipe(Effect.provide(feedOver((events) => InboxEvents.of({ ...events, changes: Stream.never }))))
  )

  it.effect("waits while the store is away, and misses nothing", () => {
    let isAway = false
    const flaky = (events: InboxEvents["Service"]) =>
      InboxEvents.of({
        ...events,
        read: (...of) => (isAway ? Effect.fail(away()) : events.read(...of)),
        lastOf: (ids) => (isAway ? Effect.fail(away()) : events.lastOf(ids))
      })
    return Effect.gen(function* () {
      const { mine, whole } = yield* town
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

  it.effect("gives two subscribers of one scope the same object, to be encoded once", () =>
    Effect.gen(function* () {
      const { mine, whole } = yield* town
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
    const fiber = yield* Effect.forkScoped(
      followWith({
        take: (messages) => {
          const taken = messages.slice(0, left)
          left -= taken.length
          if (left === 0) room.closeUnsafe()
          heard.push(...taken.map(line))
          return taken.length
        },
        ready: room.await
      })
    )
    const refill = (more: number) =>
      Effect.gen(function* () {
        left = more
        yield* room.open
        yield* TestClock.adjust("10 millis")
      })
    return { heard, fiber, refill }
  })

  it.effect("that takes less than it is handed gets the rest once there is room, and holds up nobody", () =>
    Effect.gen(function* () {
      const { mine, whole } = yield* town
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

  it.effect("that dies of what it is handed ends alone", () =>
    Effect.gen(function* () {
      const { mine, whole } = yield* town
      const followWith = yield* (yield* EventFeed).follow(whole, Option.none())
      const broken = yield* Effect.forkScoped(
        followWith({
          take: ([message]) => (message?._tag === "Hello" ? 1 : assert.fail("it breaks")),
          ready: Effect.void
        })
      )
      const other = yield* makeHungry(whole, 1_000)
      yield* TestClock.adjust("10 millis")
      yield* ingest(mine, [posted({ externalId: "a" })])
      yield* ingest(mine, [posted({ externalId: "b" })])
      yield* TestClock.adjust("10 millis")
      assert.deepStrictEqual(other.heard, ["Hello 0", "1 NewItem a of u1", "2 NewItem b of u1"])
      assert.isTrue(Exit.isFailure(yield* Fiber.await(broken)))
    }).pipe(Effect.provide(layerInbox))
  )
})
