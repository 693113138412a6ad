import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ApiKey } from "@loopbox/core/workspaces/ApiKey"
import { ApiKeys, type KeyHolder } from "@loopbox/core/workspaces/ApiKeys"
import type { ApiKeyId } from "@loopbox/core/kernel/Ids"
import { tellAccessChanged } from "./MemoryAccessChanges.ts"
import { audit, changing } from "./memoryAudit.ts"
import { memoryPage } from "./memoryPage.ts"
import { MemoryState } from "./MemoryState.ts"

const findHolder = (state: MemoryState["Service"], id: ApiKeyId): Option.Option<KeyHolder> => {
  const key = state.keys.get(id)
  const workspace = key && state.workspaces.get(key.workspaceId)
  if (key === undefined || workspace === undefined) return Option.none()
  const creatorRole = Option.flatMapNullishOr(key.creatorUserId, (userId) =>
    state.members.get(workspace.id)?.get(userId)
  )
  return Option.some({ key, workspace, creatorRole })
}

export const layer: Layer.Layer<ApiKeys, never, MemoryState> = Layer.effect(
  ApiKeys,
  Effect.map(MemoryState, (state) =>
    ApiKeys.of({
      insert: (key) =>
        changing((change) => {
          if (!state.workspaces.has(key.workspaceId)) return false
          const members = state.members.get(key.workspaceId)
          if (Option.exists(key.creatorUserId, (userId) => members?.has(userId) !== true)) return false
          state.keys.set(key.id, key)
          audit(state.inbox, change, key.workspaceId, { action: "api_key.created", targetId: key.id })
          return true
        }),
      findHolder: (id) => Effect.sync(() => findHolder(state, id)),
      list: (workspaceId, page) =>
        Effect.sync(() =>
          memoryPage(
            Array.from(state.keys.values()).filter((key) => key.workspaceId === workspaceId),
            page
          )
        ),
      revoke: (workspaceId, id) =>
        changing((change) => {
          const wasThere = state.keys.get(id)?.workspaceId === workspaceId && state.keys.delete(id)
          if (!wasThere) return false
          tellAccessChanged(state, workspaceId)
          audit(state.inbox, change, workspaceId, { action: "api_key.revoked", targetId: id })
          return true
        }),
      touch: (workspaceId, id, at) =>
        Effect.sync(() => {
          const key = state.keys.get(id)
          if (key?.workspaceId === workspaceId) {
            state.keys.set(id, new ApiKey({ ...key, lastUsedAt: Option.some(at) }))
          }
        })
    })
  )
)
