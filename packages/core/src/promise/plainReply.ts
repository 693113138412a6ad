import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { MediaContext } from "../connectors/MediaContext.ts"
import type { ReplyOutcome } from "../outbound/Replies.ts"
import { showOperation } from "../outbound/ShownOperation.ts"
import { type PlainItem, toPlainItem } from "./plainInbox.ts"
import { type PlainOperation, toPlainOperation } from "./plainOperation.ts"

/** A reply, with the item that it made once it is completed. */
export interface PlainReply {
  readonly operation: PlainOperation
  readonly item: PlainItem | null
}

/** The post that an item belongs to; null where the network does not say. */
export interface PlainMediaContext {
  readonly id: string
  readonly caption: string | null
  readonly mediaUrl: string | null
  readonly timestamp: Date | null
  readonly mediaType: MediaContext["mediaType"]
  readonly permalink: string | null
}

export const toPlainReply = ({ item, operation }: ReplyOutcome): PlainReply => ({
  operation: toPlainOperation(showOperation(operation)),
  item: Option.getOrNull(Option.map(item, toPlainItem))
})

export const toPlainContext = (context: MediaContext): PlainMediaContext => ({
  id: context.id,
  caption: Option.getOrNull(context.caption),
  mediaUrl: Option.getOrNull(context.mediaUrl),
  timestamp: Option.getOrNull(Option.map(context.timestamp, DateTime.toDateUtc)),
  mediaType: context.mediaType,
  permalink: Option.getOrNull(context.permalink)
})
