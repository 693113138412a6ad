import type { SocialSettings } from "@loopbox/adapters-social"
import * as Option from "effect/Option"
import type { HostConfig } from "./hostConfig.ts"
import type { RunningSandbox } from "./sandbox.ts"

/** What signs the reads of Facebook: our own secret, which no stranger's server gets. */
const proofSecrets = ({ appSecrets, baseUrls }: HostConfig, sandbox: Option.Option<RunningSandbox>) => {
  if (appSecrets.meta.length > 0 || baseUrls.facebook !== undefined) return appSecrets.meta
  return Option.toArray(sandbox).map(({ metaAppSecret }) => metaAppSecret)
}

/** How the networks are reached, and by which apps of ours; with the sandbox's where nothing is configured. */
export const socialSettings = (config: HostConfig, sandbox: Option.Option<RunningSandbox>): SocialSettings => ({
  baseUrls: Option.match(sandbox, { onNone: () => config.baseUrls, onSome: ({ baseUrls }) => baseUrls }),
  authorizeUrls: config.authorizeUrls,
  metaApiVersion: config.metaApiVersion,
  metaAppId: Option.getOrUndefined(config.appIds.meta),
  metaAppSecrets: proofSecrets(config, sandbox),
  instagramAppId: Option.getOrUndefined(config.appIds.instagram),
  instagramAppSecrets: config.appSecrets.instagram,
  instagramLogin: config.instagramLogin,
  threadsAppId: Option.getOrUndefined(config.appIds.threads),
  threadsAppSecrets: config.appSecrets.threads,
  connectScopes: config.connectScopes,
  xClient: Option.getOrUndefined(
    Option.map(config.xClient, ({ id, secret }) => ({ id, secret: Option.getOrUndefined(secret) }))
  ),
  xBearerToken: Option.getOrUndefined(config.xBearerToken),
  // Only a public address is one that X can deliver to.
  xWebhookUrl: Option.getOrUndefined(Option.map(config.publicUrl, (url) => `${url}/v1/webhooks/x`)),
  xVocabulary: config.xVocabulary
})
