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
    /**
     * Applies `change` to the row under a lock, so that of two concurrent changes none is lost. A change of plan makes the
     * workspace's accounts due for a poll, except those that wait for a network's limit.
     */
    readonly update: <E>(
      id: WorkspaceId,
      change: (workspace: Workspace) => Effect.Effect<Workspace, E>
    ) => Effect.Effect<Option.Option<Workspace>, E | StoreUnavailable>
    /**
     * Erases a workspace: deletes its keys, members and jobs and marks its media deleted, in one transaction under the
     * workspace's submit lock, so that no job starts on a deleted file. The caller of `RetentionStore.listRemovable`
     * removes the bytes.
     *
     * Its accounts are hidden at once. Large data is removed as an erasure (`Erasures`): this call starts it, and
     * `eraseDue` finishes it.
     *
     * @returns whether the workspace existed.
     */
    readonly erase: (id: WorkspaceId, redact: Option.Option<Redact>) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@loopbox/core/workspaces/Workspaces") {}
