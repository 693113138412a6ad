import type { SocialConnector } from "@loopbox/core/connectors/SocialConnector"
import * as Effect from "effect/Effect"
import type { NetworkCalls } from "../internal/NetworkCalls.ts"
import { rootUrl } from "../internal/SocialSettings.ts"
import type { SocialSettings } from "../internal/SocialSettings.ts"
import { makeXApi } from "./XApi.ts"
import { xReads } from "./xReads.ts"
import { makeRefreshToken } from "./xTokens.ts"
import { loadWeightedLength } from "./weightedLength.ts"
import { xWrites } from "./xWrites.ts"

/** X. */
export const makeXConnector = (calls: NetworkCalls, settings: SocialSettings): Effect.Effect<SocialConnector> =>
  Effect.map(loadWeightedLength, (weightedLength) => {
    const root = rootUrl("x", settings)
    const api = makeXApi(calls, root)
    return {
      network: "x",
      ...xReads(api),
      ...xWrites(api, weightedLength),
      refreshToken: makeRefreshToken(calls, root, settings.xClient)
    }
  })
