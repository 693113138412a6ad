import type { Operation, SandboxAnswer, Scene } from "../Operation.ts"
import type { Allowed } from "./Codes.ts"

type Network = "instagram" | "threads"

const short_s = 3_600

/** The form of these endpoints alone; everything else answers as a graph does. */
const refused = (error_message: string): SandboxAnswer => ({
  status: 400,
  body: { error_type: "OAuthException", code: 400, error_message }
})

const notFound = refused("Matching code was not found or was already used")

/** Makes the account known to people, now that the app knows it. */
const meet = ({ at, logins, subscriptions, world }: Scene, { accountId, network }: Allowed): void => {
  const account = logins.owners.findAccount(network, accountId)
  if (account !== undefined) world.connect(logins.owners.profile(network, account), at)
  // Threads has no call for it: its dashboard has subscribed the app to whoever allows it.
  if (network === "threads") subscriptions.set({ network, accountId }, true)
}

const answerTo = (scene: Scene, allowed: Allowed, access_token: string): SandboxAnswer => {
  const { code_answer, permissions, user_ids } = scene.settings
  const { accountId: user_id, network, scopes } = allowed
  const body = {
    access_token,
    user_id,
    ...(network === "instagram" ? { permissions: permissions === "list" ? scopes : scopes.join(",") } : {})
  }
  const json = JSON.stringify(network === "instagram" && code_answer === "data" ? { data: [body] } : body)
  // Digits as they are: no number of this language holds them.
  const written = user_ids === "number" ? json.replace(`"user_id":"${user_id}"`, `"user_id":${user_id}`) : json
  return { status: 200, body: written }
}

/** `POST /oauth/access_token`: a short token for a code. */
export const exchangeCode = (network: Network): Operation => ({
  name: "code",
  openAnswer: (scene, ask) => {
    const { apps, codes } = scene.logins
    const app = apps.of(network)
    if (ask.text("client_id") !== app.id) return refused("Invalid platform app")
    if (!apps.isSecret(network, ask.input("client_secret"))) return refused("Error validating client secret.")
    if (ask.text("grant_type") !== "authorization_code") return refused("Invalid grant_type")
    const allowed = codes.take(network, app.id, ask.text("code"), scene.at)
    if (typeof allowed === "string") return notFound
    if (ask.text("redirect_uri") !== allowed.redirectUri) return refused("Invalid redirect_uri")
    meet(scene, allowed)
    const { accountId, clientId, personId, scopes } = allowed
    const { token } = scene.tokens.issue({ network, accountId, clientId, personId, scopes }, short_s, scene.at, true)
    return answerTo(scene, allowed, token)
  }
})
