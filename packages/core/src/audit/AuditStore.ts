import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { AuditAction, AuditEvent } from "./AuditEvent.ts"

/** Exact; `none` matches everything. */
export interface AuditFilter {
  readonly actorId: Option.Option<string>
  readonly action: Option.Option<AuditAction>
  readonly targetId: Option.Option<string>
}

/**
 * Port: what was changed, by whom. Only read here: the store of whatever is changed writes the event in the transaction of
 * the change, with the `CurrentActor`. Nobody can change an event, and only age (`auditDays`) and the erasure of its
 * workspace remove it.
 */
export class AuditStore extends Context.Service<
  AuditStore,
  {
    /** Newest first. */
    readonly list: (
      workspaceId: WorkspaceId,
      filter: AuditFilter,
      page: PageRequest
    ) => Effect.Effect<Page<AuditEvent>, StoreUnavailable>
  }
>()("@loopbox/core/audit/AuditStore") {}
