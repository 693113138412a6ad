import { examineStatistics } from "@loopbox/adapters-postgres"
import * as Effect from "effect/Effect"
import { layerShared } from "./database.ts"
import type { HostConfig } from "./hostConfig.ts"
import { explainFailure } from "./startFailure.ts"

/** Looks for large tables of which PostgreSQL knows nothing, while a host may run, and has them counted if asked; in a sentence. */
export const compareStatistics = (config: HostConfig, repair: boolean) =>
  examineStatistics({ mend: repair }).pipe(
    Effect.map((tables) => {
      if (tables.length === 0) return { isWell: true, message: "PostgreSQL has statistics of all large tables" }
      const found = `PostgreSQL has no statistics of ${tables.join(", ")}, and may read far more of them than it has to`
      const rest = repair ? "; they were made now" : "; --repair makes them, as ANALYZE does. Is autovacuum off?"
      return { isWell: repair, message: `${found}${rest}` }
    }),
    Effect.provide(layerShared(config, { patience: "10 minutes" })),
    explainFailure
  )
