import * as Data from "effect/Data"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Source } from "../../networks/Source.ts"
import type { StoredItem } from "../StoredItem.ts"

/** The account likes an item, or no longer, as its network has confirmed. */
export class LikeChanged extends Data.TaggedClass("LikeChanged")<{
  readonly source: Source
  readonly externalId: string
  readonly isLiked: boolean
}> {}

/** An item was answered by a direct message, by us or by somebody else: the network allows no second one. */
export class PrivatelyAnswered extends Data.TaggedClass("PrivatelyAnswered")<{
  readonly source: Source
  readonly externalId: string
  readonly at: DateTime.Utc
}> {}

/** What this program did with an item that is stored. */
export type OwnChange = LikeChanged | PrivatelyAnswered

/** An item that is not there, or not any more, stays so. The first private answer keeps its time. */
export const mergeOwnChange = <A extends StoredItem>(before: A | undefined, change: OwnChange): A | undefined => {
  if (before?._tag !== "LiveItem") return before
  return change._tag === "LikeChanged"
    ? { ...before, isLiked: change.isLiked }
    : { ...before, privateRepliedAt: Option.orElse(before.privateRepliedAt, () => Option.some(change.at)) }
}
