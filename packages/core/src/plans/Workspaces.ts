import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Redact } from "../kernel/Redact.ts"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Workspace } from "./Workspace.ts"

/** Port: the workspaces, with plan and contract. */
export class Workspaces extends Context.Service<
  Workspaces,
  {
    readonly insert: (workspace: Workspace) => Effect.Effect<void, StoreUnavailable>
    readonly find: (id: WorkspaceId) => Effect.Effect<Option.Option<Workspace>, StoreUnavailable>
    /** Newest first. */
    readonly list: (page: PageRequest) => Effect.Effect<Page<Workspace>, StoreUnavailable>
    /** Applies `change` to the row under its lock; two changes at once both count. */
    readonly update: <E>(
      id: WorkspaceId,
      change: (workspace: Workspace) => Effect.Effect<Workspace, E>
    ) => Effect.Effect<Option.Option<Workspace>, E | StoreUnavailable>
    /**
     * Ends a workspace: its keys, members and jobs are gone at once and its media are marked deleted, in one
     * transaction under the workspace's submit lock, so that no job starts on a dying file. The bytes are removed
     * by whoever calls `RetentionStore.listRemovable`.
     *
     * Its accounts are erased as by `SocialAccounts.eraseDisconnected`.
     *
     * @returns whether there was such a workspace.
     */
    readonly erase: (id: WorkspaceId, redact: Redact) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@loopbox/core/plans/Workspaces") {}
