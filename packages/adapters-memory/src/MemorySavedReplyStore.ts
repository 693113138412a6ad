import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import { SavedReply } from "@loopbox/core/savedReplies/SavedReply"
import { SavedReplyStore } from "@loopbox/core/savedReplies/SavedReplyStore"
import { memoryPage } from "./memoryPage.ts"
import { hasOwner, MemoryState } from "./MemoryState.ts"

const isIn =
  (scope: InboxScope) =>
  ({ externalUserId, workspaceId }: SavedReply): boolean =>
    workspaceId === scope.workspaceId &&
    (scope._tag === "WorkspaceScope" || Option.contains(externalUserId, scope.externalUserId))

/** Erases the saved replies that a condition names. */
export const eraseSavedReplies = (
  { savedReplies }: MemoryState["Service"],
  isErased: (reply: SavedReply) => boolean
): void => {
  for (const reply of savedReplies.values()) if (isErased(reply)) savedReplies.delete(reply.id)
}

export const layer: Layer.Layer<SavedReplyStore, never, MemoryState> = Layer.effect(
  SavedReplyStore,
  Effect.map(MemoryState, (state) => {
    const { savedReplies } = state
    const find = (scope: InboxScope, id: SavedReply["id"]) =>
      Option.filter(Option.fromUndefinedOr(savedReplies.get(id)), isIn(scope))
    return SavedReplyStore.of({
      insert: (reply) =>
        Effect.sync(() => {
          const isOwned = hasOwner(state, reply)
          if (isOwned) savedReplies.set(reply.id, reply)
          return isOwned
        }),
      list: (scope, page) => Effect.sync(() => memoryPage(Array.from(savedReplies.values()).filter(isIn(scope)), page)),
      find: (scope, id) => Effect.sync(() => find(scope, id)),
      update: (scope, id, change, at) =>
        Effect.sync(() =>
          Option.map(find(scope, id), (reply) => {
            const { name = reply.name, text = reply.text } = change
            if (name === reply.name && text === reply.text) return reply
            const updated = new SavedReply({ ...reply, name, text, updatedAt: at })
            savedReplies.set(id, updated)
            return updated
          })
        ),
      remove: (scope, id) => Effect.sync(() => Option.isSome(find(scope, id)) && savedReplies.delete(id))
    })
  })
)
