import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { WorkspaceNotFound } from "@loopbox/core/access/AccessErrors"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"

const isWorkspaceId = Schema.is(WorkspaceId)

/** What is no id of ours is none of a workspace. */
export const toWorkspaceId = (workspaceId: string): Effect.Effect<WorkspaceId, WorkspaceNotFound> =>
  isWorkspaceId(workspaceId) ? Effect.succeed(workspaceId) : Effect.fail(new WorkspaceNotFound({ workspaceId }))
