import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { LikeChanged, PrivatelyAnswered } from "@loopbox/core/items/acting/ownChange"
import { Posted, unknownPerson } from "@loopbox/core/networks/InboundActivity"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import { decideMove } from "@loopbox/core/items/decideMove"
import { deleted, noon, posted } from "../../fixtures/activities.ts"
import {
  connect,
  eventsAfter,
  idOf,
  type InboxPorts,
  inboxWorld,
  ingest,
  lastSeq,
  listed,
  makeInboxWorkspace,
  scopeOf,
  tagsAfter,
  walk
} from "../../fixtures/inboxFixtures.ts"

const at = (minutes: number) => DateTime.add(noon, { minutes })

const numbered = (count: number, threadKey = "t") =>
  Array.from({ length: count }, (_, n) => posted({ externalId: `c${n}`, threadKey, receivedAt: at(n) }))

const world = Effect.gen(function* () {
  const workspace = yield* makeInboxWorkspace()
  const account = yield* connect(workspace.id)
  return { workspace, account, scope: scopeOf(workspace.id), store: yield* InboxStore }
})

/** Lists, reading and threads. */
export const inboxReadSuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`InboxStore, read: ${adapter}`, (it) => {
    it.effect("lists newest first, ties by id, each item once over all pages", () =>
      Effect.gen(function* () {
        const { account, scope } = yield* world
        yield* ingest(account, numbered(7))
        yield* ingest(
          account,
          ["x", "y", "z"].map((externalId) => posted({ externalId, receivedAt: at(3) }))
        )
        const whole = yield* walk(scope, { limit: 500 })
        assert.strictEqual(whole.length, 10)
        for (const limit of [1, 2, 3, 10]) {
          assert.deepStrictEqual(yield* walk(scope, { limit }), whole)
        }
        const order = whole.map(({ id, receivedAt }) => `${DateTime.formatIso(receivedAt)} ${id}`)
        assert.deepStrictEqual(order, [...order].sort().reverse())
      })
    )

    it.effect("shows in each kind of list what a look-up of the item shows", () =>
      Effect.gen(function* () {
        const workspace = yield* makeInboxWorkspace()
        const account = yield* connect(workspace.id, { username: "acme", owner: "user" })
        const whole = new Posted({
          ...posted({ externalId: "whole", threadKey: "t", version: 1, receivedAt: at(1) }),
          parentExternalId: Option.some("parent"),
          linkedPostId: Option.some("post"),
          author: {
            ...unknownPerson,
            id: Option.some("1"),
            name: Option.some("Ann"),
            avatarUrl: Option.some("https://a")
          },
          attachments: [{ type: "image", url: "https://b" }],
          permalink: Option.some("https://c")
        })
        const own = posted({ externalId: "own", author: { name: Option.none(), username: Option.none() }, isOwn: true })
        yield* ingest(account, [whole, own])
        const store = yield* InboxStore
        const isOwn = Option.some(false)
        for (const scope of [scopeOf(workspace.id), scopeOf(workspace.id, "user")]) {
          const items = [...(yield* walk(scope)), ...(yield* walk(scope, { isOwn }))]
          assert.deepStrictEqual(
            items.map(({ externalId }) => externalId),
            ["whole", "own", "whole"]
          )
          for (const item of items) assert.deepStrictEqual(yield* store.find(scope, item.id), Option.some(item))
        }
      })
    )

    it.effect("shows a walk every item that was there at its start, whatever comes or goes meanwhile", () =>
      Effect.gen(function* () {
        const { account, scope, store } = yield* world
        yield* ingest(account, numbered(6))
        const query = { ...noFilter, after: Option.none(), limit: 2 }
        const first = yield* store.list(scope, query)
        yield* ingest(account, [posted({ externalId: "new", receivedAt: at(60) }), deleted({ externalId: "c5" })])
        const rest = yield* walk(scope, { limit: 2, after: first.next })
        const seen = [...first.items, ...rest].map(({ externalId }) => externalId)
        assert.deepStrictEqual(seen, ["c5", "c4", "c3", "c2", "c1", "c0"])
      })
    )

    it.effect("narrows a list by each filter, and by several at once", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        const other = yield* connect(workspace.id, { networkAccountId: "other" })
        yield* ingest(account, [
          posted({ externalId: "a", threadKey: "t1", receivedAt: at(1) }),
          posted({ externalId: "b", threadKey: "t2", receivedAt: at(2), isOwn: true }),
          posted({ externalId: "c", threadKey: "t2", receivedAt: at(3), source: "ig_dm" })
        ])
        yield* ingest(other, [posted({ externalId: "d", threadKey: "t1", receivedAt: at(4) })])
        const id = yield* idOf(scope, "a")
        yield* store.moveThread(
          scope,
          id,
          (item, before) => decideMove(item, before, { status: "assigned", assignedTo: Option.some("eve") }),
          noon
        )
        const by = (filter: Parameters<typeof listed>[1]) => listed(scope, { limit: 1, ...filter })
        assert.deepStrictEqual(yield* by({ source: Option.some("ig_dm") }), ["c"])
        assert.deepStrictEqual(yield* by({ isRead: Option.some(true) }), ["b"])
        assert.deepStrictEqual(yield* by({ isRead: Option.some(false) }), ["d", "c", "a"])
        assert.deepStrictEqual(yield* by({ isOwn: Option.some(true) }), ["b"])
        assert.deepStrictEqual(yield* by({ threadKey: Option.some("t1") }), ["d", "a"])
        assert.deepStrictEqual(yield* by({ accountId: Option.some(other.id) }), ["d"])
        assert.deepStrictEqual(yield* by({ threadStatus: Option.some("assigned") }), ["a"])
        assert.deepStrictEqual(yield* by({ threadStatus: Option.some("open") }), ["d", "c", "b"])
        assert.deepStrictEqual(yield* by({ assignedTo: Option.some(Option.some("eve")) }), ["a"])
        assert.deepStrictEqual(yield* by({ assignedTo: Option.some(Option.none()) }), ["d", "c", "b"])
        assert.deepStrictEqual(yield* by({ receivedAfter: Option.some(at(3)) }), ["d", "c"])
        assert.deepStrictEqual(yield* by({ receivedBefore: Option.some(at(3)) }), ["b", "a"])
        assert.deepStrictEqual(
          yield* by({ source: Option.some("ig_comment"), isRead: Option.some(false), threadKey: Option.some("t1") }),
          ["d", "a"]
        )
      })
    )

    it.effect("marks an item unread once, counts it again, and leaves own ones read", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        yield* ingest(account, [posted({ externalId: "a" }), posted({ externalId: "own", isOwn: true })])
        const id = yield* idOf(scope, "a")
        yield* store.markRead(scope, id, noon)
        const seq = yield* lastSeq(workspace.id)
        assert.isTrue(yield* store.markUnread(scope, id, noon))
        assert.isTrue(yield* store.markUnread(scope, id, noon))
        assert.isTrue(yield* store.markUnread(scope, yield* idOf(scope, "own"), noon))
        assert.deepStrictEqual(yield* tagsAfter(workspace.id, seq), ["ItemUpdated"])
        assert.strictEqual(yield* store.countUnread(scope), 1)
        assert.deepStrictEqual(yield* listed(scope, { isRead: Option.some(false) }), ["a"])
      })
    )

    it.effect("keeps what the account did with an item, and shows what may be done now", () =>
      Effect.gen(function* () {
        const { account, scope, workspace } = yield* world
        const key = { source: "ig_comment", externalId: "a" }
        yield* ingest(account, [posted(key)])
        const seq = yield* lastSeq(workspace.id)
        const like = new LikeChanged({ ...key, isLiked: true })
        const answered = new PrivatelyAnswered({ ...key, at: at(5) })
        yield* ingest(account, [like])
        yield* ingest(account, [like, answered, new PrivatelyAnswered({ ...key, at: at(9) })])
        assert.deepStrictEqual(yield* tagsAfter(workspace.id, seq), ["ItemUpdated", "ItemUpdated"])
        const [item] = yield* walk(scope)
        assert.deepStrictEqual(
          [item?.isLiked, item?.privateRepliedAt, item?.capabilities],
          [true, Option.some(at(5)), ["reply", "hide", "delete", "unlike"]]
        )
        // A later report of the network leaves it as it is.
        yield* ingest(account, [posted({ ...key, body: "edited", version: 1 })])
        const [later] = yield* walk(scope)
        assert.deepStrictEqual([later?.body, later?.isLiked], ["edited", true])
        yield* ingest(account, [new LikeChanged({ ...key, externalId: "nobody", isLiked: true })])
        assert.strictEqual((yield* walk(scope)).length, 1)
      })
    )

    it.effect("shows until when a message may be answered, by the newest of the other person", () =>
      Effect.gen(function* () {
        const { account, scope, store } = yield* world
        const message = (externalId: string, minutes: number, isOwn = false) =>
          posted({ source: "ig_dm", externalId, threadKey: "ann", receivedAt: at(minutes), isOwn })
        yield* ingest(account, [message("a", 0), message("b", 30), message("own", 40, true)])
        const closesAt = DateTime.add(at(30), { hours: 23, minutes: 59 })
        yield* TestClock.setTime(DateTime.toEpochMillis(at(50)))
        const windows = (yield* walk(scope)).map(({ capabilities, externalId, replyWindow }) => [
          externalId,
          Option.getOrNull(replyWindow),
          capabilities
        ])
        assert.deepStrictEqual(windows, [
          ["own", null, []],
          ["b", { mode: "standard", closesAt }, ["reply", "reply_media"]],
          ["a", { mode: "standard", closesAt }, ["reply", "reply_media"]]
        ])
        yield* TestClock.setTime(DateTime.toEpochMillis(closesAt))
        const found = Option.getOrThrow(yield* store.find(scope, yield* idOf(scope, "a")))
        assert.deepStrictEqual(found.replyWindow, Option.some({ mode: "closed" as const, closesAt }))
        assert.deepStrictEqual(found.capabilities, [])
      })
    )

    it.effect("marks one item read once, and tells so once", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        yield* ingest(account, numbered(2))
        const id = yield* idOf(scope, "c0")
        assert.isTrue(yield* store.markRead(scope, id, noon))
        assert.isTrue(yield* store.markRead(scope, id, noon))
        assert.strictEqual(yield* store.countUnread(scope), 1)
        const [event, ...more] = yield* eventsAfter(workspace.id, 2)
        assert.deepStrictEqual(more, [])
        assert.isTrue(event?.event._tag === "ItemUpdated" && event.event.item.isRead)
      })
    )

    it.effect("marks batches up to a number, each with one event, and nothing that came later", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        const other = yield* connect(workspace.id, { networkAccountId: "other" })
        yield* ingest(account, numbered(3))
        yield* ingest(other, numbered(2))
        const upToSeq = yield* lastSeq(workspace.id)
        yield* ingest(account, [posted({ externalId: "late", receivedAt: at(-60) })])
        const before = yield* lastSeq(workspace.id)
        const mark = () => store.markBatch(scope, { upToSeq, limit: 2, at: noon })
        assert.deepStrictEqual([yield* mark(), yield* mark(), yield* mark(), yield* mark()], [2, 2, 1, 0])
        assert.deepStrictEqual(yield* listed(scope, { isRead: Option.some(false) }), ["late"])
        assert.strictEqual(yield* store.countUnread(scope), 1)
        const events = yield* eventsAfter(workspace.id, before)
        assert.deepStrictEqual(
          events.map(({ event }) => event),
          [2, 2, 1].map((marked) => ({
            _tag: "ItemsRead" as const,
            externalUserId: Option.none(),
            upToSeq,
            marked: Option.some(marked)
          }))
        )
      })
    )

    it.effect("moves a thread for all of its items, and tells so once", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        yield* ingest(account, [...numbered(2), posted({ externalId: "beside", threadKey: "u" })])
        const before = yield* lastSeq(workspace.id)
        const id = yield* idOf(scope, "c0")
        const assign = { status: "assigned", assignedTo: Option.some("eve") } as const
        const moved = yield* store.moveThread(scope, id, (item, before) => decideMove(item, before, assign), noon)
        assert.deepStrictEqual(Option.getOrThrow(moved).thread, assign)
        yield* store.moveThread(scope, id, (item, before) => decideMove(item, before, assign), noon)
        assert.deepStrictEqual(yield* tagsAfter(workspace.id, before), ["ThreadUpdated"])
        const states = (yield* walk(scope)).map(({ externalId, thread }) => `${externalId} ${thread.status}`).sort()
        assert.deepStrictEqual(states, ["beside open", "c0 assigned", "c1 assigned"])
      })
    )

    it.effect("leaves the thread as it is when the move is refused", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        yield* ingest(account, numbered(1))
        const id = yield* idOf(scope, "c0")
        const move = { status: "open", assignedTo: Option.some("eve") } as const
        const error = yield* Effect.flip(
          store.moveThread(scope, id, (item, before) => decideMove(item, before, move), noon)
        )
        assert.strictEqual(error._tag, "AssigneeNotAllowed")
        assert.deepStrictEqual(yield* tagsAfter(workspace.id, 1), [])
      })
    )

    it.effect("shows the item that is answered, with the newest message of somebody else in its thread", () =>
      Effect.gen(function* () {
        const { account, scope, store } = yield* world
        yield* ingest(account, [
          posted({ externalId: "c1", threadKey: "t", receivedAt: at(0), replyTargetId: "c1-edit" }),
          posted({ externalId: "c2", threadKey: "t", receivedAt: at(5) }),
          posted({ isOwn: true, externalId: "c3", threadKey: "t", receivedAt: at(9) }),
          posted({ externalId: "c4", threadKey: "t2", receivedAt: at(20) })
        ])
        const id = yield* idOf(scope, "c1")
        const answered = Option.getOrThrow(yield* store.findAnswered(scope, id))
        assert.deepStrictEqual([answered.item.id, answered.item.replyTargetId], [id, "c1-edit"])
        assert.deepStrictEqual(answered.newestInboundAt, Option.some(at(5)))
        assert.isTrue(Option.isNone(yield* store.findAnswered(scopeOf(account.workspaceId, "u2"), id)))
        assert.isTrue(Option.isNone(yield* store.findAnswered({ ...scope, sources: new Set() }, id)))
      })
    )
  })
