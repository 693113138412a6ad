import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { ManagedUserScope, WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { nextSavedReplyId, nextWorkspaceId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { SavedReply } from "@loopbox/core/savedReplies/SavedReply"
import { SavedReplyStore } from "@loopbox/core/savedReplies/SavedReplyStore"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { noon } from "../fixtures/activities.ts"
import { type InboxPorts, inboxWorld, makeInboxWorkspace, redactNames } from "../fixtures/inboxFixtures.ts"

const newReply = Effect.fnUntraced(function* (workspaceId: WorkspaceId, name: string, owner?: string, minutes = 0) {
  const at = DateTime.add(noon, { minutes })
  return new SavedReply({
    id: yield* nextSavedReplyId(yield* SecureRandom),
    workspaceId,
    externalUserId: Option.fromUndefinedOr(owner),
    name,
    text: `The text of ${name}`,
    createdAt: at,
    updatedAt: at
  })
})

/** A workspace with the managed users ann and bob. */
const makeTwoUsers = Effect.gen(function* () {
  const users = yield* ManagedUsers
  const { id } = yield* makeInboxWorkspace()
  for (const user of ["ann", "bob"]) yield* users.put(id, user, noon)
  return {
    id,
    all: new WorkspaceScope({ workspaceId: id }),
    ann: new ManagedUserScope({ workspaceId: id, externalUserId: "ann" }),
    bob: new ManagedUserScope({ workspaceId: id, externalUserId: "bob" })
  }
})

const firstPage = { limit: 100, after: Option.none() }

/** What every adapter of the port SavedReplyStore does. */
export const savedReplyStoreContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts | SavedReplyStore, E>) =>
  layer(inboxWorld(stores))(`SavedReplyStore: ${adapter}`, (it) => {
    it.effect("shows a managed user its own only, and the workspace all of them", () =>
      Effect.gen(function* () {
        const store = yield* SavedReplyStore
        const { all, ann, bob, id } = yield* makeTwoUsers
        const there = yield* makeTwoUsers
        const [common, own] = [yield* newReply(id, "Common"), yield* newReply(id, "Own", "ann", 1)]
        const elsewhere = yield* newReply(there.id, "Elsewhere", "ann", 2)
        for (const reply of [common, own, elsewhere]) assert.isTrue(yield* store.insert(reply))
        assert.deepStrictEqual((yield* store.list(all, firstPage)).items, [own, common])
        assert.deepStrictEqual((yield* store.list(ann, firstPage)).items, [own])
        assert.deepStrictEqual((yield* store.list(bob, firstPage)).items, [])
        assert.deepStrictEqual(yield* store.find(all, own.id), Option.some(own))
        assert.deepStrictEqual(yield* store.find(ann, own.id), Option.some(own))
        for (const [scope, { id }] of [
          [ann, common],
          [bob, own],
          [ann, elsewhere]
        ] as const) {
          assert.deepStrictEqual(yield* store.find(scope, id), Option.none())
          assert.deepStrictEqual(yield* store.update(scope, id, { name: "Taken" }, noon), Option.none())
          assert.isFalse(yield* store.remove(scope, id))
        }
        assert.deepStrictEqual(yield* store.find(all, common.id), Option.some(common))
      })
    )

    it.effect("lists newest first, page by page, also under equal names", () =>
      Effect.gen(function* () {
        const store = yield* SavedReplyStore
        const { all, id } = yield* makeTwoUsers
        const replies = yield* Effect.forEach([0, 0, 1, 2], (minutes) => newReply(id, "Hello", undefined, minutes))
        for (const reply of replies) yield* store.insert(reply)
        const first = yield* store.list(all, { limit: 3, after: Option.none() })
        const second = yield* store.list(all, { limit: 3, after: first.next })
        assert.deepStrictEqual(second.next, Option.none())
        assert.deepStrictEqual(
          [...first.items, ...second.items].map((reply) => reply.id),
          // Of one moment the greater id comes first.
          [replies[3]?.id, replies[2]?.id, ...[replies[0]?.id, replies[1]?.id].toSorted().toReversed()]
        )
      })
    )

    it.effect("changes what is given, and the time only with it", () =>
      Effect.gen(function* () {
        const store = yield* SavedReplyStore
        const { all, id } = yield* makeTwoUsers
        const reply = yield* newReply(id, "Thanks \u{1F64F}")
        yield* store.insert(reply)
        const later = DateTime.add(noon, { hours: 1 })
        assert.deepStrictEqual(yield* store.update(all, reply.id, {}, later), Option.some(reply))
        assert.deepStrictEqual(yield* store.update(all, reply.id, { name: reply.name }, later), Option.some(reply))
        const renamed = new SavedReply({ ...reply, name: "Thank you", updatedAt: later })
        assert.deepStrictEqual(yield* store.update(all, reply.id, { name: "Thank you" }, later), Option.some(renamed))
        const evenLater = DateTime.add(noon, { hours: 2 })
        const rewritten = new SavedReply({ ...renamed, text: "Many thanks!\n", updatedAt: evenLater })
        assert.deepStrictEqual(
          yield* store.update(all, reply.id, { text: "Many thanks!\n" }, evenLater),
          Option.some(rewritten)
        )
        assert.deepStrictEqual(yield* store.find(all, reply.id), Option.some(rewritten))
        assert.isTrue(yield* store.remove(all, reply.id))
        assert.isFalse(yield* store.remove(all, reply.id))
        assert.deepStrictEqual(yield* store.find(all, reply.id), Option.none())
      })
    )

    it.effect("goes with its managed user, and takes nothing for one who is gone", () =>
      Effect.gen(function* () {
        const store = yield* SavedReplyStore
        const { all, ann, id } = yield* makeTwoUsers
        const [common, own] = [yield* newReply(id, "Common"), yield* newReply(id, "Own", "ann")]
        const other = yield* newReply(id, "Other", "bob", 1)
        for (const reply of [common, own, other]) yield* store.insert(reply)
        yield* (yield* ManagedUsers).erase(id, "ann", redactNames)
        assert.deepStrictEqual((yield* store.list(all, firstPage)).items, [other, common])
        assert.isFalse(yield* store.insert(yield* newReply(id, "Late", "ann")))
        yield* (yield* ManagedUsers).put(id, "ann", noon)
        assert.deepStrictEqual((yield* store.list(ann, firstPage)).items, [])
      })
    )

    it.effect("goes with its workspace", () =>
      Effect.gen(function* () {
        const store = yield* SavedReplyStore
        const { all, id } = yield* makeTwoUsers
        yield* store.insert(yield* newReply(id, "Common"))
        yield* (yield* Workspaces).erase(id, redactNames)
        assert.deepStrictEqual((yield* store.list(all, firstPage)).items, [])
        assert.isFalse(yield* store.insert(yield* newReply(id, "Late")))
        const unknown = yield* nextWorkspaceId(yield* SecureRandom)
        assert.isFalse(yield* store.insert(yield* newReply(unknown, "Nobody's")))
      })
    )
  })
