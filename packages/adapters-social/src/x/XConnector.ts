import type { SocialConnector } from "@loopbox/core/connectors/SocialConnector"
import type { NetworkCalls } from "../internal/NetworkCalls.ts"
import { rootUrl } from "../internal/SocialSettings.ts"
import type { SocialSettings } from "../internal/SocialSettings.ts"
import { makeXApi } from "./XApi.ts"
import { xReads } from "./xReads.ts"
import { makeRefreshToken } from "./xTokens.ts"
import { xWrites } from "./xWrites.ts"

/** X. */
export const makeXConnector = (calls: NetworkCalls, settings: SocialSettings): SocialConnector => {
  const root = rootUrl("x", settings)
  const api = makeXApi(calls, root)
  return {
    network: "x",
    ...xReads(api),
    ...xWrites(api),
    refreshToken: makeRefreshToken(calls, root, settings.xClient)
  }
}
