import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Media } from "../media/Media.ts"
import type { ReplyMediaTraits } from "../networks/Network.ts"
import { type ReplyMediaKind, replyMediaKinds } from "../networks/Reply.ts"
import { ReplyMediaInvalid } from "../outbound/OutboundErrors.ts"

/** One message carries so many files. */
const mostFiles = 1

/** The kind of a file by its type: `image/png`. */
export const replyMediaKind = ({ contentType }: Pick<Media, "contentType">): ReplyMediaKind =>
  replyMediaKinds.find((kind) => contentType.startsWith(`${kind}/`)) ?? "image"

const fault = (
  reason: ReplyMediaInvalid["reason"],
  more: { readonly allowed?: ReadonlyArray<string>; readonly actual?: string | number; readonly limit?: number } = {}
) =>
  new ReplyMediaInvalid({
    reason,
    allowed: more.allowed ?? [],
    actual: Option.fromUndefinedOr(more.actual),
    limit: Option.fromUndefinedOr(more.limit)
  })

const invalid = (...given: Parameters<typeof fault>) => Result.fail(fault(...given))

/** Why a source does not take so many files beside a text, whatever they are. */
export const judgeReplyForm = (
  { withText }: ReplyMediaTraits,
  text: string,
  mediaIds: ReadonlyArray<string>
): ReadonlyArray<ReplyMediaInvalid> => [
  ...(mediaIds.length > mostFiles ? [fault("too_many", { actual: mediaIds.length, limit: mostFiles })] : []),
  ...(mediaIds.length > 0 && text !== "" && !withText ? [fault("text_beside")] : [])
]

/** Whether a source takes a file. `none`: there is no such file. */
export const judgeReplyMedia = (
  traits: ReplyMediaTraits,
  found: Option.Option<Media>
): Result.Result<void, ReplyMediaInvalid> => {
  if (Option.isNone(found)) return invalid("not_found")
  const media = found.value
  if (media._tag === "PendingMedia") return invalid("not_ready")
  const limits = traits[replyMediaKind(media)]
  if (limits?.contentTypes.includes(media.contentType) !== true) {
    const allowed = replyMediaKinds.flatMap((kind) => traits[kind]?.contentTypes ?? [])
    return invalid("wrong_type", { allowed, actual: media.contentType })
  }
  return media.sizeBytes > limits.maxBytes
    ? invalid("too_large", { actual: media.sizeBytes, limit: limits.maxBytes })
    : Result.succeed(undefined)
}
