import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import * as Effect from "effect/Effect"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { rootUrl } from "../calls/SocialSettings.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { makeXApi } from "./XApi.ts"
import { xConnect } from "./xConnect.ts"
import { xPublish } from "./publishing/xPublish.ts"
import { xReads } from "./xReads.ts"
import { xSubscription } from "./xSubscription.ts"
import { makeRefreshToken } from "./xTokens.ts"
import { loadWeightedLength } from "./weightedLength.ts"
import { xModerate } from "./xModerate.ts"
import { makeXWords } from "./xWords.ts"
import { xWrites } from "./xWrites.ts"

/** X. */
export const makeXConnector = (calls: NetworkCalls, settings: SocialSettings): Effect.Effect<SocialConnector> =>
  Effect.map(loadWeightedLength, (weightedLength) => {
    const root = rootUrl("x", settings)
    const api = makeXApi(calls, root, makeXWords(settings.xVocabulary))
    return {
      network: "x",
      connect: [xConnect(api, calls, settings, xSubscription(calls, settings))],
      publish: xPublish(api, weightedLength),
      ...xReads(api),
      ...xWrites(api, weightedLength),
      moderate: xModerate(api),
      refreshToken: makeRefreshToken(calls, root, settings.xClient)
    }
  })
