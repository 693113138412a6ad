import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Redact } from "../kernel/Redact.ts"
import type { Normalise, SocialConnector } from "./SocialConnector.ts"
import { networkOf } from "./Source.ts"
import type { Network, Source, WebhookEndpoint } from "./Source.ts"

/** Port: the networks that this process can talk to. */
export class Connectors extends Context.Service<
  Connectors,
  {
    /** How a body that came to this endpoint is read; Meta's tells Instagram from Facebook by itself. */
    readonly normalise: Record<WebhookEndpoint, Normalise>
    /** How the data of an account that is erased leaves the bodies that are kept (design §8). */
    readonly redact: Redact
    readonly byNetwork: Record<Network, SocialConnector>
  }
>()("@loopbox/core/connectors/Connectors") {}

/** How deliveries are redacted here: by the networks of this process; where it has none, they go as a whole. */
export const redactHere: Effect.Effect<Redact> = Effect.map(
  Effect.serviceOption(Connectors),
  Option.match({ onNone: (): Redact => () => Option.none(), onSome: ({ redact }) => redact })
)

/** The connector that serves a source. */
export const connectorOf = (connectors: Connectors["Service"], source: Source): SocialConnector =>
  connectors.byNetwork[networkOf(source)]
