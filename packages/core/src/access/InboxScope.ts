import * as Schema from "effect/Schema"
import { WorkspaceId } from "../kernel/Ids.ts"

/** The accounts that belong to one managed user now. */
export class ManagedUserScope extends Schema.TaggedClass<ManagedUserScope>()("ManagedUserScope", {
  workspaceId: WorkspaceId,
  externalUserId: Schema.String
}) {}

/** Every account of the workspace, also accounts without a managed user. */
export class WorkspaceScope extends Schema.TaggedClass<WorkspaceScope>()("WorkspaceScope", {
  workspaceId: WorkspaceId
}) {}

/** The accounts that an inbox request may reach (§5.5). */
export type InboxScope = ManagedUserScope | WorkspaceScope
export const InboxScope = Schema.Union([ManagedUserScope, WorkspaceScope])
