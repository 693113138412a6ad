import { Layer } from "effect"
import { watchConnecting } from "./watchConnecting.ts"
import { watchHealth } from "./watchHealth.ts"
import { watchNames } from "./watchNames.ts"
import { watchPolls } from "./watchPolls.ts"
import { watchReading } from "./watchReading.ts"
import { watchSyncs } from "./watchSyncs.ts"

/** The ports of what goes on by itself: each call is judged by what it makes of what was there. */
export const watchBackground = Layer.mergeAll(watchHealth, watchConnecting, watchReading).pipe(
  Layer.provideMerge(watchNames),
  Layer.provideMerge(Layer.mergeAll(watchPolls, watchSyncs))
)
