import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
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

/** A longer life for a long-lived token that is a day old and not dead. */
export const refreshToken = (network: Network, grantType: string): Operation => ({
  name: "refresh_token",
  openAnswer: (scene, ask) => {
    if (ask.text("grant_type") !== grantType) return invalid(`Param grant_type must be ${grantType}`)
    const grant = living(network, scene, bearerOf(ask) ?? ask.text("access_token"))
    if (Option.isNone(grant)) return dead
    if (grant.value.isShortLived) return invalid("Only a long-lived token can be refreshed")
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
    if (Option.isNone(grant)) return dead
    // Facebook exchanges a user's token as often as one likes.
    return network === "facebook" || grant.value.isShortLived
      ? issued(grant.value, scene)
      : invalid("Only a short-lived token can be exchanged")
  }
})

/** `GET /debug_token`: what a token is worth. */
export const debugToken = (network: Network): Operation => ({
  name: "debug_token",
  openAnswer: (scene, ask) => {
    const input = ask.text("input_token")
    if (input === undefined) return invalid("The parameter input_token is required")
    const grant = scene.tokens.find(network, input)
    if (Option.isNone(grant)) {
      return {
        status: 200,
        body: { data: { is_valid: false, scopes: [], error: { code: 190, message: "Invalid OAuth access token." } } }
      }
    }
    const { accountId, expiresAt, isRevoked, scopes = [] } = grant.value
    return {
      status: 200,
      body: {
        data: {
          app_id: "1",
          type: "PAGE",
          is_valid: !isRevoked && !isExpired(grant.value, scene.at),
          // Never is 0.
          expires_at: Option.match(expiresAt, {
            onNone: () => 0,
            onSome: (end) => Math.floor(DateTime.toEpochMillis(end) / 1000)
          }),
          data_access_expires_at: 0,
          profile_id: accountId,
          scopes
        }
      }
    }
  }
})
