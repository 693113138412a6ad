import { UnreadCounters } from "@loopbox/core/inbox/UnreadCounters"
import * as Effect from "effect/Effect"
import { layerShared } from "./database.ts"
import type { HostConfig } from "./hostConfig.ts"
import { explainFailure } from "./startFailure.ts"

/** Compares every unread counter with its items, while a host may run, and sets it right if asked; in a sentence. */
export const compareCounters = (config: HostConfig, repair: boolean) =>
  Effect.flatMap(UnreadCounters, (counters) => counters.compare({ repair })).pipe(
    Effect.map((drifts) => {
      if (drifts.length === 0) return { isWell: true, message: "the unread counters agree with the items" }
      const found = `${drifts.length} unread counters did not agree with their items`
      return { isWell: repair, message: `${found}${repair ? " and were set right" : "; --repair sets them right"}` }
    }),
    Effect.provide(layerShared(config, { patience: "10 minutes" })),
    explainFailure
  )
