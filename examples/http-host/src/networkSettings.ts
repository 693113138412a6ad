import * as Option from "effect/Option"
import { connectSettings } from "./connectSettings.ts"
import {
  credential,
  oneOf,
  optional,
  type Parse,
  required,
  secret,
  secureAddress,
  text,
  webAddress
} from "./Setting.ts"

const mostSecrets = 10

const secretList: Parse<ReadonlyArray<string>> = (given) => {
  const parts = given.split(",").map((part) => part.trim())
  const isRight =
    parts.length <= mostSecrets && parts.every((part) => part.length >= 8 && Option.isSome(credential(part)))
  return isRight ? Option.some(parts) : Option.none()
}

const visible: Parse<string> = (given) => (/^[\x21-\x7e]{1,512}$/.test(given) ? Option.some(given) : Option.none())

const apiVersion: Parse<string> = (given) =>
  /^v[0-9]{1,3}\.[0-9]{1,2}$/.test(given) ? Option.some(given) : Option.none()

const baseUrl = (name: string, network: string, host: string) =>
  optional(
    {
      name,
      default: `${host}; with sandbox networks the simulator's`,
      allowed: "an http or https URL without a query",
      description: `Where ${network} is asked: everything before the version. Takes the place of all its hosts, the dialog's too.`
    },
    webAddress
  )

const appSecrets = (name: string, what: string, webhook: string) =>
  secret(
    {
      name,
      default: `none: without sandbox networks the webhook of ${webhook} answers 503`,
      allowed: `up to ${mostSecrets} secrets of 8 to 512 visible ASCII characters, without quotes, separated by commas`,
      description: `${what} Any of them may have signed a delivery.`
    },
    secretList
  )

const verify = (name: string, who: string) =>
  secret(
    {
      name,
      default: "none: the handshake answers 503",
      allowed: "1 to 512 visible ASCII characters",
      description: `The token that ${who} gives when it asks whether the webhook is ours.`
    },
    visible
  )

const providerUrl = "an https URL without a query, or an http one of this machine (127.0.0.1, localhost)"

/** How the networks are reached, who may deliver webhooks, and who signs the dashboard's tokens. */
export const networkSettings = {
  instagramBaseUrl: baseUrl("LOOPBOX_INSTAGRAM_BASE_URL", "Instagram", "https://graph.instagram.com"),
  facebookBaseUrl: baseUrl("LOOPBOX_FACEBOOK_BASE_URL", "Facebook", "https://graph.facebook.com"),
  threadsBaseUrl: baseUrl("LOOPBOX_THREADS_BASE_URL", "Threads", "https://graph.threads.net"),
  xBaseUrl: baseUrl("LOOPBOX_X_BASE_URL", "X", "https://api.x.com"),
  metaApiVersion: required(
    {
      name: "LOOPBOX_META_API_VERSION",
      default: "v25.0",
      allowed: "a version like v25.0",
      description: "The version of Meta's Graph API, for Instagram and Facebook."
    },
    apiVersion,
    "v25.0"
  ),
  xVocabulary: required(
    {
      name: "LOOPBOX_X_VOCABULARY",
      default: "auto",
      allowed: "auto, tweet or post",
      description:
        "In which of its names X is asked for fields: those from before it renamed tweets, those of its published API, or whichever it understands. Answers are read in both."
    },
    oneOf("auto", "tweet", "post"),
    "auto"
  ),
  metaAppSecrets: appSecrets(
    "LOOPBOX_META_APP_SECRETS",
    "App secrets of our app at Meta; the first signs what is asked of Facebook, and signs people in by it.",
    "Meta"
  ),
  instagramAppSecrets: appSecrets(
    "LOOPBOX_INSTAGRAM_APP_SECRETS",
    "Secrets of Instagram Login, which has its own beside the Meta app's; the first signs people in.",
    "Meta, without LOOPBOX_META_APP_SECRETS,"
  ),
  threadsAppSecrets: appSecrets(
    "LOOPBOX_THREADS_APP_SECRETS",
    "App secrets of Threads; the first signs people in.",
    "Threads"
  ),
  xAppSecrets: appSecrets("LOOPBOX_X_APP_SECRETS", "Consumer secrets of X; the first answers its challenge.", "X"),
  metaVerifyToken: verify("LOOPBOX_META_VERIFY_TOKEN", "Meta"),
  threadsVerifyToken: verify("LOOPBOX_THREADS_VERIFY_TOKEN", "Threads"),
  xClientId: optional(
    {
      name: "LOOPBOX_X_CLIENT_ID",
      default: "none: X's tokens are not renewed, and a dead one asks to connect the account again",
      allowed: "1 to 512 visible ASCII characters, without quotes",
      description: "Our app at X, as OAuth 2 names it (the Client ID, not the API key)."
    },
    credential
  ),
  xClientSecret: secret(
    {
      name: "LOOPBOX_X_CLIENT_SECRET",
      default: "none: our app is a public client",
      allowed: "1 to 512 visible ASCII characters, without quotes; set together with LOOPBOX_X_CLIENT_ID",
      description: "The secret of our app at X, where that is a confidential client."
    },
    credential
  ),
  ...connectSettings,
  dashboardJwksUrl: optional(
    {
      name: "LOOPBOX_DASHBOARD_JWKS_URL",
      default: "none: a local issuer for `loopbox token create`; with DATABASE_URL no dashboard tokens",
      allowed: providerUrl,
      description: "The keys of the identity provider that signs dashboard tokens."
    },
    secureAddress
  ),
  dashboardIssuer: optional(
    {
      name: "LOOPBOX_DASHBOARD_ISSUER",
      default: "none",
      allowed: "any text; set together with LOOPBOX_DASHBOARD_JWKS_URL",
      description: "What a dashboard token's `iss` must be."
    },
    text
  ),
  dashboardAudience: optional(
    {
      name: "LOOPBOX_DASHBOARD_AUDIENCE",
      default: "none",
      allowed: "any text; set together with LOOPBOX_DASHBOARD_JWKS_URL",
      description: "What a dashboard token's `aud` must hold."
    },
    text
  ),
  dashboardWorkspaceClaim: required(
    {
      name: "LOOPBOX_DASHBOARD_WORKSPACE_CLAIM",
      default: "workspace_id",
      allowed: "any text",
      description: "The claim of a dashboard token that names the workspace."
    },
    text,
    "workspace_id"
  )
}
