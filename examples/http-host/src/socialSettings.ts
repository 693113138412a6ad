import type { SandboxApp, SocialSettings } from "@loopbox/adapters-social"
import { type Network, networks } from "@loopbox/adapters-social/names"
import * as Option from "effect/Option"
import type { HostConfig } from "./hostConfig.ts"
import type { RunningSandbox } from "./sandbox.ts"

/** What one's own app is there: that of the simulator too, but for a network whose place a stranger's server has. */
const simulatedApps =
  ({ baseUrls }: HostConfig, sandbox: Option.Option<RunningSandbox>) =>
  (network: Network): SandboxApp | undefined =>
    baseUrls[network] === undefined ? Option.getOrUndefined(sandbox)?.apps[network] : undefined

/** Where X delivers to: only to a public address; the simulator reaches this machine's, too. */
const xWebhookUrl = ({ host, port, publicUrl }: HostConfig, isSimulated: boolean): string | undefined => {
  const isEverywhere = host === "0.0.0.0" || host === "::"
  const local = Option.map(
    Option.filter(port, (one) => one !== 0 && isSimulated),
    (one) => `http://${isEverywhere ? "127.0.0.1" : host}:${one}`
  )
  const url = Option.orElse(publicUrl, () => local)
  return Option.getOrUndefined(Option.map(url, (one) => `${one}/v1/webhooks/x`))
}

/** Of networks whose place no stranger's server has. */
const dialogUrls = (
  { baseUrls }: HostConfig,
  sandbox: Option.Option<RunningSandbox>
): SocialSettings["authorizeUrls"] =>
  Option.match(sandbox, {
    onNone: () => ({}),
    onSome: ({ dialogUrls }) =>
      Object.fromEntries(
        networks.flatMap((network) => {
          const url = dialogUrls[network]
          return url === undefined || baseUrls[network] !== undefined ? [] : [[network, url]]
        })
      )
  })

/** How the networks are reached, and by which apps of ours. */
export const socialSettings = (config: HostConfig, sandbox: Option.Option<RunningSandbox>): SocialSettings => {
  const simulated = simulatedApps(config, sandbox)
  const idOf = (configured: Option.Option<string>, network: Network) =>
    Option.getOrElse(configured, () => simulated(network)?.id)
  const secretsOf = (configured: HostConfig["appSecrets"]["meta"], network: Network) => {
    const secret = simulated(network)?.secret
    return configured.length > 0 || secret === undefined ? configured : [secret]
  }
  const x = Option.getOrUndefined(config.xClient)
  return {
    baseUrls: Option.match(sandbox, { onNone: () => config.baseUrls, onSome: ({ baseUrls }) => baseUrls }),
    authorizeUrls: { ...dialogUrls(config, sandbox), ...config.authorizeUrls },
    metaApiVersion: config.metaApiVersion,
    metaAppId: idOf(config.appIds.meta, "facebook"),
    metaAppSecrets: secretsOf(config.appSecrets.meta, "facebook"),
    instagramAppId: idOf(config.appIds.instagram, "instagram"),
    instagramAppSecrets: secretsOf(config.appSecrets.instagram, "instagram"),
    instagramLogin: config.instagramLogin,
    threadsAppId: idOf(config.appIds.threads, "threads"),
    threadsAppSecrets: secretsOf(config.appSecrets.threads, "threads"),
    connectScopes: config.connectScopes,
    xClient: x === undefined ? simulated("x") : { id: x.id, secret: Option.getOrUndefined(x.secret) },
    xBearerToken: Option.getOrElse(config.xBearerToken, () => simulated("x")?.bearer),
    xWebhookUrl: xWebhookUrl(config, simulated("x") !== undefined),
    xVocabulary: config.xVocabulary
  }
}
