/** What tests of connecting share: our apps, a person who comes back, and short words for what came of it. */
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { ConnectFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { ConnectCandidate, NetworkConnect } from "@loopbox/core/networks/NetworkConnect"
import type { Network } from "../../src/names.ts"
import { connectorTo } from "@loopbox/core/networks/Connectors"
import { Effect, Option, Redacted } from "effect"
import type { SocialSettings } from "../../src/calls/SocialSettings.ts"
import { type Answer, type Behaviour, connected, type Received } from "../loopback.ts"

export const code = "the-code-that-came-back"
export const verifier = "a-verifier-of-forty-three-characters-or-more"

/** Values that no error and no span may have. */
export const secrets = {
  instagram: "secret-of-instagrams-app",
  meta: "secret-of-metas-app",
  threads: "secret-of-threads-app",
  x: "secret-of-the-client",
  bearer: "bearer-of-the-app",
  short: "a-token-for-an-hour",
  long: "a-token-for-sixty-days"
}

export const apps: SocialSettings = {
  metaAppId: "11",
  metaAppSecrets: [Redacted.make(secrets.meta)],
  instagramAppId: "22",
  instagramAppSecrets: [Redacted.make(secrets.instagram)],
  threadsAppId: "33",
  threadsAppSecrets: [Redacted.make(secrets.threads)],
  xClient: { id: "client", secret: Redacted.make(secrets.x) }
}

export const redirectUri = "https://loopbox.example/connect/callback/there"

/** A login of a network that behaves so. */
export const loginOf = Effect.fnUntraced(function* (
  network: Network,
  behave: Behaviour,
  settings: SocialSettings = {},
  login: string = network
) {
  const { connectors, received, url } = yield* connected(behave, { ...apps, ...settings })
  const found = (connectorTo(connectors, network).connect ?? []).find((one) => one.login === login)
  if (found === undefined) return yield* Effect.die(new Error(`${network} has no login ${login}`))
  return { connect: found, received, url }
})

export const exchange = (connect: NetworkConnect, given: string = code) =>
  connect.exchange({
    code: Redacted.make(given),
    redirectUri,
    verifier: Redacted.make(verifier),
    features: ["inbox", "publish", "moderate"]
  })

export const dialog = (connect: NetworkConnect, more: { readonly isReconnect?: boolean } = {}) =>
  Effect.map(
    connect.authorizeUrl({
      redirectUri,
      state: Redacted.make("the-state"),
      verifier: Redacted.make(verifier),
      features: ["inbox"],
      isReconnect: more.isReconnect ?? false
    }),
    (url) => new URL(Redacted.value(url))
  )

/** Answers by the end of the path; what is not here is 404 without a word of the network. */
export const answering =
  (answers: Readonly<Record<string, Answer | ((request: Received) => Answer)>>): Behaviour =>
  (request) => {
    const path = decodeURIComponent(request.path).replace(/^\/(ig|fb|th|x)\/((v[\d.]+|2)\/)?/, "")
    const answer = answers[path] ?? { status: 404, body: { error: { code: 2500, message: `unknown path ${path}` } } }
    return typeof answer === "function" ? answer(request) : answer
  }

export const form = ({ body }: Received) => Object.fromEntries(new URLSearchParams(body))

/** A candidate in plain words; tokens are shown, since tests made them up. */
export const shown = (candidate: ConnectCandidate) => ({
  id: candidate.networkAccountId,
  other: Option.getOrNull(candidate.otherAccountId),
  through: Option.getOrNull(candidate.throughAccountId),
  name: candidate.name,
  username: Option.getOrNull(candidate.username),
  avatar: Option.getOrNull(candidate.avatarUrl),
  people: candidate.personIds,
  permissions: candidate.permissions,
  token: Option.getOrNull(Option.map(candidate.token, ({ accessToken }) => Redacted.value(accessToken))),
  hindrance: Option.getOrNull(candidate.hindrance)
})

/** Why an exchange failed. */
export const why = ({ networkCode, reason }: ConnectFailed) => [reason, Option.getOrNull(networkCode)]

export const accountOf = (networkAccountId: string, more: Partial<AccountAccess> = {}): AccountAccess => ({
  networkAccountId,
  otherAccountId: Option.none(),
  login: Option.none(),
  throughAccountId: Option.none(),
  username: Option.some("ours"),
  accessToken: Redacted.make(secrets.long),
  ...more
})
