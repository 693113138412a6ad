import type { Credential } from "@loopbox/core/access/InboxAccess"
import * as Context from "effect/Context"
import * as Option from "effect/Option"

/** The console's session that a request below `/console/v1` goes back to; the edge sets it once it has judged the request. */
export const CurrentConsoleCredential = Context.Reference<Option.Option<Credential>>(
  "@loopbox/adapters-http/server/console/CurrentConsoleCredential",
  { defaultValue: Option.none }
)
