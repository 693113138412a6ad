import type { IdentityUnavailable } from "@loopbox/core/access/AccessErrors"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import * as Effect from "effect/Effect"
import type { ErrorCode } from "../../api/errorCodes.ts"
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

/** Which of both codes a path has, by its pattern, where something else than its handler answers. */
export const unavailableCodeOf = (pattern: string): ErrorCode =>
  /^\/v1\/media\/(gif-conversions|audio-overlays)(\/|$)/.test(pattern)
    ? "media_processing_unavailable"
    : "TEMPORARILY_UNAVAILABLE"
