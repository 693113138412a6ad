import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Connectors } from "../connectors/Connectors.ts"
import type { NormalisedDelivery } from "../connectors/InboundActivity.ts"
import type { SocialConnector } from "../connectors/SocialConnector.ts"
import type { Network } from "../connectors/Source.ts"

const connector = (network: Network): SocialConnector => ({
  network,
  findPerson: () => Effect.succeed(Option.none()),
  findThreadKey: (_access, { parentExternalId }) => Effect.succeed(parentExternalId)
})

const unreadable = (): NormalisedDelivery => ({
  activities: [],
  ignored: new Map(),
  unreadable: [{ path: "", reason: "no layer gives Connectors, so nothing can read this delivery" }]
})

/** Stands in where no layer gives `Connectors`: what is ingested is taken as it is, and nobody is asked. */
export const noNetworks: Connectors["Service"] = Connectors.of({
  normalise: { meta: unreadable, threads: unreadable, x: unreadable },
  redact: () => Option.none(),
  byNetwork: {
    instagram: connector("instagram"),
    facebook: connector("facebook"),
    threads: connector("threads"),
    x: connector("x")
  }
})
