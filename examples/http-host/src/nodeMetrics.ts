import { findClusterNodes } from "@loopbox/adapters-postgres"
import { supervised } from "@loopbox/core/kernel/lease/supervised"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"

const away = Metric.gauge("loopbox_database_nodes_away", {
  description: "Nodes of a distributed database that do not answer its coordinator; absent where it is one server"
})

/** Not by one process for all, as the queues: where a node is away, their figures may not be had. */
export const tellNodes = Effect.flatMap(
  findClusterNodes,
  Option.match({ onNone: () => Effect.void, onSome: (found) => Metric.update(away, found.away.length) })
)

/** Keeps the gauge of nodes fresh. */
export const layerNodeGauges: Layer.Layer<never, never, SqlClient> = Layer.effectDiscard(
  supervised(
    "postgres.nodes",
    Effect.catchTag(tellNodes, "SqlError", (error) => Effect.logDebug("the nodes cannot be asked now", error)),
    { every: "15 seconds" }
  )
)
