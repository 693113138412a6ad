import * as Context from "effect/Context"
import type * as Option from "effect/Option"
import type { Redact } from "../kernel/Redact.ts"
import type { Normalise, SocialConnector } from "./SocialConnector.ts"
import type { NetworkTable } from "./Networks.ts"
import { noConnector } from "./noConnector.ts"
import type { Network, Source, WebhookEndpoint } from "./Source.ts"

/** Port: the networks that this process can call. */
export class Connectors extends Context.Service<
  Connectors,
  {
    /** How the body of a delivery is parsed, by endpoint. Meta's distinguishes Instagram and Facebook by the body. */
    readonly normalise: Readonly<Record<WebhookEndpoint, Normalise>>
    /**
     * How the data of an erased account is removed from stored bodies (design §8). `none` in a process that can't parse
     * bodies: it leaves them to a process that can.
     */
    readonly redact: Option.Option<Redact>
    readonly byNetwork: Readonly<Record<Network, SocialConnector>>
  }
>()("@loopbox/core/networks/Connectors") {}

const nobodyReads: Normalise = () => ({
  activities: [],
  ignored: new Map(),
  unreadable: [{ path: "", reason: "no connector of this process reads this endpoint" }]
})

/** The parser of an endpoint. Workers claim no delivery of an endpoint that they have no parser for. */
export const normaliserOf = ({ normalise }: Connectors["Service"], endpoint: WebhookEndpoint): Normalise =>
  normalise[endpoint] ?? nobodyReads

/** The connector of a network, or one that makes no calls. */
export const connectorTo = (connectors: Connectors["Service"], network: Network): SocialConnector =>
  connectors.byNetwork[network] ?? noConnector(network)

/** The connector that serves a source. */
export const connectorOf = (
  networks: NetworkTable,
  connectors: Connectors["Service"],
  source: Source
): SocialConnector => connectorTo(connectors, networks.traitsOf(source).network)
