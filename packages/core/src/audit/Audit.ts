import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { AuditEvent } from "./AuditEvent.ts"
import { type AuditFilter, AuditStore } from "./AuditStore.ts"

/** Driving service: what was changed in a workspace, by whom (api-2.md §16). It does not authorise. */
export class Audit extends Context.Service<
  Audit,
  {
    /** Newest first; a year and a month back. */
    readonly list: (
      workspaceId: WorkspaceId,
      filter: AuditFilter,
      page: PageRequest
    ) => Effect.Effect<Page<AuditEvent>, StoreUnavailable>
  }
>()("@loopbox/core/audit/Audit") {
  static readonly layer: Layer.Layer<Audit, never, AuditStore> = Layer.effect(
    Audit,
    Effect.map(AuditStore, (store) => Audit.of({ list: Effect.fn("Audit.list")(store.list) }))
  )
}
