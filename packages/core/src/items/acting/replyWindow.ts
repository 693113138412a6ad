import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SourceTraits } from "../../networks/Network.ts"
import type { LiveItem } from "../StoredItem.ts"

/**
 * How long after a person's last message an answer is allowed; the margin covers the transport (social-networks.md §8).
 */
const openFor = { hours: 24 } as const
const margin = { seconds: 60 } as const

/** Whether a direct message may still be answered, and until when, or since when not. */
export const ReplyWindow = Schema.Struct({
  mode: Schema.Literals(["standard", "closed"]),
  closesAt: Schema.DateTimeUtc
})
export type ReplyWindow = typeof ReplyWindow.Type

/** The window of a conversation, of whose other person this is the newest message. */
const windowSince = (newestInboundAt: DateTime.Utc, now: DateTime.Utc): ReplyWindow => {
  const closesAt = DateTime.subtract(DateTime.add(newestInboundAt, openFor), margin)
  return { mode: DateTime.isLessThanOrEqualTo(closesAt, now) ? "closed" : "standard", closesAt }
}

/**
 * The window in which an item may be answered. `none`: there is none, as for comments, or the account wrote the item.
 * Without a known newest message that of the item counts.
 */
export const replyWindowOf = (
  { kind }: Pick<SourceTraits, "kind">,
  { isOwn, receivedAt }: Pick<LiveItem, "isOwn" | "receivedAt">,
  newestInboundAt: Option.Option<DateTime.Utc>,
  now: DateTime.Utc
): Option.Option<ReplyWindow> =>
  kind === "message" && !isOwn
    ? Option.some(
        windowSince(
          Option.getOrElse(newestInboundAt, () => receivedAt),
          now
        )
      )
    : Option.none()
