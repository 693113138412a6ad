import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { tellAccessChanged } from "./MemoryAccessChanges.ts"
import { audit, change } from "./memoryAudit.ts"
import { eraseInbox } from "./memoryErasing.ts"
import { pollSoon } from "./memorySync.ts"
import { memoryPage } from "./memoryPage.ts"
import { eraseSavedReplies } from "./MemorySavedReplyStore.ts"
import { eraseSessions } from "./memoryConnecting.ts"
import { allJobs, MemoryState } from "./MemoryState.ts"

export const layer: Layer.Layer<Workspaces, never, MemoryState> = Layer.effect(
  Workspaces,
  Effect.gen(function* () {
    const state = yield* MemoryState
    // A change may pause, so changes are serialised like those under a row lock.
    const turns = Semaphore.makeUnsafe(1)
    return Workspaces.of({
      insert: (workspace) => Effect.sync(() => void state.workspaces.set(workspace.id, workspace)),
      find: (id) => Effect.sync(() => Option.fromUndefinedOr(state.workspaces.get(id))),
      list: (page) => Effect.sync(() => memoryPage(state.workspaces.values(), page)),
      update: Effect.fnUntraced(function* (id, decide) {
        const workspace = state.workspaces.get(id)
        if (workspace === undefined) return Option.none()
        const changed = yield* decide(workspace)
        const by = yield* change
        if (!state.workspaces.has(id)) return Option.none()
        state.workspaces.set(id, changed)
        if (changed.plan !== workspace.plan) pollSoon(state.inbox, id, by.now)
        audit(state.inbox, by, id, { action: "workspace.updated", targetId: id, details: { plan: changed.plan } })
        tellAccessChanged(state, id)
        return Option.some(changed)
      }, turns.withPermits(1)),
      erase: Effect.fnUntraced(function* (id, redact) {
        const now = yield* DateTime.now
        const wasThere = state.workspaces.delete(id)
        state.members.delete(id)
        eraseInbox(state.inbox, id, redact, now)
        eraseSessions(state, ({ workspaceId }) => workspaceId === id)
        eraseSavedReplies(state, ({ workspaceId }) => workspaceId === id)
        for (const key of state.keys.values()) if (key.workspaceId === id) state.keys.delete(key.id)
        for (const job of allJobs(state)) {
          if (job.workspaceId !== id) continue
          state.jobs.delete(job.id)
          state.overlays.delete(job.id)
        }
        for (const [mediaId, entry] of state.media) {
          if (entry.media.workspaceId === id && entry.deletedAt === undefined) {
            state.media.set(mediaId, { ...entry, deletedAt: now })
          }
        }
        if (wasThere) tellAccessChanged(state, id)
        return wasThere
      })
    })
  })
)
