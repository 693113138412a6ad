import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import { AccessChanges } from "@loopbox/core/access/AccessChanges"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { MemoryState } from "./MemoryState.ts"

/** Notifies of a change in a workspace; called together with the change, without a pause in between. */
export const tellAccessChanged = ({ accessChanges }: MemoryState["Service"], workspaceId: WorkspaceId): void => {
  PubSub.publishUnsafe(accessChanges, workspaceId)
}

export const layer: Layer.Layer<AccessChanges, never, MemoryState> = Layer.effect(
  AccessChanges,
  Effect.map(MemoryState, ({ accessChanges }) =>
    AccessChanges.of({ changes: Stream.map(Stream.fromPubSub(accessChanges), Option.some) })
  )
)
