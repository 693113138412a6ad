import { SocialConnectors } from "@loopbox/adapters-social"
import { Connectors, connectorTo } from "@loopbox/core/networks/Connectors"
import { allFeatures } from "@loopbox/core/networks/Feature"
import type { NetworkConnect } from "@loopbox/core/networks/NetworkConnect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { HostConfig } from "./hostConfig.ts"
import { findServing } from "./serving.ts"
import { type LoginFacts, loginFacts } from "./networkFacts.ts"
import { socialSettings } from "./socialSettings.ts"

/** What an operator pastes at a network, and what the host still lacks. */
export interface LoginReport {
  readonly network: string
  readonly login: string
  readonly title: string
  readonly place: string
  /** New accounts of the network are connected by it. */
  readonly is_default: boolean
  readonly redirect_url: string
  readonly webhook_url: string
  readonly deauthorize_url: string | null
  readonly data_deletion_url: string | null
  readonly settings: ReadonlyArray<{ readonly name: string; readonly use: string; readonly is_set: boolean }>
  /** Those without which no account can be connected. */
  readonly missing: ReadonlyArray<string>
  /** What people are asked to allow, for all features. */
  readonly scopes: ReadonlyArray<string>
}

const reportOf = (
  { given, instagramLogin }: HostConfig,
  publicUrl: string,
  { hasCallbacks, login, network, place, settings, title, webhook }: LoginFacts,
  { missingSettings, permissionsFor }: NetworkConnect
): LoginReport => {
  const callback = (name: string) => (hasCallbacks ? `${publicUrl}/v1/webhooks/meta/${name}` : null)
  return {
    network,
    login,
    title,
    place,
    is_default: network !== "instagram" || login === instagramLogin,
    redirect_url: `${publicUrl}/connect/callback/${network}`,
    webhook_url: `${publicUrl}/v1/webhooks/${webhook}`,
    deauthorize_url: callback("deauthorize"),
    data_deletion_url: callback("data-deletion"),
    settings: settings.map(({ setting, use }) => ({ name: setting.name, use, is_set: given.has(setting.name) })),
    missing: missingSettings,
    scopes: permissionsFor(allFeatures)
  }
}

/** Where the host is reached, as far as it was told: by its public address, else where one on the data folder listens. */
export const publicUrlOf = Effect.fnUntraced(function* (config: HostConfig) {
  if (Option.isSome(config.publicUrl)) return config.publicUrl.value
  const port = Option.getOrElse(config.port, () => 8080)
  return Option.match(yield* findServing(config.dataFolder), {
    onNone: () => `http://${config.host}:${port}`,
    onSome: ({ url }) => url
  })
})

/** Every login with what belongs at its network, as the connectors themselves say it. Nothing is asked of a network. */
export const networkReport = Effect.fnUntraced(
  function* (config: HostConfig) {
    const connectors = yield* Connectors
    const publicUrl = yield* publicUrlOf(config)
    return loginFacts.flatMap((facts) => {
      const connect = connectorTo(connectors, facts.network).connect?.find(({ login }) => login === facts.login)
      return connect === undefined ? [] : [reportOf(config, publicUrl, facts, connect)]
    })
  },
  (effect, config) =>
    Effect.provide(
      effect,
      Layer.provide(SocialConnectors.layer(socialSettings(config, Option.none())), FetchHttpClient.layer)
    )
)
