import type { ScopeInvalid } from "@loopbox/core/access/AccessErrors"
import type { UsernameRequired } from "@loopbox/core/accounts/AccountErrors"
import type { InvalidRequest } from "./issues.ts"
import { jsonRefusals } from "./readJson.ts"
import { refuse } from "./refuse.ts"
import { refuseStore } from "./storeRefusals.ts"
import { refusePlainRequest } from "./Validation.ts"

const workspaceRefusals = {
  WorkspaceNotFound: () => refuse("NOT_FOUND", "There is no such workspace."),
  StoreUnavailable: refuseStore
}
const requestRefusal = { InvalidRequest: ({ issues }: InvalidRequest) => refusePlainRequest(issues) }
const ownerRefusal = {
  ScopeInvalid: ({ reason }: ScopeInvalid) =>
    refusePlainRequest([
      {
        path: "external_user_id",
        message: reason === "external_user_id_required" ? "must not be blank" : "may have 256 characters"
      }
    ])
}
const accountRefusal = { AccountNotFound: () => refuse("NOT_FOUND", "There is no such account in this workspace.") }
const userRefusal = {
  ManagedUserNotFound: () => refuse("NOT_FOUND", "There is no such managed user in this workspace.")
}

export const pageRefusals = { ...workspaceRefusals, ...requestRefusal }
export const putUserRefusals = { ...jsonRefusals, ...pageRefusals, ...ownerRefusal, ...userRefusal }
export const userRefusals = { ...workspaceRefusals, ...userRefusal }
export const tokenRefusals = {
  ...jsonRefusals,
  ...pageRefusals,
  NoLocalIssuer: () => refuse("NOT_FOUND", "Dashboard tokens come from the identity provider, not from here.")
}
export const updateRefusals = { ...jsonRefusals, ...pageRefusals, ...ownerRefusal, ...accountRefusal }
export const disconnectRefusals = { ...workspaceRefusals, ...accountRefusal }
export const connectRefusals = {
  ...jsonRefusals,
  ...pageRefusals,
  ...ownerRefusal,
  UsernameRequired: ({ network }: UsernameRequired) =>
    refusePlainRequest([{ path: "username", message: `is required for ${network}` }]),
  AccountAlreadyConnected: () => refuse("ALREADY_EXISTS", "The workspace has connected this account already.")
}
