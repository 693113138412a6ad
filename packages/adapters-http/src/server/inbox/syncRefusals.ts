import type { ConfirmationInvalid } from "@loopbox/core/sync/SyncErrors"
import * as Effect from "effect/Effect"
import { sentenceOf } from "../edge/issues.ts"
import { jsonRefusals } from "../edge/readJson.ts"
import { refusalResponse } from "../edge/refusalResponse.ts"
import { refusal, refuse } from "../edge/refuse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { plainRequestRefusal, refusePlainRequest } from "../edge/Validation.ts"

const messages = {
  unknown: "is of no backfill in this scope",
  expired: "has expired: ask again without it",
  other_input: "was given for another input: ask again without it"
} as const

/**
 * 400, or 409 for a token that was good once or elsewhere (api.md §3). Both have one code, and an endpoint's errors are
 * told apart by theirs, so this one is made by hand.
 */
const refuseConfirmation = ({ reason }: ConfirmationInvalid) => {
  const issues = [{ path: "x_backfill.confirmation_token", message: messages[reason] }]
  if (reason === "unknown") return refusePlainRequest(issues)
  return Effect.map(refusal("VALIDATION_ERROR", sentenceOf(issues), { issues }), (body) => refusalResponse(body, 409))
}

export const startRefusals = {
  ...jsonRefusals,
  ...plainRequestRefusal,
  NoBackfillAccount: () => refuse("NOT_FOUND", "There is no such X account in this scope."),
  ConfirmationInvalid: refuseConfirmation,
  StoreUnavailable: refuseStore
}

export const findRefusals = {
  SyncNotFound: () => refuse("NOT_FOUND", "There is no such sync in this scope."),
  StoreUnavailable: refuseStore
}
