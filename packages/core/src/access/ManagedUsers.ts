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
export class ManagedUser extends Schema.Class<ManagedUser>("@loopbox/core/access/ManagedUser")({
  workspaceId: WorkspaceId,
  externalUserId: Schema.String,
  createdAt: Schema.DateTimeUtc
}) {}

/** Port: the managed users of a workspace. Ids are taken exactly as given; case and spaces count. */
export class ManagedUsers extends Context.Service<
  ManagedUsers,
  {
    /** `absent`: there is no such workspace. */
    readonly put: (
      workspaceId: WorkspaceId,
      externalUserId: string,
      at: DateTime.Utc
    ) => Effect.Effect<"created" | "known" | "absent", StoreUnavailable>
    readonly find: (
      workspaceId: WorkspaceId,
      externalUserId: string
    ) => Effect.Effect<Option.Option<ManagedUser>, StoreUnavailable>
    /** Newest first; the `id` of the page's key is the external user id. */
    readonly list: (workspaceId: WorkspaceId, page: PageRequest) => Effect.Effect<Page<ManagedUser>, StoreUnavailable>
    /**
     * Erases the user and the accounts that it owns, with all their data: what kept webhook deliveries say to them, too.
     * Of each account an `account_moved` event that names nobody is left. Answers whether there was such a user.
     */
    readonly erase: (
      workspaceId: WorkspaceId,
      externalUserId: string,
      redact: Redact
    ) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@loopbox/core/access/ManagedUsers") {}
