import { createHash } from "node:crypto"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Ask, Operation, SandboxAnswer, Scene } from "../Operation.ts"
import type { Allowed } from "./Codes.ts"

const life_s = 7_200
const everything = "tweet.read tweet.write users.read offline.access"

/** OAuth's own form, which X has here alone. */
const refused = (error: string, error_description: string, status = 400): SandboxAnswer => ({
  status,
  body: { error, error_description }
})

const unsigned = refused("unauthorized_client", "Missing valid authorization header", 401)

/** Whether our app signs: a confidential client by its secret, a public one by its name. */
const isOurApp = ({ logins: { apps } }: Scene, { authorization, text }: Ask): boolean => {
  const { id, secret } = apps.of("x")
  if (secret === undefined) return text("client_id") === id
  const basic = /^Basic (.+)$/i.exec(authorization ?? "")?.[1] ?? ""
  return Buffer.from(basic, "base64").toString() === `${id}:${Redacted.value(secret)}`
}

/** Whether anybody signs: enough for tokens that are only known. */
const isSigned = ({ authorization, text }: Ask): boolean =>
  /^Basic .+$/i.test(authorization ?? "") || text("client_id") !== undefined

const proves = (verifier: string | undefined, { challenge }: Allowed): boolean => {
  if (verifier === undefined || challenge === undefined) return false
  const value = challenge.method === "plain" ? verifier : createHash("sha256").update(verifier).digest("base64url")
  return verifier.length >= 43 && verifier.length <= 128 && value === challenge.value
}

const answerOf = (
  access_token: string,
  scopes: ReadonlyArray<string> | undefined,
  refresh_token: string | undefined
): SandboxAnswer => ({
  status: 200,
  body: {
    token_type: "bearer",
    expires_in: life_s,
    access_token,
    scope: scopes?.join(" ") ?? everything,
    ...(refresh_token === undefined ? {} : { refresh_token })
  }
})

/** `grant_type=authorization_code`: within half a minute, with the verifier of the dialog. */
const exchange = (scene: Scene, ask: Ask): SandboxAnswer => {
  const { at, logins, tokens, world } = scene
  if (!isOurApp(scene, ask)) return unsigned
  const allowed = logins.codes.take("x", logins.apps.of("x").id, ask.text("code"), at)
  if (typeof allowed === "string") {
    return refused("invalid_request", "Value passed for the authorization code was invalid.")
  }
  if (ask.text("redirect_uri") !== allowed.redirectUri) {
    return refused(
      "invalid_request",
      "Value passed for the redirect uri did not match the uri of the authorization code."
    )
  }
  if (!proves(ask.text("code_verifier"), allowed)) {
    return refused("invalid_request", "Value passed for the code verifier did not match the code challenge.")
  }
  const { accountId, clientId, network, personId, scopes } = allowed
  const account = logins.owners.findAccount(network, accountId)
  if (account !== undefined) world.connect(logins.owners.profile(network, account), at)
  const of = { network, accountId, clientId, personId, scopes }
  const family = scopes.includes("offline.access") ? tokens.beginFamily(of) : undefined
  return answerOf(tokens.issue({ ...of, family }, life_s, at).token, scopes, family)
}

/** `grant_type=refresh_token`: a new token for two hours, and a new refresh token for the old one. */
const renew = (scene: Scene, ask: Ask): SandboxAnswer => {
  const { at, tokens } = scene
  const given = ask.text("refresh_token") ?? ""
  const isOurs = Option.exists(tokens.findRenewal(given), ({ clientId }) => clientId !== undefined)
  // Confidential clients sign in, public ones name themselves.
  if (isOurs ? !isOurApp(scene, ask) : !isSigned(ask)) return unsigned
  const rotated = tokens.rotate(given)
  if (Option.isNone(rotated)) return refused("invalid_request", "Value passed for the token was invalid.")
  const { next, renewal } = rotated.value
  return answerOf(tokens.issue(renewal, life_s, at).token, renewal.scopes, next)
}

const token: Operation = {
  name: "token",
  openAnswer: (scene, ask) => {
    switch (ask.text("grant_type")) {
      case "authorization_code":
        return exchange(scene, ask)
      case "refresh_token":
        return renew(scene, ask)
      default:
        return refused("unsupported_grant_type", "Value passed for the grant_type was invalid.")
    }
  }
}

/** Ends an access token, or all that a refresh token can still give. */
const revoke: Operation = {
  name: "revoke",
  openAnswer: (scene, ask) => {
    const given = ask.text("token")
    if (given === undefined) return refused("invalid_request", "Missing required parameter [token].")
    const found = scene.tokens.find("x", given)
    const isOurs = Option.exists(
      Option.orElse(
        Option.map(found, ({ clientId }) => clientId),
        () => Option.map(scene.tokens.findRenewal(given), ({ clientId }) => clientId)
      ),
      (clientId) => clientId !== undefined
    )
    if (isOurs ? !isOurApp(scene, ask) : !isSigned(ask)) return unsigned
    scene.tokens.revoke("x", given)
    return { status: 200, body: { revoked: true } }
  }
}

/** `/2/oauth2/token` and `/2/oauth2/revoke`. */
export const xTokens = { token, revoke }
