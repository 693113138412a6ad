import type * as DateTime from "effect/DateTime"
import type { InboxEvent } from "./InboxEvent.ts"

/** When the new items among these events were received, without the account's own. Pure. */
export const newOfOthers = (events: ReadonlyArray<InboxEvent>): ReadonlyArray<DateTime.Utc> =>
  events.flatMap((event) => (event._tag === "NewItem" && !event.item.isOwn ? [event.item.receivedAt] : []))
