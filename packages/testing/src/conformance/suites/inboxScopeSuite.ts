import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { decideMove } from "@loopbox/core/items/decideMove"
import type { InboxItemId, SocialAccountId } from "@loopbox/core/kernel/Ids"
import type { Source } from "@loopbox/core/networks/Source"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { noon, posted } from "../../fixtures/activities.ts"
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
  sealAs,
  tagsAfter,
  redactNames
} from "../../fixtures/inboxFixtures.ts"

/** A workspace with one item for each of two managed users and one without. */
const twoUsers = Effect.gen(function* () {
  const { id } = yield* makeInboxWorkspace()
  const mine = yield* connect(id, { networkAccountId: "1", owner: "u1" })
  const yours = yield* connect(id, { networkAccountId: "2", owner: "u2" })
  const nobodys = yield* connect(id, { networkAccountId: "3" })
  yield* ingest(mine, [posted({ externalId: "mine" })])
  yield* ingest(yours, [posted({ externalId: "yours" })])
  yield* ingest(nobodys, [posted({ externalId: "nobodys" })])
  return { workspaceId: id, mine, yours, nobodys, whole: scopeOf(id), u1: scopeOf(id, "u1"), u2: scopeOf(id, "u2") }
})

/** What a scope can do with an item, as text. */
const reach = Effect.fnUntraced(function* (scope: ItemScope, id: InboxItemId) {
  const store = yield* InboxStore
  const found = yield* store.find(scope, id)
  const moved = yield* store.moveThread(
    scope,
    id,
    (item, before) => decideMove(item, before, { status: "resolved", assignedTo: undefined }),
    noon
  )
  const read = yield* store.markRead(scope, id, noon)
  return [Option.isSome(found), Option.isSome(moved), read].join(" ")
})

