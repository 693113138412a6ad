import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { knownScopes } from "../consent/knownScopes.ts"
import { graphError, invalid } from "../graph/graphAnswers.ts"
import type { Ask, Operation, Scene } from "../Operation.ts"
import { isExpired } from "../Tokens.ts"
import type { Grant } from "../Tokens.ts"
import { isAppToken } from "./appTokens.ts"

type Network = "facebook" | "threads"

/** Of an app whose people use it; 90 days without anything done. */
const dataAccess_days = 90

const seconds = (time: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(time) / 1000)

/** Whoever inspects is the app, or somebody whose token lives. */
const mayInspect = (network: Network, scene: Scene, { authorization, text }: Ask): boolean => {
  const token = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? text("access_token")
  if (isAppToken(network, scene, token)) return true
  const grant = token === undefined ? Option.none() : scene.tokens.find(network, token)
  return Option.exists(grant, (one) => !one.isRevoked && !isExpired(one, scene.at))
}

/** Which Pages each permission is for, where the person chose some. */
const granularScopes = ({ logins }: Scene, personId: string, scopes: ReadonlyArray<string>) => {
  const { accountIds } = logins.consents.of("facebook", personId)
  return scopes
    .filter((scope) => /^(pages|instagram)_/.test(scope))
    .map((scope) => {
      if (accountIds === undefined) return { scope }
      const target_ids = scope.startsWith("instagram_")
        ? [...accountIds].flatMap((id) => Option.toArray(logins.owners.instagramOf(id)).map((one) => one.accountId))
        : [...accountIds]
      return { scope, target_ids }
    })
}

const whyDead = (grant: Grant, at: DateTime.Utc) => {
  if (grant.isRevoked) {
    const message = "Error validating access token: The session was ended."
    return { error: { code: 190, message, subcode: grant.subcode ?? 458 } }
  }
  return isExpired(grant, at)
    ? { error: { code: 190, message: "Error validating access token: Session has expired.", subcode: 463 } }
    : {}
}

const described = (network: Network, scene: Scene, grant: Grant) => {
  const { accountId, expiresAt, issuedAt, isRevoked } = grant
  const { apps, owners } = scene.logins
  const personId = grant.personId ?? owners.ownerOf(network, accountId)?.id ?? accountId
  const isPage = network === "facebook" && accountId !== personId
  const scopes = scene.tokens.scopesOf(grant, knownScopes[network])
  return {
    app_id: grant.clientId ?? apps.of(network).id,
    type: isPage ? "PAGE" : "USER",
    application: "Loopbox",
    is_valid: !isRevoked && !isExpired(grant, scene.at),
    issued_at: seconds(issuedAt),
    // Never is 0.
    expires_at: Option.match(expiresAt, { onNone: () => 0, onSome: seconds }),
    data_access_expires_at: seconds(DateTime.add(issuedAt, { days: dataAccess_days })),
    user_id: personId,
    ...(isPage ? { profile_id: accountId } : {}),
    scopes,
    ...(network === "facebook" ? { granular_scopes: granularScopes(scene, personId, scopes) } : {}),
    ...whyDead(grant, scene.at)
  }
}

/** `GET /debug_token`: what a token is worth. It says nothing of roles on Pages. */
export const debugToken = (network: Network): Operation => ({
  name: "debug_token",
  openAnswer: (scene, ask) => {
    const input = ask.text("input_token")
    if (input === undefined) return invalid("The parameter input_token is required")
    if (!mayInspect(network, scene, ask)) return graphError(400, 190, undefined, "Invalid OAuth access token.")
    const data = Option.match(scene.tokens.find(network, input), {
      onNone: () => ({
        is_valid: false,
        scopes: [],
        error: { code: 190, message: "Invalid OAuth access token." }
      }),
      onSome: (grant) => described(network, scene, grant)
    })
    return { status: 200, body: { data } }
  }
})
