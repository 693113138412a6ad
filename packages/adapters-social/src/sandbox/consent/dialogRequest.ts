import type { Network } from "../../names.ts"
import * as Result from "effect/Result"
import type { Ask, SandboxAnswer, Scene } from "../Operation.ts"
import type { Allowed } from "../oauth/Codes.ts"
import { errorPage } from "./frame.ts"
import { basicScopes, knownScopes } from "./knownScopes.ts"

/** A dialog that a network opens. */
export interface DialogRequest {
  readonly network: Network
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string | undefined
  readonly scopes: ReadonlyArray<string>
  readonly challenge: Allowed["challenge"]
  /** The parameters it came with, for the form. */
  readonly parameters: Readonly<Record<string, string>>
}

const parameterNames = [
  "client_id",
  "redirect_uri",
  "response_type",
  "scope",
  "state",
  "config_id",
  "auth_type",
  "force_reauth",
  "enable_fb_login",
  "code_challenge",
  "code_challenge_method"
]

const longestState = 500

const scopesOf = (network: Network, ask: Ask): ReadonlyArray<string> => {
  // A configuration of Login for Business names them in the dashboard, and wins.
  if (network === "facebook" && ask.text("config_id") !== undefined) return [...knownScopes.facebook]
  const asked = (ask.text("scope") ?? "").split(network === "x" ? / / : /[, ]/).filter((scope) => scope !== "")
  return [...new Set(network === "facebook" ? ["public_profile", ...asked] : asked)]
}

/** PKCE, which X wants. */
const challengeOf = (network: Network, ask: Ask): Result.Result<Allowed["challenge"], string> => {
  if (network !== "x") return Result.succeed(undefined)
  const value = ask.text("code_challenge") ?? ""
  const method = ask.text("code_challenge_method") ?? "plain"
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(value)) return Result.fail("code_challenge must have 43 to 128 characters.")
  return method === "S256" || method === "plain"
    ? Result.succeed({ method, value })
    : Result.fail("code_challenge_method must be S256 or plain.")
}

/** Why a network shows its own error page, after which nothing comes back. */
const complaintOf = (network: Network, { apps }: Scene["logins"], ask: Ask): string | undefined => {
  if (ask.text("client_id") !== apps.of(network).id) {
    return network === "instagram" || network === "threads" ? "Invalid platform app" : "Invalid App ID"
  }
  const type = ask.text("response_type")
  if (type !== "code" && !(network === "facebook" && type === undefined)) return "response_type must be code."
  const redirectUri = ask.text("redirect_uri")
  if (redirectUri === undefined || !apps.admits(network, redirectUri)) {
    return network === "facebook"
      ? "URL Blocked: This redirect failed because the redirect URI is not whitelisted in the app's Client OAuth Settings."
      : "Invalid redirect_uri"
  }
  const scopes = scopesOf(network, ask)
  const unknown = scopes.filter((scope) => !knownScopes[network].has(scope))
  if (unknown.length > 0 || scopes.length === 0) return `Invalid Scopes: ${unknown.join(", ")}`
  const basic = basicScopes[network]
  if (basic !== "" && !scopes.includes(basic)) return `Invalid Scopes: ${basic} is required.`
  if (network !== "x") return undefined
  const state = ask.text("state")
  return state === undefined || state.length > longestState
    ? `state must have 1 to ${longestState} characters.`
    : undefined
}

/** What a dialog is asked, or the network's error page. */
export const readDialog = (network: Network, scene: Scene, ask: Ask): Result.Result<DialogRequest, SandboxAnswer> => {
  const challenge = challengeOf(network, ask)
  const complaint = complaintOf(network, scene.logins, ask)
  if (complaint !== undefined) return Result.fail(errorPage(network, complaint))
  if (Result.isFailure(challenge)) return Result.fail(errorPage(network, challenge.failure))
  return Result.succeed({
    network,
    clientId: ask.text("client_id") ?? "",
    redirectUri: ask.text("redirect_uri") ?? "",
    state: ask.text("state"),
    scopes: scopesOf(network, ask),
    challenge: challenge.success,
    parameters: Object.fromEntries(
      parameterNames.flatMap((name) => {
        const value = ask.text(name)
        return value === undefined ? [] : [[name, value]]
      })
    )
  })
}
