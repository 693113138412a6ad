import type { Network } from "@loopbox/adapters-social/names"
import { networkSettings } from "./networkSettings.ts"
import type { SettingFacts } from "./Setting.ts"
import { settings } from "./settings.ts"

/** What a setting is needed for. */
type Use = "connecting" | "webhooks"

/** One way in which people connect accounts, as an operator sets it up at the network. */
export interface LoginFacts {
  readonly network: Network
  /** As connectors name it. */
  readonly login: string
  readonly title: string
  /** Where the app is made, and where in its dashboard the addresses belong. */
  readonly place: string
  readonly settings: ReadonlyArray<{ readonly setting: SettingFacts; readonly use: Use }>
  /** Under `/v1/webhooks/`. */
  readonly webhook: string
  /** Meta tells of people who leave, or who want their data deleted. */
  readonly hasCallbacks: boolean
}

const connecting = (...list: ReadonlyArray<SettingFacts>) =>
  list.map((setting) => ({ setting, use: "connecting" as const }))
const webhooks = (...list: ReadonlyArray<SettingFacts>) =>
  list.map((setting) => ({ setting, use: "webhooks" as const }))

const metaApp = [
  ...connecting(networkSettings.metaAppId, networkSettings.metaAppSecrets),
  ...webhooks(networkSettings.metaVerifyToken)
]

/** All of them, in the order in which they are shown. */
export const loginFacts: ReadonlyArray<LoginFacts> = [
  {
    network: "instagram",
    login: "instagram",
    title: "Instagram, by Instagram's login",
    place: "developers.facebook.com > the app > Instagram > API setup with Instagram login",
    settings: [
      ...connecting(networkSettings.instagramAppId, networkSettings.instagramAppSecrets),
      ...webhooks(networkSettings.metaVerifyToken)
    ],
    webhook: "meta",
    hasCallbacks: true
  },
  {
    network: "instagram",
    login: "facebook",
    title: "Instagram, by Facebook's login",
    place: "developers.facebook.com > the app > Facebook Login for Business > Settings",
    settings: metaApp,
    webhook: "meta",
    hasCallbacks: true
  },
  {
    network: "facebook",
    login: "facebook",
    title: "Facebook Pages",
    place: "developers.facebook.com > the app > Facebook Login for Business > Settings",
    settings: metaApp,
    webhook: "meta",
    hasCallbacks: true
  },
  {
    network: "threads",
    login: "threads",
    title: "Threads",
    place: "developers.facebook.com > the app > Use cases > Access the Threads API > Settings",
    settings: [
      ...connecting(networkSettings.threadsAppId, networkSettings.threadsAppSecrets),
      ...webhooks(networkSettings.threadsVerifyToken)
    ],
    webhook: "threads",
    hasCallbacks: true
  },
  {
    network: "x",
    login: "x",
    title: "X",
    place: "developer.x.com > Projects & Apps > the app > User authentication settings",
    settings: [
      ...connecting(networkSettings.xClientId),
      ...webhooks(networkSettings.xAppSecrets, networkSettings.xBearerToken, settings.publicUrl)
    ],
    webhook: "x",
    hasCallbacks: false
  }
]
