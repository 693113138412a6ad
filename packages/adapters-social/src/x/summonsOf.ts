import type { Summons } from "@loopbox/core/networks/InboundActivity"
import * as Option from "effect/Option"

/** A handle in a post. Positions count code points, and the network's own samples are off by one. */
export interface PostMention {
  readonly start: Option.Option<number>
  readonly userId: Option.Option<string>
  readonly username: Option.Option<string>
}

/** What a post says about whom it speaks to. */
export interface PostAddress {
  /** None where the post carries no entities at all, which proves nothing. */
  readonly mentions: Option.Option<ReadonlyArray<PostMention>>
  /** Where the text begins that its author wrote; the handles before it are a reply's automatic ones. */
  readonly displayStart: Option.Option<number>
  readonly isReply: boolean
  /** Authors of the posts that it quotes, as far as they are known. */
  readonly quotedAuthorIds: ReadonlyArray<Option.Option<string>>
  /** The network sent it as an explicit mention, or as a quote of one of the account's posts. */
  readonly isKnownSummons: boolean
}

/** Whether the account may answer: social-networks.md §1.5, "Eligible". */
export const summonsOf = (
  address: PostAddress,
  account: { readonly id: string; readonly username: Option.Option<string> }
): Summons => {
  if (address.isKnownSummons) return "yes"
  if (address.quotedAuthorIds.some((id) => Option.contains(id, account.id))) return "yes"
  if (Option.isNone(address.mentions)) return "unknown"
  const ours = address.mentions.value.filter((mention) => isOf(mention, account))
  if (ours.some((mention) => isExplicit(mention, address))) return "yes"
  return ours.length > 0 || address.quotedAuthorIds.some(Option.isNone) ? "unknown" : "no"
}

const isOf = (
  mention: PostMention,
  account: { readonly id: string; readonly username: Option.Option<string> }
): boolean =>
  Option.isSome(mention.userId)
    ? mention.userId.value === account.id
    : Option.isSome(account.username) &&
      Option.exists(
        mention.username,
        (name) => name.toLowerCase() === Option.getOrElse(account.username, () => "").toLowerCase()
      )

/** Without a display range only a post that answers nothing is sure: it has no automatic handles. */
const isExplicit = ({ start }: PostMention, { displayStart, isReply }: PostAddress): boolean =>
  Option.match(displayStart, {
    onNone: () => !isReply,
    onSome: (displayStart) => Option.exists(start, (start) => start >= displayStart - 1)
  })
