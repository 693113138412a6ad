import type { IdentityUnavailable } from "@loopbox/core/access/AccessErrors"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import * as Effect from "effect/Effect"
import { refuseFor, unavailableSeconds } from "./refuse.ts"

/** Media and administration, while a dependency is down. */
export const refuseStore = (error: StoreUnavailable | IdentityUnavailable) =>
  Effect.andThen(
    Effect.logWarning("a dependency is down", error),
    refuseFor(unavailableSeconds, "TEMPORARILY_UNAVAILABLE")
  )

/** Conversions (api.md §6, row 13). */
export const refuseProcessing = (error: StoreUnavailable | IdentityUnavailable) =>
  Effect.andThen(
    Effect.logWarning("a dependency is down", error),
    refuseFor(unavailableSeconds, "media_processing_unavailable")
  )
