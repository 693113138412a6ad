import { createHmac } from "node:crypto"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Ask, SandboxAnswer, Scene } from "../Operation.ts"
import { isExpired } from "../Tokens.ts"
import type { Grant } from "../Tokens.ts"
import { graphError, invalid } from "./graphAnswers.ts"

/** What `appsecret_proof` has to be: it ties the token to the app. */
const proofOf = (token: string, appSecret: Redacted.Redacted<string>): string =>
  createHmac("sha256", Redacted.value(appSecret)).update(token, "utf8").digest("hex")

const revokedByUser = "The user has not authorized application."

/** What Meta says of a token that ended before its time. */
const revoked: ReadonlyMap<number, string> = new Map([
  [458, revokedByUser],
  [460, "The session has been invalidated because the user changed their password."],
  [463, "Session has expired."]
])

/** What a Page's token gets when its person has no role on the Page any more; it is as valid as before. */
const lostRole = (
  { owners }: Scene["logins"],
  method: Ask["method"],
  { accountId, network }: Grant
): SandboxAnswer | undefined => {
  if (network !== "facebook" || owners.hasRole(accountId)) return undefined
  return method === "GET"
    ? graphError(403, 10, undefined, "(#10) This endpoint requires the 'pages_read_engagement' permission.")
    : graphError(403, 200, undefined, "(#200) The user must be an administrator, editor, or moderator of the page.")
}

/** Why Meta or Threads does not do what a token asks for; undefined when it does. */
export const graphRefusal = (
  { at, logins, metaAppSecret, tokens }: Scene,
  { method, text }: Ask,
  grant: Option.Option<Grant>,
  scope: string | undefined
): SandboxAnswer | undefined => {
  if (Option.isNone(grant)) return graphError(400, 190, 467, "Invalid OAuth access token.")
  if (grant.value.isRevoked) {
    const { subcode = 458 } = grant.value
    return graphError(400, 190, subcode, `Error validating access token: ${revoked.get(subcode) ?? revokedByUser}`)
  }
  if (isExpired(grant.value, at))
    return graphError(400, 190, 463, "Error validating access token: Session has expired.")
  const proof = text("appsecret_proof")
  if (proof !== undefined && proof !== proofOf(grant.value.token, metaAppSecret)) {
    return invalid("Invalid appsecret_proof provided in the API argument")
  }
  const lost = lostRole(logins, method, grant.value)
  if (lost !== undefined) return lost
  if (scope === undefined || tokens.permits(grant.value, scope)) return undefined
  return graphError(403, 10, undefined, `(#10) This endpoint requires the '${scope}' permission or to be reviewed.`)
}
