import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { parseSearch } from "@loopbox/core/search/SearchQuery"
import type { ThreadStage } from "@loopbox/core/threads/ThreadStage"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { deleted, noon, posted } from "../../fixtures/activities.ts"
import {
  connect,
  eventsAfter,
  type InboxPorts,
  inboxWorld,
  ingest,
  lastSeq,
  makeInboxWorkspace,
  scopeOf
} from "../../fixtures/inboxFixtures.ts"
import { listedThreads, moveTo, threadOfKey } from "../../fixtures/threadFixtures.ts"

const at = (minute: number) => DateTime.add(noon, { minutes: minute })

/** An item that begins the thread of its name, or lies in a named one. */
const said = (externalId: string, minute: number, more: Parameters<typeof posted>[0] = {}) =>
  posted({ externalId, receivedAt: at(minute), ...more })

const world = Effect.gen(function* () {
  const workspace = yield* makeInboxWorkspace()
  const account = yield* connect(workspace.id, { owner: "u1" })
  const store = yield* ThreadStore
  const scope = scopeOf(workspace.id)
  const label = Effect.fnUntraced(function* (threadKey: string, labels: ReadonlyArray<string>) {
    return yield* store.setLabels(scope, (yield* threadOfKey(scope, threadKey)).id, labels, noon)
  })
  const listed = (labels: string, more: Parameters<typeof listedThreads>[1] = {}, of: ItemScope = scope) =>
    listedThreads(of, { label: Option.some(labels), limit: 1, ...more })
  return { workspace, account, scope, store, label, listed }
})

