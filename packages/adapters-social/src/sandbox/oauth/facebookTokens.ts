import { exchangeToken } from "../graph/graphTokens.ts"
import { graphError, invalid } from "../graph/graphAnswers.ts"
import type { Ask, Operation, SandboxAnswer, Scene } from "../Operation.ts"
import { appToken } from "./appTokens.ts"

const short_s = 5_400

const refusals: Record<"unknown" | "used" | "expired", SandboxAnswer> = {
  unknown: graphError(400, 100, undefined, "Invalid verification code format."),
  used: graphError(400, 100, 36_009, "This authorization code has been used."),
  expired: graphError(400, 100, 36_007, "This authorization code has expired.")
}

const wrongAddress = graphError(
  400,
  100,
  36_008,
  "Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request"
)

/** A short token of the person for a code. */
const personToken = (scene: Scene, ask: Ask): SandboxAnswer => {
  const { apps, codes } = scene.logins
  const { id } = apps.of("facebook")
  if (ask.text("client_id") !== id) {
    return graphError(
      400,
      101,
      undefined,
      "Error validating application. Cannot get application info due to a system error."
    )
  }
  if (!apps.isSecret("facebook", ask.input("client_secret"))) {
    return graphError(400, 1, undefined, "Error validating client secret.")
  }
  const allowed = codes.take("facebook", id, ask.text("code"), scene.at)
  if (typeof allowed === "string") return refusals[allowed]
  if (ask.text("redirect_uri") !== allowed.redirectUri) return wrongAddress
  const { accountId, clientId, network, personId, scopes } = allowed
  const { token } = scene.tokens.issue({ network, accountId, clientId, personId, scopes }, short_s, scene.at, true)
  return { status: 200, body: { access_token: token, token_type: "bearer", expires_in: short_s } }
}

const exchange = exchangeToken("facebook", "fb_exchange_token", "fb_exchange_token")

const code: Operation = { name: "code", openAnswer: personToken }

const app: Operation = { name: "app_token", openAnswer: (scene, ask) => appToken("facebook", scene, ask) }

const nothing: Operation = { name: "code", openAnswer: () => invalid("Missing authorization code") }

export const facebookTokens: ReadonlyArray<Operation> = [code, exchange, app]

/** `/oauth/access_token`: for a code, for a short token, or for the app. */
export const pickFacebookToken = (_scene: Scene, ask: Ask): Operation => {
  const grantType = ask.text("grant_type")
  if (grantType === "client_credentials") return app
  if (grantType === "fb_exchange_token" || (grantType !== undefined && ask.text("code") === undefined)) return exchange
  return ask.text("code") === undefined ? nothing : code
}
