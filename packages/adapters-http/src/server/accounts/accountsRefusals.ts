import type { ScopeInvalid } from "@loopbox/core/access/AccessErrors"
import type { NetworkNotConfigured, ReturnUrlInvalid } from "@loopbox/core/connecting/ConnectErrors"
import type { RateLimited, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import * as Option from "effect/Option"
import { returnUrlFaults } from "../../api/accounts/ConnectBodies.ts"
import { ownerFaultOf } from "../../api/admin/AccountBodies.ts"
import { networkTitle } from "../../api/names.ts"
import { jsonRefusals } from "../edge/readJson.ts"
import { refuse, refuseLimited } from "../edge/refuse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { plainRequestRefusal, refusePlainRequest } from "../edge/Validation.ts"

export const listRefusals = { ...plainRequestRefusal, StoreUnavailable: refuseStore }

/** Absent and foreign are told alike. */
export const accountRefusals = {
  AccountNotFound: () => refuse("NOT_FOUND", "There is no such account in this scope."),
  StoreUnavailable: refuseStore
}

export const findSessionRefusals = {
  ConnectSessionNotFound: () => refuse("NOT_FOUND", "There is no such connect session in this scope."),
  StoreUnavailable: refuseStore
}

export const checkRefusals = {
  ...accountRefusals,
  AccountIsDisconnected: () => refuse("ACCOUNT_DISCONNECTED"),
  RateLimited: ({ network, networkCode, retryAt }: RateLimited) =>
    refuseLimited(retryAt, `${networkTitle(network)} limits the rate. Check the account again later.`, {
      network_code: Option.getOrNull(networkCode)
    }),
  Unavailable: ({ network, networkCode, reason }: Unavailable) =>
    refuse("PLATFORM_ERROR", `${networkTitle(network)} could not be asked about the account. Try again soon.`, {
      network_code: Option.getOrNull(networkCode),
      reason
    })
}

export const createSessionRefusals = {
  ...jsonRefusals,
  ...listRefusals,
  ...accountRefusals,
  NetworkNotConfigured: ({ network, settings }: NetworkNotConfigured) =>
    refuse(
      "NETWORK_NOT_CONFIGURED",
      settings.length === 0
        ? `Accounts of ${networkTitle(network)} cannot be connected here.`
        : `This host has no app of ${networkTitle(network)}: it lacks ${settings.join(", ")}.`,
      { settings }
    ),
  ReturnUrlInvalid: ({ reason }: ReturnUrlInvalid) =>
    refusePlainRequest([{ path: "return_url", message: returnUrlFaults[reason] }]),
  ScopeInvalid: (fault: ScopeInvalid) =>
    refusePlainRequest([{ path: "external_user_id", message: ownerFaultOf(fault) }]),
  AccountOfOtherNetwork: () =>
    refusePlainRequest([{ path: "social_account_id", message: "is an account of another network" }]),
  OwnerMismatch: () =>
    refusePlainRequest([
      { path: "external_user_id", message: "must be the user of the scope, and the owner of social_account_id" }
    ]),
  // They were erased since the caller was let in.
  ManagedUserNotFound: () => refuse("MANAGED_USER_NOT_FOUND"),
  WorkspaceNotFound: () => refuse("NOT_FOUND", "There is no such workspace.")
}
