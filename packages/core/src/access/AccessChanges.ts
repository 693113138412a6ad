import * as Context from "effect/Context"
import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { WorkspaceId } from "../kernel/Ids.ts"

/**
 * Port: notifies of changes that may revoke access.
 *
 * Stores notify in the transaction of the change: members and roles, revoked keys, the workspace and its plan, erased
 * managed users. A notification may be lost: every request is authorised anyway, and long-lived subscriptions also
 * check again by themselves.
 */
export class AccessChanges extends Context.Service<
  AccessChanges,
  {
    /**
     * Workspaces with a change, on any node. `none` when notifications may have been lost: any workspace may have
     * changed.
     */
    readonly changes: Stream.Stream<Option.Option<WorkspaceId>>
  }
>()("@loopbox/core/access/AccessChanges") {}
