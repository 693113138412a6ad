import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { ThreadNote } from "@loopbox/core/items/threading/ThreadNote"
import { nextThreadNoteId } from "@loopbox/core/kernel/Ids"
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
import { threadOfKey } from "../../fixtures/threadFixtures.ts"

const at = (minute: number) => DateTime.add(noon, { minutes: minute })

const world = Effect.gen(function* () {
  const workspace = yield* makeInboxWorkspace()
  const account = yield* connect(workspace.id, { owner: "u1" })
  const store = yield* ThreadStore
  const random = yield* SecureRandom
  const scope = scopeOf(workspace.id)
  yield* ingest(account, [
    posted({ externalId: "a", receivedAt: at(1) }),
    posted({ externalId: "b", receivedAt: at(2) })
  ])
  const { id: threadId } = yield* threadOfKey(scope, "a")
  const makeNote = Effect.fnUntraced(function* (text: string, minute: number) {
    const note: ThreadNote = {
      id: yield* nextThreadNoteId(random),
      workspaceId: workspace.id,
      accountId: account.id,
      threadId,
      text,
      author: minute % 2 === 0 ? Option.some(`author of ${text}`) : Option.none(),
      createdAt: at(minute)
    }
    return note
  })
  const list = (limit = 10, of = scope) =>
    Effect.gen(function* () {
      const notes: Array<ThreadNote> = []
      let page = Option.getOrThrow(yield* store.notes(of, threadId, { limit, after: Option.none() }))
      notes.push(...page.items)
      while (Option.isSome(page.next)) {
        page = Option.getOrThrow(yield* store.notes(of, threadId, { limit, after: page.next }))
        notes.push(...page.items)
      }
      return notes
    })
  return { workspace, account, scope, store, threadId, makeNote, list }
})

/** Notes on threads. */
export const threadNotesSuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts | ThreadStore, E>) =>
  layer(inboxWorld(stores))(`ThreadStore, notes: ${adapter}`, (it) => {
    it.effect("keeps notes as they were given, oldest first over pages of any size, and tells of each", () =>
      Effect.gen(function* () {
        const { account, list, makeNote, scope, store, threadId, workspace } = yield* world
        const before = yield* lastSeq(workspace.id)
        const late = yield* makeNote("  late, 'quoted' \\ 💡 ", 9)
        const early = yield* makeNote("early", 4)
        const same = yield* makeNote("at the same time", 4)
        for (const note of [late, early, same]) assert.isTrue(yield* store.addNote(scope, note))
        const first = early.id < same.id ? [early, same] : [same, early]
        for (const limit of [1, 2, 10]) assert.deepStrictEqual(yield* list(limit), [...first, late])
        assert.deepStrictEqual(yield* list(10, scopeOf(workspace.id, "u1")), [...first, late])
        const { id: other } = yield* threadOfKey(scope, "b")
        assert.deepStrictEqual(yield* store.removeNote(scope, other, late.id, at(10)), Option.some(false))
        assert.deepStrictEqual(yield* store.removeNote(scope, threadId, late.id, at(10)), Option.some(true))
        assert.deepStrictEqual(yield* store.removeNote(scope, threadId, late.id, at(10)), Option.some(false))
        assert.deepStrictEqual(yield* list(), first)
        const named = { accountId: account.id, source: "ig_comment" }
        assert.deepStrictEqual<ReadonlyArray<unknown>>(
          (yield* eventsAfter(workspace.id, before)).map(({ event }) => event),
          [
            ...[late, early, same].map((note) => ({ _tag: "NoteAdded", ...named, note })),
            { _tag: "NoteDeleted", ...named, threadId, noteId: late.id }
          ]
        )
      })
    )

    it.effect("has none where the thread is not in the scope, and has them again with their thread", () =>
      Effect.gen(function* () {
        const { account, list, makeNote, scope, store, threadId, workspace } = yield* world
        const kept = yield* makeNote("kept", 3)
        yield* store.addNote(scope, kept)
        const isAbsent = Effect.fnUntraced(function* (of = scope) {
          const before = yield* lastSeq(workspace.id)
          assert.isFalse(yield* store.addNote(of, yield* makeNote("lost", 5)))
          assert.isTrue(Option.isNone(yield* store.notes(of, threadId, { limit: 10, after: Option.none() })))
          assert.isTrue(Option.isNone(yield* store.removeNote(of, threadId, kept.id, at(6))))
          assert.strictEqual(yield* lastSeq(workspace.id), before)
        })
        yield* isAbsent(scopeOf(workspace.id, "u2"))
        yield* isAbsent({ ...scope, sources: new Set() })
        yield* ingest(account, [deleted({ externalId: "a" })])
        yield* isAbsent()
        yield* ingest(account, [posted({ externalId: "again", threadKey: "a", receivedAt: at(7) })])
        assert.deepStrictEqual(yield* list(), [kept])
        yield* (yield* SocialAccounts).disconnect(workspace.id, account.id, at(8))
        yield* isAbsent()
        yield* connect(workspace.id, { owner: "u1", at: at(60) })
        assert.deepStrictEqual(yield* list(), [kept])
      })
    )
  })
