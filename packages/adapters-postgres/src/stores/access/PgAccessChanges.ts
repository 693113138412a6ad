import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { AccessChanges } from "@loopbox/core/access/AccessChanges"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { accessChanged, reconnected, Signals } from "../../connection/Signals.ts"

const decodeWorkspaceId = Schema.decodeUnknownOption(WorkspaceId)

/** `none` for payloads of other parts of the product. */
const fromPayload = (payload: string): ReadonlyArray<Option.Option<WorkspaceId>> => {
  if (payload === reconnected) return [Option.none()]
  const workspaceId = payload.startsWith(accessChanged)
    ? decodeWorkspaceId(payload.slice(accessChanged.length))
    : Option.none()
  return Option.isSome(workspaceId) ? [workspaceId] : []
}

export const layer: Layer.Layer<AccessChanges, never, Signals> = Layer.effect(
  AccessChanges,
  Effect.map(Signals, ({ heard }) =>
    AccessChanges.of({ changes: Stream.flatMap(heard, (payload) => Stream.fromIterable(fromPayload(payload))) })
  )
)
