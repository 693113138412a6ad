import * as Schema from "effect/Schema"

/** The networks that this package brings. */
export const networks = ["instagram", "facebook", "threads", "x"] as const
export const Network = Schema.Literals(networks)
export type Network = typeof Network.Type

/** What an inbox item can be (§3.1), in the order of their networks. */
export const sources = ["ig_comment", "ig_dm", "fb_comment", "fb_dm", "threads_reply", "x_reply"] as const
export const Source = Schema.Literals(sources)
export type Source = typeof Source.Type

/** Where networks deliver to: `/v1/webhooks/<endpoint>`. Instagram and Facebook share one. */
export const webhookEndpoints = ["meta", "threads", "x"] as const
export const WebhookEndpoint = Schema.Literals(webhookEndpoints)
export type WebhookEndpoint = typeof WebhookEndpoint.Type

const sourcesByNetwork: Record<Network, ReadonlyArray<Source>> = {
  instagram: ["ig_comment", "ig_dm"],
  facebook: ["fb_comment", "fb_dm"],
  threads: ["threads_reply"],
  x: ["x_reply"]
}

const endpointByNetwork: Record<Network, WebhookEndpoint> = {
  instagram: "meta",
  facebook: "meta",
  threads: "threads",
  x: "x"
}

/** Whether it is an endpoint of these networks: the names of core are open. */
export const isEndpoint = Schema.is(WebhookEndpoint)

export const isNetwork = Schema.is(Network)

export const sourcesOf = (network: Network): ReadonlyArray<Source> => sourcesByNetwork[network]

export const endpointOf = (network: Network): WebhookEndpoint => endpointByNetwork[network]
