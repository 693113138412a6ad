import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Redact } from "../kernel/Redact.ts"
import { WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** A user of the customer's own app, known by the customer's id. */
export class ManagedUser extends Schema.Class<ManagedUser>("@loopbox/core/workspaces/ManagedUser")({
  workspaceId: WorkspaceId,
  externalUserId: Schema.String,
  createdAt: Schema.DateTimeUtc
}) {}

/** Port: the managed users of a workspace. Ids are compared exactly; case and spaces count. */
export class ManagedUsers extends Context.Service<
  ManagedUsers,
  {
    /** `absent`: the workspace does not exist. */
    readonly put: (
      workspaceId: WorkspaceId,
      externalUserId: string,
      at: DateTime.Utc
    ) => Effect.Effect<"created" | "known" | "absent", StoreUnavailable>
    readonly find: (
      workspaceId: WorkspaceId,
      externalUserId: string
    ) => Effect.Effect<Option.Option<ManagedUser>, StoreUnavailable>
    /** Several of them in one read, by their ids; who is not there is left out. */
    readonly findSeveral: (
      workspaceId: WorkspaceId,
      externalUserIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, ManagedUser>, StoreUnavailable>
    /** Newest first; the `id` of the page's key is the external user id. */
    readonly list: (workspaceId: WorkspaceId, page: PageRequest) => Effect.Effect<Page<ManagedUser>, StoreUnavailable>
    /**
     * Erases the user, the accounts that it owns and all their data, also in stored webhook deliveries. Each account
     * leaves one `account_moved` event without an owner. Everything is hidden at once; large data is removed later, as
     * an erasure that `eraseDue` finishes. Returns whether the user existed.
     */
    readonly erase: (
      workspaceId: WorkspaceId,
      externalUserId: string,
      redact: Option.Option<Redact>
    ) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@loopbox/core/workspaces/ManagedUsers") {}