/** Labels of threads. */
export const threadLabelsSuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts | ThreadStore, E>) =>
  layer(inboxWorld(stores))(`ThreadStore, labels: ${adapter}`, (it) => {
    it.effect("gives a thread its labels in place of its own, as they are spelled, and tells it once", () =>
      Effect.gen(function* () {
        const { account, label, scope, workspace } = yield* world
        yield* ingest(account, [said("a", 1)])
        const before = yield* lastSeq(workspace.id)
        const given = yield* label("a", ["Refund", "VIP"])
        assert.deepStrictEqual(Option.getOrThrow(given).labels, ["Refund", "VIP"])
        assert.deepStrictEqual(Option.getOrThrow(yield* label("a", ["Refund", "VIP"])).labels, ["Refund", "VIP"])
        yield* label("a", ["vip"])
        const events = yield* eventsAfter(workspace.id, before)
        assert.deepStrictEqual(
          events.map(({ event }) =>
            event._tag === "ThreadUpdated" ? [event.status, Option.getOrThrow(event.thread).labels] : event._tag
          ),
          [
            ["open", ["Refund", "VIP"]],
            ["open", ["vip"]]
          ]
        )
        assert.deepStrictEqual((yield* threadOfKey(scope, "a")).labels, ["vip"])
      })
    )

    it.effect("lists the threads of a label in their order, over pages of any size, alone and with other filters", () =>
      Effect.gen(function* () {
        const { account, label, listed, scope, workspace } = yield* world
        const other = yield* connect(workspace.id, { owner: "u2", networkAccountId: "two" })
        yield* ingest(
          account,
          ["a", "b", "c", "d"].map((name, n) => said(name, n))
        )
        yield* ingest(other, [said("e", 9, { account: "two" })])
        for (const name of ["a", "b", "d", "e"]) yield* label(name, ["Größe", "more"])
        yield* label("c", ["more"])
        assert.deepStrictEqual(yield* listed("GRÖSSE"), ["e", "d", "b", "a"])
        assert.deepStrictEqual(yield* listed("größe", { limit: 25 }), ["e", "d", "b", "a"])
        assert.deepStrictEqual(yield* listed("more", { limit: 2 }), ["e", "d", "c", "b", "a"])
        assert.deepStrictEqual(yield* listed("größe", {}, scopeOf(workspace.id, "u1")), ["d", "b", "a"])
        assert.deepStrictEqual(yield* listed("größe", { accountId: Option.some(other.id) }), ["e"])
        assert.deepStrictEqual(yield* listed("größe", { source: Option.some("ig_dm") }), [])
        assert.deepStrictEqual(yield* listed("none"), [])
        assert.deepStrictEqual(yield* listed("größe", { search: parseSearch("hello") }), ["e", "d", "b", "a"])
        assert.deepStrictEqual(yield* listed("größe", { search: parseSearch("absent") }), [])
        const eve = Option.some("eve")
        yield* moveTo(scope, yield* threadOfKey(scope, "b"), { status: "assigned", assignedTo: eve })
        assert.deepStrictEqual(yield* listed("größe", { assignedTo: Option.some(eve) }), ["b"])
        assert.deepStrictEqual(yield* listed("größe", { assignedTo: Option.some(Option.none()) }), ["e", "d", "a"])
        assert.deepStrictEqual(yield* listed("größe", { stage: Option.some("assigned") }), ["b"])
        assert.deepStrictEqual(yield* listed("größe", { stage: Option.some("open"), limit: 2 }), ["e", "d", "a"])
        assert.deepStrictEqual(yield* listed("größe", { isUnread: Option.some(false) }), [])
        const open = Option.some<ThreadStage>("open")
        assert.deepStrictEqual(yield* listed("größe", { stage: open, assignedTo: Option.some(eve) }), [])
      })
    )

    it.effect("keeps a labelled thread in its place while items come and go", () =>
      Effect.gen(function* () {
        const { account, label, listed } = yield* world
        yield* ingest(
          account,
          ["a", "b", "c"].map((name, n) => said(name, n))
        )
        for (const name of ["a", "b"]) yield* label(name, ["x"])
        assert.deepStrictEqual(yield* listed("x"), ["b", "a"])
        yield* ingest(account, [said("newer", 10, { threadKey: "a" })])
        assert.deepStrictEqual(yield* listed("x"), ["a", "b"])
        yield* ingest(account, [deleted({ externalId: "newer" })])
        assert.deepStrictEqual(yield* listed("x"), ["b", "a"])
        yield* ingest(account, [deleted({ externalId: "b" })])
        assert.deepStrictEqual(yield* listed("x"), ["a"])
        yield* ingest(account, [said("again", 12, { threadKey: "b" })])
        assert.deepStrictEqual(yield* listed("x"), ["b", "a"])
        yield* label("a", [])
        assert.deepStrictEqual(yield* listed("x"), ["b"])
      })
    )

    it.effect("counts open threads by label, snoozed ones too, in the spelling of the first use", () =>
      Effect.gen(function* () {
        const { account, label, scope, store, workspace } = yield* world
        const other = yield* connect(workspace.id, { owner: "u2", networkAccountId: "two" })
        yield* ingest(
          account,
          ["a", "b", "c"].map((name, n) => said(name, n))
        )
        yield* ingest(other, [said("e", 9, { account: "two" })])
        yield* label("c", ["Late", "vip"])
        yield* label("a", ["VIP", "bug"])
        yield* label("b", ["Vip"])
        yield* label("e", ["late"])
        yield* label("c", ["late", "vip"])
        const labels = (of = scope, limit = 10) =>
          Effect.map(store.labels(of, limit), (found) => found.map((one) => [one.label, one.openThreads]))
        assert.deepStrictEqual(yield* labels(), [
          ["vip", 3],
          ["late", 2],
          ["bug", 1]
        ])
        assert.deepStrictEqual(yield* labels(scope, 1), [["vip", 3]])
        assert.deepStrictEqual(yield* labels(scopeOf(workspace.id, "u2")), [["late", 1]])
        yield* moveTo(scope, yield* threadOfKey(scope, "a"), { status: "resolved", assignedTo: undefined })
        const snoozedUntil = Option.some(at(100))
        yield* moveTo(scope, yield* threadOfKey(scope, "b"), { status: "open", assignedTo: undefined, snoozedUntil })
        yield* (yield* SocialAccounts).disconnect(workspace.id, other.id, noon)
        assert.deepStrictEqual(yield* labels(), [
          ["vip", 2],
          ["late", 1],
          ["bug", 0]
        ])
        yield* label("a", [])
        yield* ingest(account, [deleted({ externalId: "c" })])
        assert.deepStrictEqual(yield* labels(), [["Vip", 1]])
        assert.deepStrictEqual(yield* labels({ ...scope, sources: new Set() }), [])
      })
    )

    it.effect("finds no thread of another scope, nor one without an item", () =>
      Effect.gen(function* () {
        const { account, label, scope, store, workspace } = yield* world
        yield* connect(workspace.id, { owner: "u2", networkAccountId: "two" })
        yield* ingest(account, [said("a", 1)])
        const { id } = yield* threadOfKey(scope, "a")
        assert.isTrue(Option.isNone(yield* store.setLabels(scopeOf(workspace.id, "u2"), id, ["x"], noon)))
        yield* label("a", ["kept"])
        yield* ingest(account, [deleted({ externalId: "a" })])
        assert.isTrue(Option.isNone(yield* store.setLabels(scope, id, ["x"], noon)))
        yield* ingest(account, [said("b", 2, { threadKey: "a" })])
        assert.deepStrictEqual((yield* threadOfKey(scope, "a")).labels, ["kept"])
      })
    )
  })
