import type { ActionNotAvailable } from "@loopbox/core/items/acting/ActionNotAvailable"
import type {
  ActionLimited,
  ActionRefused,
  ActionUncertain,
  ReconnectRequired
} from "@loopbox/core/moderation/ModerationErrors"
import type { BatchFailure } from "@loopbox/core/moderation/runBatch"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { refusalResponse } from "../edge/refusalResponse.ts"
import { refusal, refuse, refuseLimited } from "../edge/refuse.ts"
import { itemRefusals } from "./inboxRefusals.ts"

/** Refusals of what is done with an item (api-2.md §13, api-2-decided.md A53). */
export const moderationRefusals = {
  ...itemRefusals,
  ActionNotAvailable: ({ missingScopes, reason }: ActionNotAvailable) =>
    refuse("ACTION_NOT_AVAILABLE", `This can't be done with the item (${reason}). Its capabilities say what can.`, {
      reason,
      ...(missingScopes.length > 0 ? { missing_scopes: missingScopes } : {})
    }),
  ReconnectRequired: ({ missingScopes }: ReconnectRequired) =>
    refuse(
      "X_RECONNECT_REQUIRED",
      missingScopes.length === 0
        ? "Connect the account again: its credential is no longer good. Nothing was done."
        : `Connect the account again, with ${missingScopes.join(", ")}. Nothing was done.`,
      { missing_scopes: missingScopes }
    ),
  ActionLimited: ({ retryAt }: ActionLimited) =>
    refuseLimited(retryAt, "The network limits the rate. Make the same request again later."),
  ActionRefused: ({ networkCode, reason }: ActionRefused) =>
    refuse("PLATFORM_ERROR", `The network refused it (${reason}).`, {
      network_code: Option.getOrNull(networkCode),
      reason
    }),
  ActionUncertain: ({ networkCode }: ActionUncertain) =>
    Effect.map(
      refusal(
        "PLATFORM_ERROR",
        "The network could not be asked, or did not say in time what it did. The same request may be made again.",
        { network_code: Option.getOrNull(networkCode), reason: "unavailable" }
      ),
      (body) => refusalResponse(body, 502)
    )
}

/** The code of one item of a batch that was not done. */
export const batchCodeOf = (failure: BatchFailure): string => {
  switch (failure._tag) {
    case "ItemNotFound":
      return "NOT_FOUND"
    case "ActionNotAvailable":
      return failure.reason
    case "ReconnectRequired":
      return "X_RECONNECT_REQUIRED"
    case "ActionLimited":
      return "PLATFORM_RATE_LIMITED"
    case "ActionRefused":
    case "ActionUncertain":
      return "PLATFORM_ERROR"
    case "StoreUnavailable":
      return "TEMPORARILY_UNAVAILABLE"
    case "NotAttempted":
      return "NOT_ATTEMPTED"
  }
}
