import type { InvalidRequest } from "./issues.ts"
import { jsonRefusals } from "./readJson.ts"
import { refuse } from "./refuse.ts"
import { refuseStore } from "./storeRefusals.ts"
import { refusePlainRequest } from "./Validation.ts"

export const countRefusals = { StoreUnavailable: refuseStore }

export const listRefusals = {
  InvalidRequest: ({ issues }: InvalidRequest) => refusePlainRequest(issues),
  StoreUnavailable: refuseStore
}

/** Absent and foreign are told alike. */
export const itemRefusals = {
  ItemNotFound: () => refuse("NOT_FOUND", "There is no such item in this scope."),
  StoreUnavailable: refuseStore
}

export const threadRefusals = {
  ...jsonRefusals,
  ...listRefusals,
  ...itemRefusals,
  AssigneeNotAllowed: () => refusePlainRequest([{ path: "assigned_to", message: "may be given only with assigned" }]),
  AssigneeInvalid: () => refusePlainRequest([{ path: "assigned_to", message: "must have 1 to 256 characters" }])
}
