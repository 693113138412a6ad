import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import * as Effect from "effect/Effect"
import { makeGraphApi } from "../meta/graphApi.ts"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { refreshGraphToken } from "../meta/refreshGraphToken.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { threadsPublish } from "./publishing/threadsPublish.ts"
import { threadsConnect } from "./threadsConnect.ts"
import { threadsModerate } from "./threadsModerate.ts"
import { threadsReads } from "./threadsReads.ts"
import { threadsWrites } from "./threadsWrites.ts"

/** Threads. */
export const makeThreadsConnector = (calls: NetworkCalls, settings: SocialSettings): SocialConnector => {
  const graph = makeGraphApi("threads", calls, settings)
  return {
    network: "threads",
    connect: [threadsConnect(graph, calls, settings)],
    publish: threadsPublish(graph),
    ...threadsReads(graph),
    ...threadsWrites(graph),
    moderate: threadsModerate(graph),
    refreshToken: Effect.fn("ThreadsConnector.refreshToken")((access) =>
      Effect.asSome(refreshGraphToken("threads", calls, settings, access))
    )
  }
}
