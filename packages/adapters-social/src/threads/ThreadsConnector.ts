import type { SocialConnector } from "@loopbox/core/connectors/SocialConnector"
import { notYet } from "../internal/notYet.ts"
import * as Effect from "effect/Effect"

/** Threads. It names people by user name in the webhook, and has no call that tells more of them. */
export const threadsConnector: SocialConnector = {
  network: "threads",
  ...notYet("threads"),
  findPerson: () => Effect.succeedNone,
  findThreadKey: (_access, { parentExternalId }) => Effect.succeed(parentExternalId)
}
