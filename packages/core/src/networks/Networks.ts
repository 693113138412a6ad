import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type { NetworkDescriptor, SourceTraits } from "./Network.ts"
import type { Network, Source, WebhookEndpoint } from "./Source.ts"

/** Default traits of an unknown source, which a row of a newer version may have: the fewest assumptions. */
const undescribed = (source: Source): KnownSource => ({
  network: source,
  source,
  kind: "post",
  pollStep: "replies",
  listedBy: Option.none(),
  isBilled: false,
  carriesVersions: false,
  needsKey: false,
  preparesReply: false,
  rootIsThreadKey: false,
  replyPermissions: [],
  replyMedia: Option.none(),
  humanAgent: Option.none(),
  actions: [],
  comparable: (text) => text
})

/** A source with its network; the network of an unknown source is the source itself. */
export interface KnownSource extends SourceTraits {
  readonly network: Network
}

/** The networks of a process, by name. Pure data. */
export interface NetworkTable {
  readonly networks: ReadonlyArray<Network>
  readonly sources: ReadonlyArray<Source>
  readonly describe: (network: Network) => Option.Option<NetworkDescriptor>
  readonly traitsOf: (source: Source) => KnownSource
  /** Empty for an unknown network. */
  readonly sourcesOf: (network: Network) => ReadonlyArray<Source>
  readonly networkOf: (source: Source) => Option.Option<Network>
  readonly endpointOf: (network: Network) => Option.Option<WebhookEndpoint>
}

/** To add a network, add its descriptor to this list and its connector to `Connectors`. */
export const networkTable = (descriptors: ReadonlyArray<NetworkDescriptor>): NetworkTable => {
  const byName = new Map(descriptors.map((one) => [one.network, one]))
  const bySource = new Map(
    descriptors.flatMap(({ network, sources }) =>
      sources.map((traits) => [traits.source, { ...traits, network }] as const)
    )
  )
  const describe = (network: Network) => Option.fromUndefinedOr(byName.get(network))
  return {
    networks: Array.from(byName.keys()),
    sources: Array.from(bySource.keys()),
    describe,
    traitsOf: (source) => bySource.get(source) ?? undescribed(source),
    sourcesOf: (network) => byName.get(network)?.sources.map(({ source }) => source) ?? [],
    networkOf: (source) => Option.map(Option.fromUndefinedOr(bySource.get(source)), (found) => found.network),
    endpointOf: (network) => Option.flatMap(describe(network), ({ webhookEndpoint }) => webhookEndpoint)
  }
}

/**
 * The networks of this process. `socialNetworks` of `@loopbox/adapters-social` has the built-in ones; a host may add
 * others. Default: none.
 */
export const Networks = Context.Reference<NetworkTable>("@loopbox/core/networks/Networks", {
  defaultValue: () => networkTable([])
})
