import * as Option from "effect/Option"
import type { ConnectSession } from "@loopbox/core/connecting/ConnectSession"
import type { SocialAccountId } from "@loopbox/core/kernel/Ids"
import type { MemoryState } from "./MemoryState.ts"

/** Deletes connect sessions, with their attempts. */
export const eraseSessions = (
  { connecting }: Pick<MemoryState["Service"], "connecting">,
  isErased: (session: ConnectSession) => boolean
): void => {
  for (const [id, { kept }] of connecting) if (isErased(kept.session)) connecting.delete(id)
}

/** Whether a session is to connect an account again, or has connected it. */
export const namesAccount =
  (id: SocialAccountId) =>
  ({ accountIds, socialAccountId }: ConnectSession): boolean =>
    Option.contains(socialAccountId, id) || accountIds.includes(id)
