import { Connectors } from "@loopbox/core/connectors/Connectors"
import type { Network } from "@loopbox/core/connectors/Source"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { HttpClient } from "effect/http/HttpClient"
import { makeFacebookConnector } from "./facebook/FacebookConnector.ts"
import { makeInstagramConnector } from "./instagram/InstagramConnector.ts"
import { normaliseMeta } from "./normaliseMeta.ts"
import { graphUsage } from "./internal/graphUsage.ts"
import { makeNetworkCalls } from "./internal/NetworkCalls.ts"
import type { Limits } from "./internal/NetworkCalls.ts"
import type { SocialSettings } from "./internal/SocialSettings.ts"
import { normaliseThreads } from "./threads/threadsWebhook.ts"
import { makeThreadsConnector } from "./threads/ThreadsConnector.ts"
import { makeXConnector } from "./x/XConnector.ts"
import { xUsage } from "./internal/xUsage.ts"
import { normaliseX } from "./x/xWebhook.ts"

/** Instagram's conversations take two calls a second from an account (social-networks.md §2.1). */
const instagramLimits: Limits = { usageOf: graphUsage, paces: { conversations: { calls: 1, every: "500 millis" } } }

/** All four networks. */
export const layer = (settings: SocialSettings): Layer.Layer<Connectors, never, HttpClient> =>
  Layer.effect(
    Connectors,
    Effect.gen(function* () {
      const client = yield* HttpClient
      const callsOf = (network: Network, limits: Limits) => makeNetworkCalls(network, client, settings, limits)
      return Connectors.of({
        normalise: { meta: normaliseMeta, threads: normaliseThreads, x: normaliseX },
        byNetwork: {
          instagram: makeInstagramConnector(yield* callsOf("instagram", instagramLimits), settings),
          facebook: makeFacebookConnector(yield* callsOf("facebook", { usageOf: graphUsage }), settings),
          threads: makeThreadsConnector(yield* callsOf("threads", { usageOf: graphUsage }), settings),
          x: makeXConnector(yield* callsOf("x", { usageOf: xUsage }), settings)
        }
      })
    })
  )
