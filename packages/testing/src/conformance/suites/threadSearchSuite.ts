import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { ThreadNote } from "@loopbox/core/items/threading/ThreadNote"
import { nextThreadNoteId } from "@loopbox/core/kernel/Ids"
import { parseSearch } from "@loopbox/core/search/SearchQuery"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { deleted, edited, noon, posted } from "../../fixtures/activities.ts"
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

const asked = (q: string) => ({ search: parseSearch(q) })

const world = Effect.gen(function* () {
  const workspace = yield* makeInboxWorkspace()
  return { workspace, account: yield* connect(workspace.id), scope: scopeOf(workspace.id) }
})

/** A comment of a thread. */
const said = (threadKey: string, minute: number, body: string, more: Parameters<typeof posted>[0] = {}) =>
  posted({ externalId: `${threadKey} ${minute}`, threadKey, body, receivedAt: at(minute), ...more })

const late = { name: Option.some("Kim Late"), username: Option.some("kim.late") }

/** Searching threads by words of their items (api-2.md §14, api-2-decided B34). */
export const threadSearchSuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts | ThreadStore, E>) =>
  layer(inboxWorld(stores))(`ThreadStore, search: ${adapter}`, (it) => {
    it.effect("finds threads that have every word in one item, in its body and its author's name", () =>
      Effect.gen(function* () {
        const { account, scope } = yield* world
        yield* ingest(account, [
          said("apart", 1, "My parcel"),
          said("apart", 2, "is late"),
          said("together", 3, "The PARCEL is late again"),
          said("author", 4, "a parcel", { author: late }),
          said("author", 9, "thanks \u{1F44D}"),
          said("runs", 5, "昨日東京都に行った"),
          said("near", 6, "東京と京都")
        ])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("parcel lat")), ["author", "together"])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("parc")), ["author", "together", "apart"])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("lat parcel")), [])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("\u{1F44D}")), ["author"])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("東京")), ["near", "runs"])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("東京都")), ["runs"])
      })
    )

    it.effect("follows edits, and finds nothing of what is deleted or another's", () =>
      Effect.gen(function* () {
        const { account, scope } = yield* world
        const other = yield* world
        yield* ingest(account, [said("a", 1, "first words"), said("b", 2, "other words"), said("b", 3, "more")])
        yield* ingest(other.account, [said("foreign", 1, "foreign words")])
        yield* ingest(account, [edited(1, "second thoughts", { externalId: "a 1" })])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("second")), ["a"])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("words")), ["b"])
        yield* ingest(account, [deleted({ externalId: "b 2" })])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("words")), [])
        assert.deepStrictEqual(yield* listedThreads(other.scope, asked("words")), ["foreign"])
      })
    )

    it.effect("finds threads that have every word in one note, and not its author", () =>
      Effect.gen(function* () {
        const { account, scope, workspace } = yield* world
        const other = yield* world
        const store = yield* ThreadStore
        const random = yield* SecureRandom
        yield* ingest(account, [said("noted", 1, "hello"), said("plain", 2, "a refund"), said("apart", 3, "hi")])
        yield* ingest(other.account, [said("foreign", 1, "hello")])
        const write = Effect.fnUntraced(function* (of: typeof scope, key: string, text: string) {
          const thread = yield* threadOfKey(of, key)
          const note: ThreadNote = {
            id: yield* nextThreadNoteId(random),
            workspaceId: of.scope.workspaceId,
            accountId: thread.accountId,
            threadId: thread.id,
            text,
            author: Option.some("Zoe"),
            createdAt: noon
          }
          yield* store.addNote(of, note)
          return note
        })
        const note = yield* write(scope, "noted", "Wants a REFUND of 昨日東京都")
        yield* write(scope, "apart", "a refund")
        yield* write(scope, "apart", "wanted later")
        yield* write(other.scope, "foreign", "wants a refund")
        assert.deepStrictEqual(yield* listedThreads(scope, asked("refund")), ["apart", "plain", "noted"])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("refund want")), ["noted"])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("東京都")), ["noted"])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("京東都")), [])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("zoe")), [])
        assert.deepStrictEqual(yield* listedThreads(scope, { ...asked("refund"), label: Option.some("vip") }), [])
        assert.deepStrictEqual(yield* listedThreads(scopeOf(workspace.id, "ann"), asked("refund")), [])
        const pages = yield* walkThreads(scope, { ...asked("refund"), limit: 1 })
        assert.deepStrictEqual(
          pages.map(({ threadKey }) => threadKey),
          ["apart", "plain", "noted"]
        )
        // A word that many items have is looked for in another way.
        const many = Array.from({ length: 30 }, (_, n) => said("plain", 10 + n, "a refund"))
        yield* ingest(account, [...many, said("none", 50, "nothing")])
        assert.deepStrictEqual(yield* listedThreads(scope, asked("refund")), ["plain", "apart", "noted"])
        yield* store.removeNote(scope, note.threadId, note.id, noon)
        assert.deepStrictEqual(yield* listedThreads(scope, asked("refund")), ["plain", "apart"])
      })
    )

    it.effect("narrows by the other filters as well, page by page, each thread once", () =>
      Effect.gen(function* () {
        const { account, scope, workspace } = yield* world
        const second = yield* connect(workspace.id, { networkAccountId: "second", owner: "ann" })
        yield* ingest(
          account,
          Array.from({ length: 90 }, (_, n) => said(`t${n}`, n, n % 3 === 0 ? "a needle" : "hay"))
        )
        yield* ingest(account, [said("t3", 100, "hay again")])
        yield* ingest(second, [said("s", 4, "needle", { account: "second" })])
        const older = Array.from({ length: 28 }, (_, n) => `t${87 - 3 * n}`)
        const whole = ["t3", ...older, "s", "t0"]
        for (const limit of [1, 3, 20]) {
          const threads = yield* walkThreads(scope, { ...asked("needle"), limit })
          assert.deepStrictEqual(
            threads.map(({ threadKey }) => threadKey),
            whole
          )
        }
        for (const key of ["t9", "t10", "t12"]) {
          const assignedTo = Option.some(key === "t12" ? "bob" : "eve")
          yield* moveTo(scope, yield* threadOfKey(scope, key), { status: "assigned", assignedTo })
        }
        const store = yield* ThreadStore
        for (const key of ["t10", "t15"]) {
          yield* store.setLabels(scope, (yield* threadOfKey(scope, key)).id, ["VIP"], noon)
        }
        const vip = { label: Option.some("vip") }
        assert.deepStrictEqual(yield* listedThreads(scope, { ...asked("needle"), ...vip }), ["t15"])
        // Of a word that few have.
        assert.deepStrictEqual(yield* listedThreads(scope, { ...asked("again"), ...vip }), [])
        const eve = { assignedTo: Option.some(Option.some("eve")) }
        assert.deepStrictEqual(yield* listedThreads(scope, { ...asked("needle"), ...eve }), ["t9"])
        const assigned = { stage: Option.some("assigned" as const) }
        assert.deepStrictEqual(yield* listedThreads(scope, { ...asked("needle"), ...assigned }), ["t12", "t9"])
        assert.deepStrictEqual(yield* listedThreads(scopeOf(workspace.id, "ann"), asked("needle")), ["s"])
        assert.deepStrictEqual(yield* listedThreads(scope, { ...asked("needle"), accountId: Option.some(second.id) }), [
          "s"
        ])
      })
    )
  })
