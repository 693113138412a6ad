import type { ScopeInvalid } from "@loopbox/core/access/AccessErrors"
import type { AccountCheckFailed, UsernameRequired } from "@loopbox/core/accounts/AccountErrors"
import { ownerFaultOf } from "../../api/admin/AccountBodies.ts"
import { jsonRefusals } from "../edge/readJson.ts"
import { refuse } from "../edge/refuse.ts"
import { pageRefusals, workspaceRefusals } from "./adminRefusals.ts"
import { refusePlainRequest } from "../edge/Validation.ts"

const ownerRefusal = {
  ScopeInvalid: (fault: ScopeInvalid) =>
    refusePlainRequest([{ path: "external_user_id", message: ownerFaultOf(fault) }])
}
const accountRefusal = { AccountNotFound: () => refuse("NOT_FOUND", "There is no such account in this workspace.") }
const checkSentences: Record<AccountCheckFailed["reason"], string | undefined> = {
  token_invalid: undefined,
  other_account: "The token is another account's than network_account_id names. Nothing was stored.",
  network_unavailable: "The network could not be asked about the token. Nothing was stored; try again later."
}
const checkRefusal = {
  AccountCheckFailed: ({ reason }: AccountCheckFailed) =>
    refuse("ACCOUNT_CHECK_FAILED", checkSentences[reason], { reason })
}
const userRefusal = {
  ManagedUserNotFound: () => refuse("NOT_FOUND", "There is no such managed user in this workspace.")
}

export const putUserRefusals = { ...jsonRefusals, ...pageRefusals, ...ownerRefusal, ...userRefusal }
export const userRefusals = { ...workspaceRefusals, ...userRefusal }
export const tokenRefusals = {
  ...jsonRefusals,
  ...pageRefusals,
  NoLocalIssuer: () => refuse("NOT_FOUND", "Dashboard tokens come from the identity provider, not from here.")
}
export const updateRefusals = { ...jsonRefusals, ...pageRefusals, ...ownerRefusal, ...accountRefusal, ...checkRefusal }
export const accountRefusals = { ...workspaceRefusals, ...accountRefusal }
export const usernameIssue = (network: string) => ({ path: "username", message: `is required for ${network}` })

export const connectRefusals = {
  ...jsonRefusals,
  ...pageRefusals,
  ...ownerRefusal,
  ...checkRefusal,
  UsernameRequired: ({ network }: UsernameRequired) => refusePlainRequest([usernameIssue(network)]),
  AccountAlreadyConnected: () => refuse("ALREADY_EXISTS")
}