/** Who sees what. */
export const inboxScopeSuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`InboxStore, scope: ${adapter}`, (it) => {
    it.effect("shows a managed user what its accounts have, and the workspace everything", () =>
      Effect.gen(function* () {
        const { u1, u2, whole, workspaceId } = yield* twoUsers
        const store = yield* InboxStore
        assert.deepStrictEqual(yield* listed(u1), ["mine"])
        assert.deepStrictEqual(yield* listed(u2), ["yours"])
        assert.deepStrictEqual((yield* listed(whole)).sort(), ["mine", "nobodys", "yours"])
        assert.deepStrictEqual(yield* listed(scopeOf(workspaceId, "U1")), [])
        assert.deepStrictEqual(
          [yield* store.countUnread(u1), yield* store.countUnread(u2), yield* store.countUnread(whole)],
          [1, 1, 3]
        )
      })
    )

    it.effect("lets nobody find, read or move what lies outside of the scope, of either workspace", () =>
      Effect.gen(function* () {
        const [here, there] = [yield* twoUsers, yield* twoUsers]
        const ids = [
          yield* idOf(here.whole, "mine"),
          yield* idOf(here.whole, "yours"),
          yield* idOf(here.whole, "nobodys")
        ]
        const strangers = [there.whole, there.u1, scopeOf(there.workspaceId, "u3")]
        for (const stranger of strangers) {
          for (const id of ids) assert.strictEqual(yield* reach(stranger, id), "false false false")
        }
        const owners = [here.u1, here.u2, undefined]
        for (const [n, id] of ids.entries()) {
          for (const scope of [here.u1, here.u2]) {
            const expected = owners[n] === scope ? "true true true" : "false false false"
            assert.strictEqual(yield* reach(scope, id), expected)
          }
          assert.strictEqual(yield* reach(here.whole, id), "true true true")
        }
      })
    )

    it.effect("marks only the scope's items read", () =>
      Effect.gen(function* () {
        const { u1, u2, whole, workspaceId } = yield* twoUsers
        const store = yield* InboxStore
        const upToSeq = yield* lastSeq(workspaceId)
        assert.strictEqual(yield* store.markBatch(u1, { upToSeq, limit: 1_000, at: noon }), 1)
        assert.strictEqual(yield* store.countUnread(whole), 2)
        assert.strictEqual(yield* store.countUnread(u2), 1)
        const [{ event } = { event: undefined }] = yield* eventsAfter(workspaceId, upToSeq)
        assert.deepStrictEqual(event, {
          _tag: "ItemsRead",
          externalUserId: Option.some("u1"),
          upToSeq,
          marked: Option.some(1)
        })
      })
    )

    it.effect("shows only the sources of the plan, in lists, look-ups and counts", () =>
      Effect.gen(function* () {
        const { mine, whole } = yield* twoUsers
        const store = yield* InboxStore
        yield* ingest(mine, [posted({ externalId: "dm", source: "ig_dm" })])
        const poor: ItemScope = { ...whole, sources: new Set(["ig_dm"]) }
        assert.deepStrictEqual(yield* listed(poor), ["dm"])
        assert.strictEqual(yield* store.countUnread(poor), 1)
        assert.strictEqual(yield* reach(poor, yield* idOf(whole, "mine")), "false false false")
        assert.strictEqual(yield* store.markBatch(poor, { upToSeq: 1_000, limit: 1_000, at: noon }), 1)
        assert.strictEqual(yield* store.countUnread(whole), 3)
      })
    )

    it.effect("moves an account's items, counts and events to another user at once", () =>
      Effect.gen(function* () {
        const { mine, u1, u2, workspaceId } = yield* twoUsers
        const store = yield* InboxStore
        const before = yield* lastSeq(workspaceId)
        yield* (yield* SocialAccounts).update(workspaceId, mine.id, { externalUserId: Option.some("u2") }, noon)
        assert.deepStrictEqual(yield* listed(u1), [])
        assert.deepStrictEqual((yield* listed(u2)).sort(), ["mine", "yours"])
        assert.deepStrictEqual([yield* store.countUnread(u1), yield* store.countUnread(u2)], [0, 2])
        assert.deepStrictEqual(yield* tagsAfter(workspaceId, before), ["AccountMoved"])
        const owners = (yield* eventsAfter(workspaceId)).filter(
          ({ event }) => event._tag === "NewItem" && event.accountId === mine.id
        )
        assert.deepStrictEqual(
          owners.map(({ owner }) => owner),
          [Option.some("u2")]
        )
      })
    )

    it.effect("hides the items of a disconnected account, and shows them again when it is revived", () =>
      Effect.gen(function* () {
        const { mine, u1, whole, workspaceId } = yield* twoUsers
        const [accounts, store] = [yield* SocialAccounts, yield* InboxStore]
        const id = yield* idOf(whole, "mine")
        assert.isTrue(yield* accounts.disconnect(workspaceId, mine.id, noon))
        assert.deepStrictEqual(yield* listed(u1), [])
        assert.strictEqual(yield* store.countUnread(whole), 2)
        assert.strictEqual(yield* reach(whole, id), "false false false")
        assert.strictEqual(yield* store.markBatch(whole, { upToSeq: 1_000, limit: 1_000, at: noon }), 2)
        const again = yield* newAccount(workspaceId, { networkAccountId: "1", owner: "u1" })
        yield* accounts.connect(again, sealAs("new"), DateTime.subtract(noon, { days: 7 }))
        assert.deepStrictEqual(yield* listed(u1), ["mine"])
        assert.strictEqual(yield* store.countUnread(u1), 1)
      })
    )

    it.effect(
      "passes over what disconnected accounts have, however much it is, and loses nothing beside or behind it",
      () =>
        Effect.gen(function* () {
          const { id } = yield* makeInboxWorkspace()
          const [whole, accounts] = [scopeOf(id), yield* SocialAccounts]
          const hidden = yield* connect(id, { networkAccountId: "1" })
          const shown = yield* connect(id, { networkAccountId: "2" })
          const other = yield* connect(id, { network: "x", networkAccountId: "3" })
          const ago = (minutes: number) => DateTime.subtract(noon, { minutes })
          const items = (name: string, minutes: ReadonlyArray<number>, source: Source = "ig_comment") =>
            minutes.map((n) => posted({ externalId: `${name} ${n}`, source, receivedAt: ago(n) }))
          // More than a page of one reads where it gives little: twenty rows for each item.
          yield* ingest(
            hidden,
            items(
              "hidden",
              Array.from({ length: 50 }, (_, n) => n + 1)
            )
          )
          yield* ingest(shown, items("shown", [30, 60, 61]))
          yield* ingest(other, items("other", [35, 45, 62], "x_reply"))
          assert.isTrue(yield* accounts.disconnect(id, hidden.id, noon))
          const all = ["shown 30", "other 35", "other 45", "shown 60", "shown 61", "other 62"]
          for (const limit of [1, 2, 50]) {
            assert.deepStrictEqual(yield* listed(whole, { limit }), all)
            assert.deepStrictEqual(yield* listed(whole, { limit, isRead: Option.some(false) }), all)
            assert.deepStrictEqual(yield* listed(whole, { limit, isOwn: Option.some(false) }), all)
          }
          assert.deepStrictEqual(yield* listed(whole, { limit: 1, accountId: Option.some(hidden.id) }), [])
          const shownAlone = yield* listed(whole, { limit: 1, accountId: Option.some(shown.id) })
          assert.deepStrictEqual(shownAlone, ["shown 30", "shown 60", "shown 61"])
        })
    )

    it.effect("gives nobody the items of an account that is not theirs by its id", () =>
      Effect.gen(function* () {
        const { mine, u1, u2, yours, workspaceId } = yield* twoUsers
        const elsewhere = scopeOf((yield* twoUsers).workspaceId)
        const of = (scope: ItemScope, id: SocialAccountId) => listed(scope, { accountId: Option.some(id) })
        assert.deepStrictEqual([yield* of(u1, mine.id), yield* of(u2, yours.id)], [["mine"], ["yours"]])
        assert.deepStrictEqual(yield* of(scopeOf(workspaceId), yours.id), ["yours"])
        assert.deepStrictEqual(
          [yield* of(u1, yours.id), yield* of(u2, mine.id), yield* of(elsewhere, mine.id)],
          [[], [], []]
        )
      })
    )

    it.effect("forgets what an erased managed user had, and nothing else", () =>
      Effect.gen(function* () {
        const { u1, whole, workspaceId } = yield* twoUsers
        assert.isTrue(yield* (yield* ManagedUsers).erase(workspaceId, "u1", redactNames))
        assert.deepStrictEqual(yield* listed(u1), [])
        assert.deepStrictEqual((yield* listed(whole)).sort(), ["nobodys", "yours"])
        const left = yield* eventsAfter(workspaceId)
        assert.deepStrictEqual(
          left.map(({ event, seq }) => [seq, event._tag === "NewItem" ? event.item.externalId : event._tag]),
          [
            [2, "yours"],
            [3, "nobodys"],
            [4, "AccountMoved"]
          ]
        )
      })
    )

    it.effect("forgets an erased workspace, and leaves the other as it was", () =>
      Effect.gen(function* () {
        const [here, there] = [yield* twoUsers, yield* twoUsers]
        yield* (yield* Workspaces).erase(here.workspaceId, redactNames)
        assert.deepStrictEqual(yield* listed(here.whole), [])
        assert.deepStrictEqual(yield* eventsAfter(here.workspaceId), [])
        assert.strictEqual((yield* Effect.flip(ingest(here.mine, [posted()])))._tag, "AccountGone")
        assert.strictEqual((yield* listed(there.whole)).length, 3)
      })
    )
  })
