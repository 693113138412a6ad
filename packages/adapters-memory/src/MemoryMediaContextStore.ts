import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { MediaContextStore } from "@loopbox/core/inbox/MediaContextStore"
import { MemoryState } from "./MemoryState.ts"

export const layer: Layer.Layer<MediaContextStore, never, MemoryState> = Layer.effect(
  MediaContextStore,
  Effect.map(MemoryState, ({ inbox }) => {
    const entryOf = (workspaceId: string, accountId: Parameters<typeof inbox.accounts.get>[0]) => {
      const entry = inbox.accounts.get(accountId)
      return entry?.account.workspaceId === workspaceId && entry.account.status !== "disconnected" ? entry : undefined
    }
    return MediaContextStore.of({
      find: ({ accountId, postId, workspaceId }) =>
        Effect.sync(() => Option.fromUndefinedOr(entryOf(workspaceId, accountId)?.mediaContexts.get(postId))),
      put: ({ accountId, postId, workspaceId }, kept) =>
        Effect.sync(() => {
          const contexts = entryOf(workspaceId, accountId)?.mediaContexts
          const before = contexts?.get(postId)
          if (before !== undefined && DateTime.isGreaterThan(before.fetchedAt, kept.fetchedAt)) return
          contexts?.set(postId, kept)
        })
    })
  })
)
