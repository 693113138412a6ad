import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { threadUpdated } from "@loopbox/core/items/decideMove"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { keyOf } from "@loopbox/core/items/StoredItem"
import { deleted, edited, hidden, noon, posted } from "../../fixtures/activities.ts"
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
  newAccount,
  scopeOf,
  tagsAfter,
  walk
} from "../../fixtures/inboxFixtures.ts"

const world = Effect.gen(function* () {
  const workspace = yield* makeInboxWorkspace()
  const account = yield* connect(workspace.id, { owner: "u1" })
  return { workspace, account, scope: scopeOf(workspace.id), store: yield* InboxStore }
})

/** Units of ingest: items, threads, counters and events in one transaction. */
export const inboxIngestSuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`IngestStore: ${adapter}`, (it) => {
    it.effect("makes an item, its event and its count of a comment, once", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        assert.deepStrictEqual(yield* ingest(account, [posted()]), {
          created: 1,
          changed: new Set(["ig_comment c1"]),
          events: 1,
          isRepeated: false
        })
        assert.deepStrictEqual(yield* ingest(account, [posted(), posted()]), {
          created: 0,
          changed: new Set<string>(),
          events: 0,
          isRepeated: false
        })
        assert.deepStrictEqual(yield* listed(scope), ["c1"])
        assert.strictEqual(yield* store.countUnread(scope), 1)
        const [event, ...more] = yield* eventsAfter(workspace.id)
        assert.deepStrictEqual(more, [])
        assert.isTrue(event?.seq === 1 && event.event._tag === "NewItem" && Option.contains(event.owner, "u1"))
      })
    )

    it.effect("gives an item back as it was told, with its thread and its account", () =>
      Effect.gen(function* () {
        const { account, scope, store } = yield* world
        yield* ingest(account, [posted({ body: "a\u{1f600}'\"\\", threadKey: "t" })])
        const [item] = yield* walk(scope)
        assert.deepStrictEqual(yield* store.find(scope, yield* idOf(scope, "c1")), Option.fromUndefinedOr(item))
        assert.strictEqual(item?.body, "a\u{1f600}'\"\\")
        assert.deepStrictEqual(item?.thread, { status: "open", assignedTo: Option.none() })
        assert.deepStrictEqual(item?.authorName, Option.some("ann"))
        assert.deepStrictEqual(item?.receivedAt, noon)
        assert.deepStrictEqual(item?.account, {
          id: account.id,
          network: "instagram",
          name: "The Page",
          avatarUrl: Option.none(),
          externalUserId: Option.some("u1")
        })
      })
    )

    it.effect("numbers the events of a unit without gaps, in the order of its activities", () =>
      Effect.gen(function* () {
        const { account, workspace } = yield* world
        yield* ingest(account, [
          posted({ externalId: "a" }),
          posted({ externalId: "b" }),
          edited(1, "more", { externalId: "a" }),
          deleted({ externalId: "b" }),
          hidden(1, true, { externalId: "a" })
        ])
        const events = yield* eventsAfter(workspace.id)
        assert.deepStrictEqual(
          events.map(({ event, seq }) => [seq, event._tag]),
          [
            [1, "NewItem"],
            [2, "NewItem"],
            [3, "ItemUpdated"],
            [4, "ItemDeleted"],
            [5, "ItemUpdated"]
          ]
        )
      })
    )

    it.effect("shows of an item that was edited, hidden or deleted before it came what holds now", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        yield* ingest(account, [edited(2, "edited", { externalId: "a" }), hidden(1, true, { externalId: "a" })])
        yield* ingest(account, [deleted({ externalId: "b" })])
        assert.deepStrictEqual(yield* listed(scope), [])
        yield* ingest(account, [posted({ externalId: "a" }), posted({ externalId: "b" })])
        const [item, ...more] = yield* walk(scope)
        assert.deepStrictEqual(more, [])
        assert.isTrue(item?.body === "edited" && item.isHidden)
        assert.deepStrictEqual(item?.editedAt, Option.some(DateTime.add(noon, { minutes: 2 })))
        assert.strictEqual(yield* store.countUnread(scope), 1)
        assert.deepStrictEqual(yield* tagsAfter(workspace.id), ["NewItem"])
      })
    )

    it.effect("takes a deleted item from lists, counts and look-ups", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        yield* ingest(account, [posted()])
        const id = yield* idOf(scope, "c1")
        yield* ingest(account, [deleted()])
        assert.deepStrictEqual(yield* store.find(scope, id), Option.none())
        assert.deepStrictEqual(yield* listed(scope), [])
        assert.strictEqual(yield* store.countUnread(scope), 0)
        assert.isFalse(yield* store.markRead(scope, id, noon))
        const events = yield* eventsAfter(workspace.id, 1)
        assert.deepStrictEqual(
          events.map(({ event }) => event._tag === "ItemDeleted" && event.itemId),
          [id]
        )
      })
    )

    it.effect("deletes a post of which a later edit's id is deleted", () =>
      Effect.gen(function* () {
        const workspace = yield* makeInboxWorkspace()
        const account = yield* connect(workspace.id, { network: "x" })
        const scope = scopeOf(workspace.id)
        const edit = posted({ source: "x_reply", externalId: "1", replyTargetId: "2", version: 1 })
        yield* ingest(account, [edit])
        assert.deepStrictEqual(yield* listed(scope), ["1"])
        yield* ingest(account, [deleted({ source: "x_reply", externalId: "2" })])
        assert.deepStrictEqual(yield* listed(scope), [])
      })
    )

    it.effect("reopens a resolved thread for what somebody else writes, in the same transaction", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        yield* ingest(account, [posted({ externalId: "a", threadKey: "t" })])
        const id = yield* idOf(scope, "a")
        yield* store.moveThread(scope, id, resolvedBy("eve"), noon)
        const before = yield* lastSeq(workspace.id)
        yield* ingest(account, [posted({ externalId: "b", threadKey: "t" })])
        assert.deepStrictEqual(yield* tagsAfter(workspace.id, before), ["NewItem", "ThreadUpdated"])
        for (const item of yield* walk(scope)) {
          assert.deepStrictEqual(item.thread, { status: "open", assignedTo: Option.none() })
        }
      })
    )

    it.effect("does a delivery's unit once, and another account's unit of it too", () =>
      Effect.gen(function* () {
        const { account, workspace } = yield* world
        const other = yield* connect(workspace.id, { networkAccountId: "other" })
        yield* ingest(account, [posted({ externalId: "a" })], { completes: [`d-${workspace.id}`] })
        const again = yield* ingest(account, [posted({ externalId: "b" })], { completes: [`d-${workspace.id}`] })
        assert.deepStrictEqual(again, { created: 0, changed: new Set<string>(), events: 0, isRepeated: true })
        const beside = yield* ingest(other, [posted({ externalId: "a" })], { completes: [`d-${workspace.id}`] })
        assert.strictEqual(beside.created, 1)
      })
    )

    it.effect("does what several deliveries say in one unit, also where one of them was done before", () =>
      Effect.gen(function* () {
        const { account, workspace } = yield* world
        const [first, second, third] = [1, 2, 3].map((n) => `d${n}-${workspace.id}`)
        if (first === undefined || second === undefined || third === undefined) return assert.fail()
        yield* ingest(account, [posted({ externalId: "a" })], { completes: [first] })
        const both = [posted({ externalId: "a" }), posted({ externalId: "b" })]
        const receipt = yield* ingest(account, both, { completes: [second, first] })
        assert.deepInclude(receipt, { created: 1, events: 1, isRepeated: false })
        for (const completes of [[first], [second], [first, second]]) {
          const again = yield* ingest(account, [posted({ externalId: "c" })], { completes })
          assert.isTrue(again.isRepeated)
        }
        const last = yield* ingest(account, [posted({ externalId: "c" })], { completes: [second, third] })
        assert.strictEqual(last.created, 1)
      })
    )

    it.effect("refuses an account that is disconnected or not of the workspace", () =>
      Effect.gen(function* () {
        const { account, workspace } = yield* world
        const stranger = yield* newAccount(workspace.id)
        assert.strictEqual((yield* Effect.flip(ingest(stranger, [posted()])))._tag, "AccountGone")
        yield* (yield* SocialAccounts).disconnect(workspace.id, account.id, noon)
        assert.strictEqual((yield* Effect.flip(ingest(account, [posted()])))._tag, "AccountGone")
      })
    )

    it.effect("keeps the same comment under two accounts as two items", () =>
      Effect.gen(function* () {
        const { account, scope, workspace } = yield* world
        const other = yield* connect(workspace.id, { networkAccountId: "other" })
        yield* ingest(account, [posted()])
        yield* ingest(other, [posted()])
        assert.deepStrictEqual(yield* listed(scope), ["c1", "c1"])
      })
    )

    it.effect("loses and doubles nothing when units race, and numbers them without gaps", () =>
      Effect.gen(function* () {
        const { account, scope, store, workspace } = yield* world
        const other = yield* connect(workspace.id, { networkAccountId: "other" })
        const units = Array.from({ length: 24 }, (_, n) =>
          ingest(n % 2 === 0 ? account : other, [
            posted({ externalId: `c${n % 8}`, threadKey: `t${n % 3}` }),
            posted({ externalId: `c${(n + 5) % 8}`, threadKey: `t${(n + 2) % 3}` })
          ])
        )
        const receipts = yield* Effect.all(units, { concurrency: "unbounded" })
        const created = receipts.reduce((sum, receipt) => sum + receipt.created, 0)
        const items = yield* walk(scope)
        assert.strictEqual(items.length, created)
        assert.strictEqual(new Set(items.map(({ account: { id }, externalId }) => `${id} ${externalId}`)).size, created)
        assert.strictEqual(yield* store.countUnread(scope), created)
        const seqs = (yield* eventsAfter(workspace.id)).map(({ seq }) => seq)
        assert.deepStrictEqual(
          seqs,
          Array.from({ length: created }, (_, n) => n + 1)
        )
      })
    )

    it.effect("tells the thread of a known item, also of a deleted one and by the id of a later edit", () =>
      Effect.gen(function* () {
        const workspace = yield* makeInboxWorkspace()
        const account = yield* connect(workspace.id, { network: "x" })
        const source = "x_reply" as const
        yield* ingest(account, [
          posted({ source, externalId: "1", threadKey: "t1", replyTargetId: "11" }),
          posted({ source, externalId: "2", threadKey: "t2" }),
          deleted({ source, externalId: "2" }),
          edited(1, "early", { source, externalId: "3" })
        ])
        const keys = ["1", "11", "2", "3", "4"].map((externalId) => ({ source, externalId }))
        const found = yield* (yield* IngestStore).findThreadKeys(workspace.id, account.id, keys)
        assert.deepStrictEqual(
          keys.map((key) => found.get(keyOf(key))),
          ["t1", "t1", "t2", undefined, undefined]
        )
      })
    )

    it.effect("finds an item by the id that its network gave it", () =>
      Effect.gen(function* () {
        const { account, scope } = yield* world
        yield* ingest(account, [posted(), posted({ externalId: "c2" }), deleted({ externalId: "c2" })])
        const store = yield* IngestStore
        const find = (externalId: string) =>
          store.findItemId(account.workspaceId, account.id, { source: "ig_comment", externalId })
        assert.deepStrictEqual(yield* find("c1"), Option.some(yield* idOf(scope, "c1")))
        for (const absent of ["c2", "c9"]) assert.deepStrictEqual(yield* find(absent), Option.none())
      })
    )
  })

const resolvedBy = (name: string) => (item: InboxItem) => {
  const thread = { status: "resolved", assignedTo: Option.some(name), snoozedUntil: Option.none() } as const
  return Result.succeed({ thread, events: [threadUpdated(item, thread)] })
}
