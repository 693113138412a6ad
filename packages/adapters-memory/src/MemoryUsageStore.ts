import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { UsageStore } from "@loopbox/core/usage/UsageStore"
import { firstHour, usageWindow } from "@loopbox/core/usage/usageWindow"
import { admissionFacts } from "./memoryAdmission.ts"
import { MemoryState } from "./MemoryState.ts"

const sum = (counts: Iterable<number>): number => Array.from(counts).reduce((total, count) => total + count, 0)

export const layer: Layer.Layer<UsageStore, never, MemoryState> = Layer.effect(
  UsageStore,
  Effect.map(MemoryState, (state) =>
    UsageStore.of({
      read: (workspaceId, now) =>
        Effect.sync(() => {
          const workspace = state.workspaces.get(workspaceId)
          if (workspace === undefined) return Option.none()
          const first = DateTime.toEpochMillis(firstHour(now))
          const since = DateTime.subtract(now, usageWindow)
          const hours = Array.from(state.inbox.logs.get(workspaceId)?.itemHours ?? [])
          const posts = Array.from(state.inbox.posts.values(), ({ kept }) => kept.post).filter(
            (post) => post.workspaceId === workspaceId && DateTime.isGreaterThan(post.createdAt, since)
          )
          const files = Array.from(state.media.values()).filter(
            ({ deletedAt, media }) => media.workspaceId === workspaceId && deletedAt === undefined
          )
          return Option.some({
            workspace,
            admission: admissionFacts(state, workspace, now),
            items: sum(hours.filter(([hour]) => hour >= first).map(([, count]) => count)),
            posts: posts.length,
            storageBytes: sum(files.map(({ media }) => (media._tag === "ReadyMedia" ? media.sizeBytes : 0)))
          })
        })
    })
  )
)
