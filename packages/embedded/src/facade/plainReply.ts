import * as Option from "effect/Option"
import type { MediaContext } from "@loopbox/core/networks/MediaContext"
import { showOperation } from "@loopbox/core/outbound/showOperation"
import type { ReplyOutcome } from "@loopbox/core/replies/Replies"
import { type PlainItem, toPlainItem } from "./plainInbox.ts"
import type { PlainOperation } from "./plainOperation.ts"
import { type Plain, toPlain } from "./toPlain.ts"

/** A reply, with its item once it is completed. */
export interface PlainReply {
  readonly operation: PlainOperation
  readonly item: PlainItem | null
}

/** The post that an item belongs to; fields that the network does not give are null. */
export interface PlainMediaContext extends Plain<MediaContext> {}

export const toPlainReply = ({ item, operation }: ReplyOutcome): PlainReply => ({
  operation: toPlain(showOperation(operation)),
  item: Option.getOrNull(Option.map(item, toPlainItem))
})
