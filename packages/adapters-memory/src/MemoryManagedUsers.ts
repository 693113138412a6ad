import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Digest from "effect/crypto/Digest"
import { erasedUserId } from "@loopbox/core/audit/erasedUserId"
import { ManagedUser, ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { erasedWith } from "@loopbox/core/feed/erasedWith"
import { accountsErased } from "@loopbox/core/items/decideAccount"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { tellAccessChanged } from "./MemoryAccessChanges.ts"
import { eraseAccount, eraseEvents, eraseRuns, unnameMoves } from "./memoryErasing.ts"
import { writeEvents } from "./memoryInbox.ts"
import { audit, type Change, changing, unnameAudit } from "./memoryAudit.ts"
import { foundOf, memoryPage } from "./memoryPage.ts"
import { eraseEndpoints, eraseOutgoing } from "./memoryOutgoing.ts"
import { eraseSavedReplies } from "./MemorySavedReplyStore.ts"
import { eraseSessions, namesAccount } from "./memoryConnecting.ts"
import { erasePostsOf } from "./memoryPosts.ts"
import { MemoryState } from "./MemoryState.ts"

/** Creates a managed user if absent. Returns whether it is new. */
export const addManagedUser = (
  { inbox }: MemoryState["Service"],
  workspaceId: WorkspaceId,
  externalUserId: Option.Option<string>,
  createdAt: DateTime.Utc,
  change: Change
): boolean => {
  if (Option.isNone(externalUserId)) return false
  const users = inbox.managedUsers.get(workspaceId) ?? new Map<string, ManagedUser>()
  inbox.managedUsers.set(workspaceId, users)
  if (users.has(externalUserId.value)) return false
  users.set(externalUserId.value, new ManagedUser({ workspaceId, externalUserId: externalUserId.value, createdAt }))
  audit(inbox, change, workspaceId, { action: "managed_user.created", targetId: externalUserId.value })
  return true
}

export const layer: Layer.Layer<ManagedUsers, never, MemoryState> = Layer.effect(
  ManagedUsers,
  Effect.gen(function* () {
    const state = yield* MemoryState
    // Web Crypto answers from another thread: a world that has hashes of its own plays the same way again only with these.
    const given = yield* Effect.serviceOption(Digest.Digest)
    const digests = Option.match(given, {
      onNone: () => Digest.layerWebCrypto,
      onSome: (digest) => Layer.succeed(Digest.Digest, digest)
    })
    const { inbox } = state
    const usersOf = (workspaceId: WorkspaceId) => inbox.managedUsers.get(workspaceId) ?? new Map<string, ManagedUser>()
    return ManagedUsers.of({
      put: (workspaceId, externalUserId, at) =>
        changing((change) => {
          if (!state.workspaces.has(workspaceId)) return "absent"
          return addManagedUser(state, workspaceId, Option.some(externalUserId), at, change) ? "created" : "known"
        }),
      find: (workspaceId, externalUserId) =>
        Effect.sync(() => Option.fromUndefinedOr(usersOf(workspaceId).get(externalUserId))),
      findSeveral: (workspaceId, externalUserIds) =>
        Effect.sync(() => foundOf(externalUserIds, (id) => usersOf(workspaceId).get(id))),
      list: (workspaceId, request) =>
        Effect.sync(() => {
          const rows = Array.from(usersOf(workspaceId).values(), (user) => ({
            user,
            createdAt: user.createdAt,
            id: user.externalUserId
          }))
          const page = memoryPage(rows, request)
          return { items: page.items.map(({ user }) => user), next: page.next }
        }),
      erase: Effect.fnUntraced(function* (workspaceId, externalUserId, redact) {
        const digest = yield* erasedUserId(workspaceId, externalUserId)
        return yield* changing((change) => {
          const at = change.now
          const wasThere = usersOf(workspaceId).delete(externalUserId)
          if (!wasThere) return false
          const erased = Array.from(inbox.accounts.values()).filter(
            ({ account }) =>
              account.workspaceId === workspaceId && Option.contains(account.externalUserId, externalUserId)
          )
          for (const entry of erased) {
            eraseAccount(inbox, entry, redact, at)
            eraseSessions(state, namesAccount(entry.account.id))
          }
          erasePostsOf(inbox.posts, workspaceId, externalUserId)
          eraseRuns(
            inbox,
            (run) => run.workspaceId === workspaceId && Option.contains(run.externalUserId, externalUserId)
          )
          eraseEvents(inbox, workspaceId, (event) => Option.contains(erasedWith(event), externalUserId))
          eraseSessions(
            state,
            (one) => one.workspaceId === workspaceId && Option.contains(one.externalUserId, externalUserId)
          )
          eraseSavedReplies(
            state,
            (one) => one.workspaceId === workspaceId && Option.contains(one.externalUserId, externalUserId)
          )
          eraseEndpoints(
            inbox.outgoing,
            (one) => one.workspaceId === workspaceId && Option.contains(one.externalUserId, externalUserId)
          )
          eraseOutgoing(
            inbox.outgoing,
            (one) => one.workspaceId === workspaceId && Option.contains(one.externalUserId, externalUserId)
          )
          unnameMoves(inbox, workspaceId, externalUserId)
          writeEvents(inbox, workspaceId, accountsErased(erased.map(({ account }) => account.id)), at)
          tellAccessChanged(state, workspaceId)
          unnameAudit(inbox, workspaceId, externalUserId, digest)
          audit(inbox, change, workspaceId, { action: "managed_user.erased", targetId: digest })
          return true
        })
      }, Effect.provide(digests))
    })
  })
)
