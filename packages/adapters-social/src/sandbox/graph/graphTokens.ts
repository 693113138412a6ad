import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { basicScopes } from "../consent/knownScopes.ts"
import type { Ask, Operation, SandboxAnswer, Scene } from "../Operation.ts"
import { isExpired } from "../Tokens.ts"
import type { Grant } from "../Tokens.ts"
import { graphError, invalid } from "./graphAnswers.ts"

type Network = "instagram" | "facebook" | "threads"

/** 60 days less what the way took, as Meta answers. */
const life_s = 5_183_944
const leastAge_h = 24

const bearerOf = ({ authorization }: Ask): string | undefined => /^Bearer (.+)$/i.exec(authorization ?? "")?.[1]

const living = (network: Network, { at, tokens }: Scene, token: string | undefined): Option.Option<Grant> =>
  Option.filter(
    Option.flatMap(Option.fromUndefinedOr(token), (token) => tokens.find(network, token)),
    (grant) => !grant.isRevoked && !isExpired(grant, at)
  )

const dead = graphError(400, 190, 463, "Error validating access token: Session has expired.")

const issued = (grant: Grant, { at, tokens }: Scene): SandboxAnswer => ({
  status: 200,
  body: { access_token: tokens.issue(grant, life_s, at).token, token_type: "bearer", expires_in: life_s }
})

const wrongSecret: Record<Network, SandboxAnswer> = {
  // What Instagram says of a wrong secret, as of an account that may not use the app.
  instagram: graphError(400, 100, undefined, "Unsupported request - method type: get"),
  facebook: graphError(400, 1, undefined, "Error validating client secret."),
  threads: graphError(400, 1, undefined, "Error validating client secret.")
}

/** Whether the app that got a token exchanges it; one that is only known belongs to any. */
const isOurs = (network: Network, { logins: { apps } }: Scene, ask: Ask, { clientId }: Grant): boolean => {
  if (clientId === undefined) return true
  if (network === "facebook" && ask.text("client_id") !== clientId) return false
  return apps.of(network).id === clientId && apps.isSecret(network, ask.input("client_secret"))
}

/** A longer life for a long-lived token that is a day old and not dead. */
export const refreshToken = (network: Network, grantType: string): Operation => ({
  name: "refresh_token",
  openAnswer: (scene, ask) => {
    if (ask.text("grant_type") !== grantType) return invalid(`Param grant_type must be ${grantType}`)
    const grant = living(network, scene, bearerOf(ask) ?? ask.text("access_token"))
    if (Option.isNone(grant)) return dead
    if (grant.value.isShortLived) return invalid("Only a long-lived token can be refreshed")
    const basic = basicScopes[network]
    if (!scene.tokens.permits(grant.value, basic)) {
      return graphError(403, 10, undefined, `(#10) This endpoint requires the '${basic}' permission.`)
    }
    return DateTime.isGreaterThan(DateTime.add(grant.value.issuedAt, { hours: leastAge_h }), scene.at)
      ? invalid("The token must be at least 24 hours old")
      : issued(grant.value, scene)
  }
})

/** A long life for a short one. */
export const exchangeToken = (network: Network, grantType: string, parameter = "access_token"): Operation => ({
  name: "exchange_token",
  openAnswer: (scene, ask) => {
    if (ask.text("grant_type") !== grantType) return invalid(`Param grant_type must be ${grantType}`)
    if (ask.input("client_secret") === undefined) return invalid("Missing client_secret parameter.")
    const grant = living(network, scene, ask.text(parameter) ?? bearerOf(ask))
    if (Option.isSome(grant) && !isOurs(network, scene, ask, grant.value)) return wrongSecret[network]
    if (Option.isNone(grant)) return dead
    // Facebook exchanges a user's token as often as one likes.
    return network === "facebook" || grant.value.isShortLived
      ? issued(grant.value, scene)
      : invalid("Only a short-lived token can be exchanged")
  }
})
