import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SocialAccount } from "../../accounts/SocialAccount.ts"
import type { SourceTraits } from "../../networks/Network.ts"
import type { LiveItem } from "../StoredItem.ts"

/**
 * How long after a person's last message an answer is allowed; the margin covers the transport (social-networks.md §8).
 */
const openFor = Duration.hours(24)
const margin = Duration.seconds(60)

/**
 * Whether a direct message may still be answered, and until when, or since when not.
 *
 * - `standard`: by anyone
 * - `human_agent`: by a person only, who says so with the reply
 */
export const ReplyWindow = Schema.Struct({
  mode: Schema.Literals(["standard", "human_agent", "closed"]),
  closesAt: Schema.DateTimeUtc
})
export type ReplyWindow = typeof ReplyWindow.Type

/**
 * The window of a conversation, of whose other person this is the newest message. In milliseconds, for a page has a window
 * or two for each of its rows, and a moment is dear to make.
 */
const windowSince = (
  newestInboundAt: DateTime.Utc,
  forPersons: Option.Option<Duration.Duration>,
  now: DateTime.Utc
): ReplyWindow => {
  const endOf = (within: Duration.Duration) =>
    newestInboundAt.epochMilliseconds + Duration.toMillis(within) - Duration.toMillis(margin)
  const closing = (mode: ReplyWindow["mode"], end: number): ReplyWindow => ({
    mode,
    closesAt: DateTime.makeUnsafe(end)
  })
  const standardEnd = endOf(openFor)
  if (standardEnd > now.epochMilliseconds) return closing("standard", standardEnd)
  const end = Option.match(forPersons, { onNone: () => standardEnd, onSome: endOf })
  return closing(end > now.epochMilliseconds ? "human_agent" : "closed", end)
}

/** How long a person may answer in the account's name, where it has the permission. */
const forPersonsOf = (
  { humanAgent }: Pick<SourceTraits, "humanAgent">,
  { permissions }: Pick<SocialAccount, "permissions">
): Option.Option<Duration.Duration> =>
  humanAgent.pipe(
    Option.filter(({ permission }) => permissions.includes(permission)),
    Option.map(({ within }) => within)
  )

/**
 * The window in which an item may be answered. `none`: there is none, as for comments, or the account wrote the item.
 * Without a known newest message that of the item counts.
 */
export const replyWindowOf = (
  traits: Pick<SourceTraits, "kind" | "humanAgent">,
  { isOwn, receivedAt }: Pick<LiveItem, "isOwn" | "receivedAt">,
  account: Pick<SocialAccount, "permissions">,
  newestInboundAt: Option.Option<DateTime.Utc>,
  now: DateTime.Utc
): Option.Option<ReplyWindow> =>
  traits.kind === "message" && !isOwn
    ? Option.some(
        windowSince(
          Option.getOrElse(newestInboundAt, () => receivedAt),
          forPersonsOf(traits, account),
          now
        )
      )
    : Option.none()
