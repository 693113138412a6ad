import { Connectors } from "@loopbox/core/connectors/Connectors"
import type { WebhookEndpoint } from "@loopbox/core/connectors/Source"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { HttpClient } from "effect/http/HttpClient"
import { makeFacebookConnector } from "./facebook/FacebookConnector.ts"
import { makeInstagramConnector } from "./instagram/InstagramConnector.ts"
import { normaliseMeta } from "./normaliseMeta.ts"
import type { SocialSettings } from "./internal/SocialSettings.ts"
import { redactMeta } from "./internal/metaWebhook.ts"
import { redactBody } from "./internal/redaction.ts"
import { normaliseThreads, redactThreads } from "./threads/threadsWebhook.ts"
import { threadsConnector } from "./threads/ThreadsConnector.ts"
import { makeXConnector } from "./x/XConnector.ts"
import { normaliseX, redactX } from "./x/xWebhook.ts"

const redactors: Record<WebhookEndpoint, ReturnType<typeof redactBody>> = {
  meta: redactBody(redactMeta),
  threads: redactBody(redactThreads),
  x: redactBody(redactX)
}

/** All four networks. */
export const layer = (settings: SocialSettings): Layer.Layer<Connectors, never, HttpClient> =>
  Layer.effect(
    Connectors,
    Effect.gen(function* () {
      const client = yield* HttpClient
      return Connectors.of({
        normalise: { meta: normaliseMeta, threads: normaliseThreads, x: normaliseX },
        redact: ({ body, endpoint }, account) => redactors[endpoint](body, account),
        byNetwork: {
          instagram: makeInstagramConnector(client, settings),
          facebook: makeFacebookConnector(client, settings),
          threads: threadsConnector,
          x: makeXConnector(client, settings)
        }
      })
    })
  )
