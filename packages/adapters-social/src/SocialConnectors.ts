import type { Redact } from "@loopbox/core/kernel/Redact"
import { Connectors } from "@loopbox/core/networks/Connectors"
import { isEndpoint, type Network, type WebhookEndpoint } from "./names.ts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { HttpClient } from "effect/http/HttpClient"
import { makeFacebookConnector } from "./facebook/FacebookConnector.ts"
import { makeInstagramConnector } from "./instagram/InstagramConnector.ts"
import { pacedConversations } from "./meta/graphApi.ts"
import { normaliseMeta } from "./meta/normaliseMeta.ts"
import { graphLimited, graphUsages, threadsUsages } from "./meta/graphUsage.ts"
import { makeNetworkCalls } from "./calls/NetworkCalls.ts"
import type { Limits } from "./calls/NetworkCalls.ts"
import type { SocialSettings } from "./calls/SocialSettings.ts"
import { redactMeta } from "./meta/metaWebhook.ts"
import { redactBody } from "./payloads/redaction.ts"
import { normaliseThreads, redactThreads } from "./threads/threadsWebhook.ts"
import { makeThreadsConnector } from "./threads/ThreadsConnector.ts"
import { makeXConnector } from "./x/XConnector.ts"
import { xUsages } from "./x/xUsage.ts"
import { normaliseX, redactX } from "./x/xWebhook.ts"

const redactors: Record<WebhookEndpoint, ReturnType<typeof redactBody>> = {
  meta: redactBody(redactMeta),
  threads: redactBody(redactThreads),
  x: redactBody(redactX)
}

/** Instagram's conversations take two calls a second from an account (social-networks.md §2.1). */
const instagramLimits: Limits = {
  usagesOf: graphUsages,
  limited: graphLimited,
  paces: { conversations: { calls: 1, every: "500 millis" } }
}

/** Instagram accounts that are reached through a Page are asked at Facebook's host, at Instagram's pace. */
const facebookLimits: Limits = {
  usagesOf: graphUsages,
  limited: graphLimited,
  paces: { [pacedConversations]: { calls: 1, every: "500 millis" } }
}

/** All four networks. */
export const layer = (settings: SocialSettings): Layer.Layer<Connectors, never, HttpClient> =>
  Layer.effect(
    Connectors,
    Effect.gen(function* () {
      const client = yield* HttpClient
      const callsOf = (network: Network, limits: Limits) => makeNetworkCalls(network, client, settings, limits)
      const ofFacebook = yield* callsOf("facebook", facebookLimits)
      return Connectors.of({
        normalise: { meta: normaliseMeta, threads: normaliseThreads, x: normaliseX },
        // What another process takes in is left as it is.
        redact: Option.some<Redact>(({ body, endpoint }, account) =>
          isEndpoint(endpoint) ? redactors[endpoint](body, account) : Option.some(body)
        ),
        byNetwork: {
          instagram: makeInstagramConnector(yield* callsOf("instagram", instagramLimits), ofFacebook, settings),
          facebook: makeFacebookConnector(ofFacebook, settings),
          threads: makeThreadsConnector(yield* callsOf("threads", { usagesOf: threadsUsages }), settings),
          x: yield* makeXConnector(yield* callsOf("x", { usagesOf: xUsages }), settings)
        }
      })
    })
  )
