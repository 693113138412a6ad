import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { UnreadCounters } from "@loopbox/core/inbox/UnreadCounters"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeCounters } from "./counters.ts"

export const layer: Layer.Layer<UnreadCounters, never, SqlClient> = Layer.effect(
  UnreadCounters,
  Effect.map(makeCounters, (counters) =>
    UnreadCounters.of({
      compare: Effect.fn("PgUnreadCounters.compare")(({ repair, workspaceIds }) =>
        counters.compare(repair, workspaceIds)
      ),
      compareDue: Effect.fn("PgUnreadCounters.compareDue")(counters.compareDue)
    })
  )
)
