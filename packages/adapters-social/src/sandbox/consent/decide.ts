import type { Network } from "../../names.ts"
import * as Result from "effect/Result"
import type { SandboxAnswer, Scene } from "../Operation.ts"
import { choicePage } from "./consentPages.ts"
import type { DialogRequest } from "./dialogRequest.ts"
import { errorPage } from "./frame.ts"
import { basicScopes } from "./knownScopes.ts"
import type { AccountOwner } from "./standingOwners.ts"

/** What somebody chose in a dialog. */
export interface Choice {
  /** Absent: the first who is there. */
  readonly personId: string | undefined
  /** Absent: all accounts that there are. */
  readonly accountIds: ReadonlyArray<string> | undefined
  /** Absent: everything that is asked for. */
  readonly permissions: ReadonlyArray<string> | undefined
}

/** The parameters by which each network says that nothing was allowed. */
const denial: Record<Network, Readonly<Record<string, string>>> = {
  instagram: {
    error: "access_denied",
    error_reason: "user_denied",
    error_description: "The user denied your request"
  },
  facebook: {
    error: "access_denied",
    error_code: "200",
    error_reason: "user_denied",
    error_description: "Permissions error"
  },
  threads: {
    error: "access_denied",
    error_reason: "user_denied",
    error_description: "The user denied your request"
  },
  x: { error: "access_denied" }
}

/** Sends the person back to the app. */
const sendBack = (
  { redirectUri, state }: DialogRequest,
  parameters: Readonly<Record<string, string>>,
  end = ""
): SandboxAnswer => {
  const query = new URLSearchParams({ ...parameters, ...(state === undefined ? {} : { state }) })
  return {
    status: 303,
    headers: { location: `${redirectUri}?${query}${end}`, "cache-control": "no-store" },
    body: ""
  }
}

export const deny = (dialog: DialogRequest): SandboxAnswer => sendBack(dialog, denial[dialog.network])

/** The one account that signs in, where the network knows no more than one. */
const singleAccount = (
  { network }: DialogRequest,
  owner: AccountOwner,
  accountIds: Choice["accountIds"]
): Result.Result<string, SandboxAnswer> => {
  const account = owner.accounts.find(({ accountId }) => accountIds?.includes(accountId) !== false)
  if (account === undefined) return Result.fail(errorPage(network, "No account was chosen."))
  return account.isPersonal === true
    ? Result.fail(errorPage(network, "This app needs a professional account. Switch to one in Instagram's settings."))
    : Result.succeed(account.accountId)
}

/** The person allows it: a code goes back. */
export const approve = (scene: Scene, dialog: DialogRequest, { accountIds, permissions, personId }: Choice) => {
  const { challenge, clientId, network, redirectUri, scopes } = dialog
  const { codes, consents, owners } = scene.logins
  const owner = personId === undefined ? owners.of(network)[0] : owners.find(network, personId)
  if (owner === undefined) return errorPage(network, "There is no such person here.")
  const account = network === "facebook" ? Result.succeed(owner.id) : singleAccount(dialog, owner, accountIds)
  if (Result.isFailure(account)) return account.failure
  // Facebook asks for what was declined once only where it is told to.
  const isLeftOut = (scope: string) =>
    network === "facebook" &&
    dialog.parameters["auth_type"] !== "rerequest" &&
    consents.of(network, owner.id).declined.has(scope)
  const isGranted = (scope: string) =>
    network === "x" || scope === basicScopes[network] || (permissions?.includes(scope) !== false && !isLeftOut(scope))
  const granted = scopes.filter(isGranted)
  const ids = owner.accounts.map(({ accountId }) => accountId)
  const isAll = accountIds === undefined || ids.every((id) => accountIds.includes(id))
  const chosen = isAll ? undefined : ids.filter((id) => accountIds.includes(id))
  const consent = consents.allow(network, owner.id, scopes, granted, chosen)
  const code = codes.make(
    {
      network,
      clientId,
      redirectUri,
      personId: owner.id,
      accountId: account.success,
      scopes: network === "facebook" ? [...consent.granted] : granted,
      challenge
    },
    scene.at
  )
  // A leftover of old browsers, which every client has to cut off.
  return sendBack(dialog, { code }, network === "instagram" || network === "threads" ? "#_" : "")
}

/** The second page of a dialog, for someone who is there. */
export const choose = (scene: Scene, dialog: DialogRequest, personId: string, path: string): SandboxAnswer => {
  const owner = scene.logins.owners.find(dialog.network, personId)
  return owner === undefined
    ? errorPage(dialog.network, "There is no such person here.")
    : choicePage(dialog, owner, path)
}
