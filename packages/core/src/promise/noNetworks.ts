import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Unavailable } from "../connectors/ConnectorErrors.ts"
import { Connectors } from "../connectors/Connectors.ts"
import type { NormalisedDelivery } from "../connectors/InboundActivity.ts"
import type { SocialConnector } from "../connectors/SocialConnector.ts"
import type { Network } from "../connectors/Source.ts"

const connector = (network: Network): SocialConnector => {
  const nobody = new Unavailable({
    network,
    networkCode: Option.none(),
    detail: "no layer gives Connectors",
    reason: "source"
  })
  return {
    network,
    pollSteps: [],
    listFeeds: () => Effect.succeed([]),
    readFeed: () => Effect.fail(nobody),
    isThere: () => Effect.fail(nobody),
    findMediaContext: () => Effect.fail(nobody),
    findPerson: () => Effect.succeedNone,
    findThreadKey: (_access, { parentExternalId }) => Effect.succeed(parentExternalId),
    measure: (_source, text) => ({ length: Array.from(text).length, limit: Number.MAX_SAFE_INTEGER }),
    prepareReply: () => Effect.fail(nobody),
    sendReply: () => Effect.fail(nobody),
    findReply: () => Effect.fail(nobody),
    refreshToken: () => Effect.succeedNone
  }
}

const unreadable = (): NormalisedDelivery => ({
  activities: [],
  ignored: new Map(),
  unreadable: [{ path: "", reason: "no layer gives Connectors, so nothing can read this delivery" }]
})

/** Stands in where no layer gives `Connectors`: what is ingested is taken as it is, and nobody is asked. */
export const noNetworks: Connectors["Service"] = Connectors.of({
  normalise: { meta: unreadable, threads: unreadable, x: unreadable },
  byNetwork: {
    instagram: connector("instagram"),
    facebook: connector("facebook"),
    threads: connector("threads"),
    x: connector("x")
  }
})
