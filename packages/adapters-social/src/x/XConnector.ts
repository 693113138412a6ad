import type { SocialConnector } from "@loopbox/core/connectors/SocialConnector"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import { makeNetworkCalls } from "../internal/NetworkCalls.ts"
import { rootUrl } from "../internal/SocialSettings.ts"
import type { SocialSettings } from "../internal/SocialSettings.ts"
import { xUsage } from "../internal/xUsage.ts"
import { makeXApi } from "./XApi.ts"
import { xReads } from "./xReads.ts"
import { makeRefreshToken } from "./xTokens.ts"
import { xWrites } from "./xWrites.ts"

/** X. */
export const makeXConnector = Effect.fnUntraced(function* (client: HttpClient.HttpClient, settings: SocialSettings) {
  const root = rootUrl("x", settings)
  const calls = yield* makeNetworkCalls("x", client, settings, { usageOf: xUsage })
  const api = makeXApi(calls, root)
  const connector: SocialConnector = {
    network: "x",
    ...xReads(api),
    ...xWrites(api),
    refreshToken: makeRefreshToken(calls, root, settings.xClient)
  }
  return connector
})
