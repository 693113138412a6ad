import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AuditStore } from "@loopbox/core/audit/AuditStore"
import { matchesAudit } from "./memoryAudit.ts"
import { memoryPage } from "./memoryPage.ts"
import { MemoryState } from "./MemoryState.ts"

export const layer: Layer.Layer<AuditStore, never, MemoryState> = Layer.effect(
  AuditStore,
  Effect.map(MemoryState, ({ inbox }) =>
    AuditStore.of({
      list: (workspaceId, filter, page) =>
        Effect.sync(() =>
          memoryPage(
            inbox.audit.kept.filter((event) => event.workspaceId === workspaceId && matchesAudit(filter, event)),
            page
          )
        )
    })
  )
)
