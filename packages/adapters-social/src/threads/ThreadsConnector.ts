import type { SocialConnector } from "@loopbox/core/connectors/SocialConnector"
import * as Effect from "effect/Effect"
import { makeGraphApi } from "../internal/graphApi.ts"
import type { NetworkCalls } from "../internal/NetworkCalls.ts"
import { refreshGraphToken } from "../internal/refreshGraphToken.ts"
import type { SocialSettings } from "../internal/SocialSettings.ts"
import { threadsReads } from "./threadsReads.ts"
import { threadsWrites } from "./threadsWrites.ts"

/** Threads. */
export const makeThreadsConnector = (calls: NetworkCalls, settings: SocialSettings): SocialConnector => {
  const graph = makeGraphApi("threads", calls, settings)
  return {
    network: "threads",
    ...threadsReads(graph),
    ...threadsWrites(graph),
    refreshToken: Effect.fn("ThreadsConnector.refreshToken")((access) =>
      Effect.asSome(refreshGraphToken("threads", calls, settings, access))
    )
  }
}
