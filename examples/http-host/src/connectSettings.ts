import * as Option from "effect/Option"
import { credential, oneOf, optional, type Parse, required, secret, secureAddress } from "./Setting.ts"

/** Meta's ids of apps are numbers; what was copied with quotes, or from an empty variable, is none. */
const appId: Parse<string> = (given) => (/^[0-9]{5,25}$/.test(given) ? Option.some(given) : Option.none())

const appIdSetting = (name: string, description: string, secrets: string) =>
  optional(
    {
      name,
      default: "none: no account can be connected by it",
      allowed: "the digits of an app id, without quotes",
      description: `${description} With ${secrets} people can connect their accounts.`
    },
    appId
  )

const authorizeUrl = (name: string, network: string, dialog: string) =>
  optional(
    {
      name,
      default: `${dialog}; with a base URL that network's own`,
      allowed: "an https URL without a query, or an http one of this machine (127.0.0.1, localhost)",
      description: `${network}'s dialog, in which people allow what we ask for: the whole address.`
    },
    secureAddress
  )

const mostScopes = 50

const scopeList: Parse<ReadonlyArray<string>> = (given) => {
  const scopes = given.split(/[\s,]+/).filter((scope) => scope !== "")
  const isRight = scopes.length <= mostScopes && scopes.every((scope) => /^[A-Za-z][A-Za-z0-9_.:]{1,99}$/.test(scope))
  return isRight && scopes.length > 0 ? Option.some([...new Set(scopes)]) : Option.none()
}

const scopesSetting = (name: string, network: string) =>
  optional(
    {
      name,
      default: "what the features need; `loopbox config --networks` shows them",
      allowed: `up to ${mostScopes} permissions by the network's names, separated by commas or spaces`,
      description: `What people are asked to allow at ${network}, in place of what the features need.`
    },
    scopeList
  )

/** Our apps at the networks, by which people connect their accounts. */
export const connectSettings = {
  metaAppId: appIdSetting(
    "LOOPBOX_META_APP_ID",
    "Our app at Meta, for Facebook Pages and for Instagram by Facebook's login.",
    "LOOPBOX_META_APP_SECRETS"
  ),
  instagramAppId: appIdSetting(
    "LOOPBOX_INSTAGRAM_APP_ID",
    "The id of Instagram Login, which is another one than the Meta app's.",
    "LOOPBOX_INSTAGRAM_APP_SECRETS"
  ),
  threadsAppId: appIdSetting(
    "LOOPBOX_THREADS_APP_ID",
    "The id of our app for Threads, which is another one than the Meta app's.",
    "LOOPBOX_THREADS_APP_SECRETS"
  ),
  instagramLogin: required(
    {
      name: "LOOPBOX_INSTAGRAM_LOGIN",
      default: "instagram",
      allowed: "instagram or facebook",
      description:
        "By which login people connect Instagram accounts from now on: Instagram's own, or Facebook's by their Page. Each account keeps the one that it was connected by."
    },
    oneOf("instagram", "facebook"),
    "instagram"
  ),
  instagramAuthorizeUrl: authorizeUrl(
    "LOOPBOX_INSTAGRAM_AUTHORIZE_URL",
    "Instagram",
    "https://www.instagram.com/oauth/authorize"
  ),
  facebookAuthorizeUrl: authorizeUrl(
    "LOOPBOX_FACEBOOK_AUTHORIZE_URL",
    "Facebook",
    "https://www.facebook.com/<version>/dialog/oauth"
  ),
  threadsAuthorizeUrl: authorizeUrl("LOOPBOX_THREADS_AUTHORIZE_URL", "Threads", "https://threads.com/oauth/authorize"),
  xAuthorizeUrl: authorizeUrl("LOOPBOX_X_AUTHORIZE_URL", "X", "https://x.com/i/oauth2/authorize"),
  instagramScopes: scopesSetting("LOOPBOX_CONNECT_SCOPES_INSTAGRAM", "Instagram"),
  facebookScopes: scopesSetting("LOOPBOX_CONNECT_SCOPES_FACEBOOK", "Facebook"),
  threadsScopes: scopesSetting("LOOPBOX_CONNECT_SCOPES_THREADS", "Threads"),
  xScopes: scopesSetting("LOOPBOX_CONNECT_SCOPES_X", "X"),
  xBearerToken: secret(
    {
      name: "LOOPBOX_X_BEARER_TOKEN",
      default: "none: X sends no webhooks, its accounts are polled only",
      allowed: "1 to 512 visible ASCII characters, without quotes",
      description: "The bearer token of our app at X; with it X's webhook and subscriptions are registered."
    },
    credential
  )
}
