import * as Context from "effect/Context"
import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { WorkspaceId } from "../kernel/Ids.ts"

/**
 * Port: word of changes after which a caller may no longer have what it had.
 *
 * The stores give it with the change, in its transaction: members and roles, keys that are revoked, the workspace and
 * its plan, managed users that are erased. Nothing depends on its arrival: each request is judged anew, and who
 * answers one for long also judges by itself.
 */
export class AccessChanges extends Context.Service<
  AccessChanges,
  {
    /** Workspaces in which something changed, on any node; `none` when words may have been lost: any may have. */
    readonly changes: Stream.Stream<Option.Option<WorkspaceId>>
  }
>()("@loopbox/core/access/AccessChanges") {}
