import { Unavailable } from "@loopbox/core/connectors/ConnectorErrors"
import type { SocialConnector } from "@loopbox/core/connectors/SocialConnector"
import type { Network } from "@loopbox/core/connectors/Source"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** What no connector does yet: goes away as they learn it. */
export const notYet = (network: Network) => {
  const failure = new Unavailable({ network, networkCode: Option.none(), detail: "not built", reason: "source" })
  return {
    pollSteps: [],
    listFeeds: () => Effect.succeed([]),
    readFeed: () => Effect.fail(failure),
    isThere: () => Effect.fail(failure),
    findMediaContext: () => Effect.fail(failure),
    measure: (_source, text) => ({ length: Array.from(text).length, limit: 0 }),
    prepareReply: () => Effect.fail(failure),
    sendReply: () => Effect.fail(failure),
    findReply: () => Effect.fail(failure),
    refreshToken: () => Effect.succeedNone
  } satisfies Partial<SocialConnector>
}
