import * as Option from "effect/Option"
import type { LoggedEvent } from "./JobEnded.ts"

/** The managed user with whom what is kept of an event is erased: whose it is, or whose endpoint it is about. */
export const erasedWith = (event: LoggedEvent): Option.Option<string> => {
  if (event._tag === "EndpointFailing") return event.endpoint.externalUserId
  return "externalUserId" in event ? event.externalUserId : Option.none()
}
