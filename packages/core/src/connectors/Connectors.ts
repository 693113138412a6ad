import * as Context from "effect/Context"
import type { Normalise, SocialConnector } from "./SocialConnector.ts"
import { networkOf } from "./Source.ts"
import type { Network, Source, WebhookEndpoint } from "./Source.ts"

/** Port: the networks that this process can talk to. */
export class Connectors extends Context.Service<
  Connectors,
  {
    /** How a body that came to this endpoint is read; Meta's tells Instagram from Facebook by itself. */
    readonly normalise: Record<WebhookEndpoint, Normalise>
    readonly byNetwork: Record<Network, SocialConnector>
  }
>()("@loopbox/core/connectors/Connectors") {}

/** The connector that serves a source. */
export const connectorOf = (connectors: Connectors["Service"], source: Source): SocialConnector =>
  connectors.byNetwork[networkOf(source)]
