import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { deleted, noon, posted } from "../../fixtures/activities.ts"
import {
  connect,
  eventsAfter,
  idOf,
  type InboxPorts,
  inboxEpoch,
  inboxWorld,
  ingest,
  lastSeq,
  makeInboxWorkspace,
  scopeOf
} from "../../fixtures/inboxFixtures.ts"
import { listedThreads, moveTo, threadOfKey, walkThreads } from "../../fixtures/threadFixtures.ts"

const at = (minute: number) => DateTime.add(noon, { minutes: minute })

const person = (name: string) => ({
  author: { id: Option.some(name), name: Option.some(name.toUpperCase()), username: Option.none() }
})

/** An item of the thread `t`. */
const said = (externalId: string, minute: number, more: Parameters<typeof posted>[0] = {}) =>
  posted({ externalId, threadKey: "t", receivedAt: at(minute), ...more })

const world = Effect.gen(function* () {
  const workspace = yield* makeInboxWorkspace()
  const account = yield* connect(workspace.id, { owner: "u1" })
  return { workspace, account, scope: scopeOf(workspace.id), store: yield* ThreadStore }
})

/** What threads keep of their items, and how they are changed. */
export const threadUpkeepSuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts | ThreadStore, E>) =>
  layer(inboxWorld(stores))(`ThreadStore, upkeep: ${adapter}`, (it) => {
    it.effect("counts items and what is unread, and knows the last item, however they arrive, go and are read", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        const shows = Effect.fnUntraced(function* (counts: readonly [number, number], last: string, inbound: number) {
          const thread = yield* threadOfKey(scope, "t")
          assert.deepStrictEqual([thread.itemCount, thread.unreadCount], counts)
          assert.strictEqual(thread.lastItem.externalId, last)
          assert.deepStrictEqual(thread.lastInboundAt, Option.some(at(inbound)))
        })
        yield* ingest(account, [said("a", 1)], { now: at(30) })
        yield* ingest(account, [said("b", 3), said("old", 0), said("own", 5, { isOwn: true })], { now: at(31) })
        yield* shows([4, 3], "own", 3)
        yield* ingest(account, [said("a", 1), deleted({ externalId: "unknown" })])
        yield* shows([4, 3], "own", 3)
        const inbox = yield* InboxStore
        yield* inbox.markRead(scope, yield* idOf(scope, "b"), noon)
        yield* inbox.markRead(scope, yield* idOf(scope, "b"), noon)
        yield* shows([4, 2], "own", 3)
        yield* inbox.markUnread(scope, yield* idOf(scope, "b"), noon)
        yield* inbox.markUnread(scope, yield* idOf(scope, "own"), noon)
        yield* shows([4, 3], "own", 3)
        yield* ingest(account, [deleted({ externalId: "own" })])
        yield* shows([3, 3], "b", 3)
        yield* ingest(account, [deleted({ externalId: "b" }), said("c", 2)])
        yield* shows([3, 3], "c", 2)
        assert.strictEqual(yield* inbox.markBatch(scope, { upToSeq: 10_000, limit: 2, at: noon }), 2)
        yield* shows([3, 1], "c", 2)
        assert.strictEqual(yield* inbox.markBatch(scope, { upToSeq: 10_000, limit: 2, at: noon }), 1)
        yield* shows([3, 0], "c", 2)
        const { createdAt, id } = yield* threadOfKey(scope, "t")
        assert.deepStrictEqual(createdAt, at(30))
        yield* ingest(
          account,
          ["a", "old", "c"].map((externalId) => deleted({ externalId }))
        )
        assert.deepStrictEqual(yield* walkThreads(scope), [])
        assert.isTrue(Option.isNone(yield* store.find(scope, id)))
        yield* ingest(account, [said("d", 9)], { now: at(40) })
        yield* shows([1, 1], "d", 9)
        assert.strictEqual((yield* threadOfKey(scope, "t")).id, id)
        assert.strictEqual(yield* inbox.countUnread(scopeOf(workspace.id)), 1)
      })
    )

    it.effect("shows the five others who wrote last, each once, told apart by id or else by name", () =>
      Effect.gen(function* () {
        const { account, scope } = yield* world
        const names = Effect.map(threadOfKey(scope, "t"), ({ participants }) =>
          participants.map(({ authorName }) => authorName)
        )
        const nameless = { author: { id: Option.none(), name: Option.none(), username: Option.none() } }
        const anonymous = { author: { id: Option.none(), name: Option.some("Anon"), username: Option.none() } }
        yield* ingest(account, [
          said("1", 1, person("a")),
          said("2", 2, person("b")),
          said("3", 3, anonymous),
          said("4", 4, nameless),
          said("5", 5, person("a")),
          said("6", 6, { isOwn: true }),
          said("7", 0, person("c"))
        ])
        assert.deepStrictEqual(yield* names, ["A", "Anon", "B", "C"])
        yield* ingest(account, [said("8", 7, anonymous), said("9", 8, person("d")), said("10", 9, person("e"))])
        assert.deepStrictEqual(yield* names, ["E", "D", "Anon", "A", "B"])
        yield* ingest(account, [deleted({ externalId: "9" }), deleted({ externalId: "5" })])
        assert.deepStrictEqual(yield* names, ["E", "Anon", "B", "A", "C"])
      })
    )

    it.effect("shows a participant as soon as its name is known", () =>
      Effect.gen(function* () {
        const { account, scope } = yield* world
        const epoch = yield* inboxEpoch
        const unnamed = { author: { id: Option.some("p"), name: Option.none(), username: Option.none() } }
        yield* ingest(account, [said("1", 1, unnamed)], { now: epoch })
        assert.deepStrictEqual((yield* threadOfKey(scope, "t")).participants, [])
        const profiles = yield* AuthorProfiles
        const claims = yield* profiles.claim({
          leaseNow: epoch,
          leaseUntil: DateTime.add(epoch, { minutes: 1 }),
          limit: 100,
          token: "names"
        })
        const claim = claims.find(({ accountId }) => accountId === account.id)
        if (claim === undefined) return assert.fail("the author is not looked up")
        yield* profiles.settle(
          claim,
          { _tag: "Known", person: { name: Option.some("Pia"), avatarUrl: Option.none() } },
          noon
        )
        const [shown] = (yield* threadOfKey(scope, "t")).participants
        assert.deepStrictEqual(shown, {
          authorId: Option.some("p"),
          authorName: "Pia",
          authorAvatarUrl: Option.none()
        })
      })
    )

    it.effect("marks a thread's unread items in batches, with an event of each", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        yield* ingest(account, [
          ...Array.from({ length: 5 }, (_, n) => said(`c${n}`, n)),
          said("own", 9, { isOwn: true }),
          posted({ externalId: "beside" })
        ])
        const { id } = yield* threadOfKey(scope, "t")
        const before = yield* lastSeq(workspace.id)
        assert.deepStrictEqual(yield* store.markRead(scope, id, 3, noon), Option.some(3))
        assert.strictEqual((yield* threadOfKey(scope, "t")).unreadCount, 2)
        assert.deepStrictEqual(yield* store.markRead(scope, id, 3, noon), Option.some(2))
        assert.deepStrictEqual(yield* store.markRead(scope, id, 3, noon), Option.some(0))
        const events = yield* eventsAfter(workspace.id, before)
        const told = events.flatMap(({ event }) => (event._tag === "ItemUpdated" ? [event.item] : []))
        assert.deepStrictEqual(told.map(({ externalId }) => externalId).sort(), ["c0", "c1", "c2", "c3", "c4"])
        assert.isTrue(told.every(({ isRead }) => isRead))
        assert.strictEqual(events.length, 5)
        assert.strictEqual(yield* (yield* InboxStore).countUnread(scope), 1)
        assert.deepStrictEqual(yield* listedThreads(scope, { isUnread: Option.some(true) }), ["beside"])
      })
    )

    it.effect("changes a thread's state with an event that carries the thread, once", () =>
      Effect.gen(function* () {
        const { account, scope, workspace } = yield* world
        yield* ingest(account, [said("a", 1), said("b", 2)])
        const thread = yield* threadOfKey(scope, "t")
        const before = yield* lastSeq(workspace.id)
        const assign = {
          status: "assigned",
          assignedTo: Option.some("eve"),
          snoozedUntil: Option.some(at(99))
        } as const
        const moved = Option.getOrThrow(yield* moveTo(scope, thread, assign))
        assert.deepStrictEqual(
          [moved.status, moved.assignedTo, moved.snoozedUntil],
          ["assigned", Option.some("eve"), Option.some(at(99))]
        )
        yield* moveTo(scope, thread, assign)
        const events = yield* eventsAfter(workspace.id, before)
        assert.deepStrictEqual(
          events.map(({ event }) => (event._tag === "ThreadUpdated" ? event.thread : undefined)),
          [Option.some(moved)]
        )
        const item = Option.getOrThrow(yield* (yield* InboxStore).find(scope, yield* idOf(scope, "a")))
        assert.deepStrictEqual(item.thread, { status: "assigned", assignedTo: Option.some("eve") })
      })
    )

    it.effect("wakes a thread when its time has come, once for all who look, and tells so", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        yield* ingest(account, [said("a", 1), posted({ externalId: "other" })])
        const epoch = yield* inboxEpoch
        const until = (minutes: number) => Option.some(DateTime.add(epoch, { minutes }))
        yield* moveTo(scope, yield* threadOfKey(scope, "t"), {
          status: "open",
          assignedTo: undefined,
          snoozedUntil: until(1)
        })
        yield* moveTo(scope, yield* threadOfKey(scope, "other"), {
          status: "open",
          assignedTo: undefined,
          snoozedUntil: until(2)
        })
        const before = yield* lastSeq(workspace.id)
        yield* store.wakeDue(DateTime.add(epoch, { seconds: 59 }), 100)
        assert.deepStrictEqual((yield* listedThreads(scope, { stage: Option.some("snoozed") })).sort(), ["other", "t"])
        const now = DateTime.add(epoch, { minutes: 1 })
        const looks = Array.from({ length: 3 }, () => store.wakeDue(now, 100))
        const woken = yield* Effect.all(looks, { concurrency: "unbounded" })
        assert.strictEqual(
          woken.reduce((sum, count) => sum + count, 0),
          1
        )
        const events = yield* eventsAfter(workspace.id, before)
        assert.deepStrictEqual(
          events.map(({ event }) => event._tag),
          ["ThreadUpdated"]
        )
        assert.deepStrictEqual(yield* listedThreads(scope, { stage: Option.some("snoozed") }), ["other"])
        assert.deepStrictEqual(yield* listedThreads(scope, { stage: Option.some("open") }), ["t"])
      })
    )

    it.effect("wakes a snoozed thread at once for what somebody else writes, and not for an own item", () =>
      Effect.gen(function* () {
        const { account, scope, workspace } = yield* world
        yield* ingest(account, [said("a", 1)])
        const snooze = {
          status: "assigned",
          assignedTo: Option.some("eve"),
          snoozedUntil: Option.some(at(99))
        } as const
        yield* moveTo(scope, yield* threadOfKey(scope, "t"), snooze)
        yield* ingest(account, [said("own", 2, { isOwn: true })])
        assert.deepStrictEqual((yield* threadOfKey(scope, "t")).snoozedUntil, Option.some(at(99)))
        const before = yield* lastSeq(workspace.id)
        yield* ingest(account, [said("b", 3)])
        const thread = yield* threadOfKey(scope, "t")
        assert.deepStrictEqual([thread.status, thread.assignedTo], ["assigned", Option.some("eve")])
        assert.isTrue(Option.isNone(thread.snoozedUntil))
        const events = yield* eventsAfter(workspace.id, before)
        assert.deepStrictEqual(
          events.map(({ event }) => (event._tag === "ThreadUpdated" ? event.thread : event._tag)),
          ["NewItem", Option.some(thread)]
        )
      })
    )

    it.effect(
      "shows the window in which a conversation may be answered, by its newest message of the other person",
      () =>
        Effect.gen(function* () {
          const { account, scope } = yield* world
          const message = (externalId: string, minute: number, isOwn: boolean) =>
            said(externalId, minute, { source: "ig_dm", isOwn })
          yield* ingest(account, [message("m1", 0, false), message("m2", 5, true)])
          const { lastItem, replyWindow } = yield* threadOfKey(scope, "t")
          assert.strictEqual(lastItem.externalId, "m2")
          assert.deepStrictEqual(
            Option.map(replyWindow, ({ closesAt }) => closesAt),
            Option.some(DateTime.subtract(DateTime.add(noon, { hours: 24 }), { minutes: 1 }))
          )
        })
    )
  })
