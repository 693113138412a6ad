import { jsonRefusals } from "../edge/readJson.ts"
import { refuse } from "../edge/refuse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { plainRequestRefusal, refusePlainRequest } from "../edge/Validation.ts"

export const countRefusals = { StoreUnavailable: refuseStore }

export const listRefusals = {
  ...plainRequestRefusal,
  StoreUnavailable: refuseStore
}

/** Absent and foreign are told alike. */
export const itemRefusals = {
  ItemNotFound: () => refuse("NOT_FOUND", "There is no such item in this scope."),
  StoreUnavailable: refuseStore
}

export const notAssignable = { path: "assigned_to", message: "may be given only with assigned" }

export const threadRefusals = {
  ...jsonRefusals,
  ...listRefusals,
  ...itemRefusals,
  AssigneeNotAllowed: () => refusePlainRequest([notAssignable]),
  AssigneeInvalid: () => refusePlainRequest([{ path: "assigned_to", message: "must have 1 to 256 characters" }])
}
