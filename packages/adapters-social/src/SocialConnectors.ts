import { Connectors } from "@loopbox/core/connectors/Connectors"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { HttpClient } from "effect/http/HttpClient"
import { makeFacebookConnector } from "./facebook/FacebookConnector.ts"
import { makeInstagramConnector } from "./instagram/InstagramConnector.ts"
import { normaliseMeta } from "./normaliseMeta.ts"
import type { SocialSettings } from "./internal/SocialSettings.ts"
import { normaliseThreads } from "./threads/threadsWebhook.ts"
import { threadsConnector } from "./threads/ThreadsConnector.ts"
import { makeXConnector } from "./x/XConnector.ts"
import { normaliseX } from "./x/xWebhook.ts"

/** All four networks. */
export const layer = (settings: SocialSettings): Layer.Layer<Connectors, never, HttpClient> =>
  Layer.effect(
    Connectors,
    Effect.gen(function* () {
      const client = yield* HttpClient
      return Connectors.of({
        normalise: { meta: normaliseMeta, threads: normaliseThreads, x: normaliseX },
        byNetwork: {
          instagram: makeInstagramConnector(client, settings),
          facebook: makeFacebookConnector(client, settings),
          threads: threadsConnector,
          x: makeXConnector(client, settings)
        }
      })
    })
  )
