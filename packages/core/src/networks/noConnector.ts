import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Unavailable } from "./ConnectorErrors.ts"
import type { SocialConnector } from "./SocialConnector.ts"
import type { Network } from "./Source.ts"

/** For a network that this process cannot call: it has no feeds, and every call fails with `Unavailable`. */
export const noConnector = (network: Network): SocialConnector => {
  const nobody = new Unavailable({
    network,
    networkCode: Option.none(),
    detail: "no connector of this network is here",
    reason: "source"
  })
  return {
    network,
    pollSteps: [],
    listFeeds: () => Effect.succeed([]),
    readFeed: () => Effect.fail(nobody),
    isThere: () => Effect.fail(nobody),
    findMediaContext: () => Effect.fail(nobody),
    findPerson: () => Effect.succeedNone,
    findThreadKey: (_access, { parentExternalId }) => Effect.succeed(parentExternalId),
    measure: (_source, text) => ({ length: Array.from(text).length, limit: Number.MAX_SAFE_INTEGER }),
    prepareReply: () => Effect.fail(nobody),
    sendReply: () => Effect.fail(nobody),
    findReply: () => Effect.fail(nobody),
    refreshToken: () => Effect.succeedNone
  }
}
