import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Members, type Membership } from "@loopbox/core/workspaces/Members"
import type { Role } from "@loopbox/core/workspaces/Role"
import { tellAccessChanged } from "./MemoryAccessChanges.ts"
import { audit, changing } from "./memoryAudit.ts"
import { foundOf } from "./memoryPage.ts"
import { MemoryState } from "./MemoryState.ts"

export const layer: Layer.Layer<Members, never, MemoryState> = Layer.effect(
  Members,
  Effect.map(MemoryState, (state) => {
    const membershipOf = (workspaceId: WorkspaceId, userId: string): Membership | undefined => {
      const workspace = state.workspaces.get(workspaceId)
      const role = state.members.get(workspaceId)?.get(userId)
      return workspace === undefined || role === undefined ? undefined : { workspace, role }
    }
    return Members.of({
      set: (workspaceId, userId, role) =>
        changing((change) => {
          if (!state.workspaces.has(workspaceId)) return "absent"
          const members = state.members.get(workspaceId) ?? new Map<string, Role>()
          const outcome = members.has(userId) ? "changed" : "created"
          state.members.set(workspaceId, members.set(userId, role))
          tellAccessChanged(state, workspaceId)
          audit(state.inbox, change, workspaceId, { action: "member.set", targetId: userId, details: { role } })
          return outcome
        }),
      findMembership: (workspaceId, userId) =>
        Effect.sync(() => Option.fromUndefinedOr(membershipOf(workspaceId, userId))),
      findMemberships: (workspaceId, userIds) =>
        Effect.sync(() => foundOf(userIds, (userId) => membershipOf(workspaceId, userId))),
      list: (workspaceId, { after, limit }) =>
        Effect.sync(() => {
          const members = Array.from(state.members.get(workspaceId) ?? [], ([userId, role]) => ({ userId, role }))
          const rest = members
            .filter(({ userId }) => Option.isNone(after) || userId > after.value)
            .sort((a, b) => (a.userId < b.userId ? -1 : 1))
          const items = rest.slice(0, limit)
          return { items, next: Option.fromUndefinedOr(rest.length > limit ? items.at(-1)?.userId : undefined) }
        }),
      remove: (workspaceId, userId) =>
        changing((change) => {
          const wasMember = state.members.get(workspaceId)?.delete(userId) ?? false
          if (!wasMember) return false
          tellAccessChanged(state, workspaceId)
          audit(state.inbox, change, workspaceId, { action: "member.removed", targetId: userId })
          return true
        })
    })
  })
)
