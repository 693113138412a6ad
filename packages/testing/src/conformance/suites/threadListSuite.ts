import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { ItemPosition } from "@loopbox/core/items/InboxItem"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { noon, posted } from "../../fixtures/activities.ts"
import {
  connect,
  type InboxPorts,
  inboxWorld,
  ingest,
  makeInboxWorkspace,
  scopeOf
} from "../../fixtures/inboxFixtures.ts"
import { listedThreads, moveTo, threadOfKey, walkThreads } from "../../fixtures/threadFixtures.ts"

const at = (minute: number) => DateTime.add(noon, { minutes: minute })

/** A comment that begins a thread of its own or lies in a named one. */
const comment = (externalId: string, minute: number, more: Parameters<typeof posted>[0] = {}) =>
  posted({ externalId, receivedAt: at(minute), ...more })

/** Lists of threads. */
export const threadListSuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts | ThreadStore, E>) =>
  layer(inboxWorld(stores))(`ThreadStore, lists: ${adapter}`, (it) => {
    it.effect("lists threads by their last item, the newest first, each once over pages of any size", () =>
      Effect.gen(function* () {
        const workspace = yield* makeInboxWorkspace()
        const one = yield* connect(workspace.id, { owner: "u1" })
        const two = yield* connect(workspace.id, { owner: "u2", networkAccountId: "two" })
        const scope = scopeOf(workspace.id)
        yield* ingest(one, [
          comment("a1", 1, { threadKey: "a" }),
          comment("b1", 2, { threadKey: "b" }),
          comment("a2", 5, { threadKey: "a" }),
          comment("d", 4, { source: "ig_dm", threadKey: "d" })
        ])
        yield* ingest(two, [comment("c1", 3, { threadKey: "c", account: "two" }), comment("e", 4, { account: "two" })])
        for (const limit of [1, 2, 3, 25]) {
          const keys = yield* listedThreads(scope, { limit })
          assert.deepStrictEqual([keys[0], ...keys.slice(1, 3).sort(), ...keys.slice(3)], ["a", "d", "e", "c", "b"])
        }
        assert.deepStrictEqual(yield* listedThreads(scopeOf(workspace.id, "u1"), { limit: 1 }), ["a", "d", "b"])
        assert.deepStrictEqual(yield* listedThreads(scope, { accountId: Option.some(two.id), limit: 1 }), ["e", "c"])
        assert.deepStrictEqual(yield* listedThreads(scope, { source: Option.some("ig_dm") }), ["d"])
        assert.deepStrictEqual(yield* listedThreads({ ...scope, sources: new Set(["ig_dm"]) }), ["d"])
        assert.deepStrictEqual(yield* listedThreads({ ...scope, sources: new Set() }), [])
      })
    )

    it.effect("narrows a list by status, snooze, assignee and what is unread, alone and together", () =>
      Effect.gen(function* () {
        const workspace = yield* makeInboxWorkspace()
        const account = yield* connect(workspace.id)
        const names = ["open", "eve", "nobody", "resolved", "by", "later", "mine"]
        yield* ingest(
          account,
          names.map((name, n) => comment(name, 10 - n, { isOwn: name === "mine" }))
        )
        const store = yield* ThreadStore
        for (const scope of [scopeOf(workspace.id)]) {
          const of = (name: string) => threadOfKey(scope, name)
          const eve = Option.some("eve")
          yield* moveTo(scope, yield* of("eve"), { status: "assigned", assignedTo: eve })
          yield* moveTo(scope, yield* of("nobody"), { status: "assigned", assignedTo: undefined })
          yield* moveTo(scope, yield* of("resolved"), { status: "resolved", assignedTo: undefined })
          yield* moveTo(scope, yield* of("by"), { status: "resolved", assignedTo: eve })
          const snoozedUntil = Option.some(at(100))
          yield* moveTo(scope, yield* of("later"), { status: "assigned", assignedTo: eve, snoozedUntil })
          yield* store.markRead(scope, (yield* of("eve")).id, 10, noon)
          yield* store.markRead(scope, (yield* of("resolved")).id, 10, noon)
        }
        const byAccount = { accountId: Option.some(account.id) }
        for (const more of [{}, byAccount]) {
          const list = (filter: Parameters<typeof listedThreads>[1]) =>
            listedThreads(scopeOf(workspace.id), { ...more, limit: 2, ...filter })
          assert.deepStrictEqual(yield* list({}), names)
          assert.deepStrictEqual(yield* list({ stage: Option.some("open") }), ["open", "mine"])
          assert.deepStrictEqual(yield* list({ stage: Option.some("assigned") }), ["eve", "nobody"])
          assert.deepStrictEqual(yield* list({ stage: Option.some("resolved") }), ["resolved", "by"])
          assert.deepStrictEqual(yield* list({ stage: Option.some("snoozed") }), ["later"])
          const eve = Option.some(Option.some("eve"))
          const nobodys = Option.some(Option.none<string>())
          assert.deepStrictEqual(yield* list({ assignedTo: eve }), ["eve", "by", "later"])
          assert.deepStrictEqual(yield* list({ assignedTo: Option.some(Option.some("ann")) }), [])
          assert.deepStrictEqual(yield* list({ assignedTo: nobodys }), ["open", "nobody", "resolved", "mine"])
          assert.deepStrictEqual(yield* list({ isUnread: Option.some(true) }), ["open", "nobody", "by", "later"])
          assert.deepStrictEqual(yield* list({ isUnread: Option.some(false) }), ["eve", "resolved", "mine"])
          assert.deepStrictEqual(yield* list({ assignedTo: eve, isUnread: Option.some(true) }), ["by", "later"])
          assert.deepStrictEqual(yield* list({ assignedTo: eve, stage: Option.some("assigned") }), ["eve"])
          assert.deepStrictEqual(yield* list({ assignedTo: nobodys, stage: Option.some("assigned") }), ["nobody"])
          assert.deepStrictEqual(yield* list({ stage: Option.some("open"), isUnread: Option.some(false) }), ["mine"])
        }
      })
    )

    it.effect("leaves out threads of accounts that are disconnected, and has them again when one is connected", () =>
      Effect.gen(function* () {
        const workspace = yield* makeInboxWorkspace()
        const left = yield* connect(workspace.id, { owner: "u1" })
        const kept = yield* connect(workspace.id, { owner: "u1", networkAccountId: "kept" })
        const scope = scopeOf(workspace.id)
        const comments = Array.from({ length: 7 }, (_, n) => comment(`c${n}`, n))
        yield* ingest(left, comments)
        yield* ingest(kept, [comment("k1", -1, { account: "kept" }), comment("k2", 3, { account: "kept" })])
        const gone = yield* threadOfKey(scope, "c1")
        const store = yield* ThreadStore
        yield* (yield* SocialAccounts).disconnect(workspace.id, left.id, noon)
        for (const limit of [1, 2, 25]) assert.deepStrictEqual(yield* listedThreads(scope, { limit }), ["k2", "k1"])
        assert.isTrue(Option.isNone(yield* store.find(scope, gone.id)))
        assert.isTrue(Option.isNone(yield* store.markRead(scope, gone.id, 10, noon)))
        const again = yield* connect(workspace.id, { owner: "u1", at: at(60) })
        assert.strictEqual(again.id, left.id)
        assert.deepStrictEqual(
          Option.map(yield* store.find(scope, gone.id), ({ threadKey }) => threadKey),
          Option.some("c1")
        )
        assert.strictEqual((yield* walkThreads(scope, { limit: 2 })).length, 9)
      })
    )

    it.effect("finds a thread by its id in its scope only, and gives its items in both orders", () =>
      Effect.gen(function* () {
        const workspace = yield* makeInboxWorkspace()
        const account = yield* connect(workspace.id, { owner: "u1" })
        const scope = scopeOf(workspace.id)
        const items = Array.from({ length: 5 }, (_, n) => comment(`c${n}`, Math.floor(n / 2), { threadKey: "t" }))
        yield* ingest(account, [...items, comment("other", 1)])
        const { id } = yield* threadOfKey(scope, "t")
        const store = yield* ThreadStore
        for (const outside of [scopeOf(workspace.id, "u2"), { ...scope, sources: new Set<never>() }]) {
          assert.isTrue(Option.isNone(yield* store.find(outside, id)))
          const query = { order: "newest", limit: 5, after: Option.none() } as const
          assert.isTrue(Option.isNone(yield* store.items(outside, id, query)))
          assert.isTrue(Option.isNone(yield* store.markRead(outside, id, 5, noon)))
          const moved = yield* moveTo(outside, { id }, { status: "resolved", assignedTo: undefined })
          assert.isTrue(Option.isNone(moved))
        }
        for (const limit of [1, 2, 10]) {
          const walked = Effect.fnUntraced(function* (order: "newest" | "oldest") {
            const found: Array<string> = []
            let after = Option.none<ItemPosition>()
            do {
              const page = Option.getOrThrow(yield* store.items(scope, id, { order, limit, after }))
              found.push(...page.items.map(({ externalId }) => externalId))
              after = page.next
            } while (Option.isSome(after))
            return found
          })
          const newest = yield* walked("newest")
          assert.deepStrictEqual(newest.toSorted(), ["c0", "c1", "c2", "c3", "c4"])
          assert.strictEqual(newest[0], "c4")
          assert.deepStrictEqual(yield* walked("oldest"), newest.toReversed())
        }
      })
    )
  })
