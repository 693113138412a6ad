import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Network, Source } from "../connectors/Source.ts"
import type { DeliveredEvent, InboxEvent } from "../inbox/InboxEvent.ts"
import type { InboxItem } from "../inbox/InboxItem.ts"
import { decodeShown } from "../outbound/ShownOperation.ts"
import type { ThreadStatus } from "../inbox/Thread.ts"
import { type PlainOperation, toPlainOperation } from "./plainOperation.ts"

/** An inbox item as plain data (§2.1). */
export interface PlainItem {
  readonly id: string
  readonly workspaceId: string
  readonly accountId: string
  readonly source: Source
  readonly externalId: string
  readonly threadKey: string
  readonly threadStatus: ThreadStatus
  readonly assignedTo: string | null
  readonly parentExternalId: string | null
  readonly linkedPostId: string | null
  readonly authorId: string | null
  /** "Unknown" until the network gives one. */
  readonly authorName: string
  readonly authorAvatarUrl: string | null
  readonly body: string
  readonly attachments: InboxItem["attachments"]
  readonly url: string | null
  readonly isRead: boolean
  readonly isOwn: boolean
  readonly isHidden: boolean
  readonly externalUserId: string | null
  readonly account: {
    readonly id: string
    readonly network: Network
    readonly name: string
    readonly avatarUrl: string | null
  }
  readonly receivedAt: Date
  readonly createdAt: Date
  readonly editedAt: Date | null
}

/** An event as plain data (api.md §4); `resync_required`: fetch anew, live events follow. */
export type PlainEvent =
  | {
      readonly seq: number
      readonly externalUserId: string | null
      readonly at: Date
      readonly change: PlainChange
    }
  | { readonly seq: number; readonly change: { readonly type: "resync_required" } }

export type PlainChange =
  | { readonly type: "new_item" | "item_updated"; readonly item: PlainItem }
  | { readonly type: "item_deleted"; readonly itemId: string }
  | { readonly type: "items_read"; readonly upToSeq: number; readonly marked: number | null }
  | {
      readonly type: "thread_updated"
      readonly threadKey: string
      readonly accountId: string
      readonly threadStatus: ThreadStatus
      readonly assignedTo: string | null
    }
  | { readonly type: "reply_updated"; readonly operation: PlainOperation }
  | { readonly type: "sync_complete"; readonly syncId: string; readonly newItems: number }
  | { readonly type: "account_moved"; readonly accountId: string }

export const toPlainItem = (item: InboxItem): PlainItem => ({
  id: item.id,
  workspaceId: item.workspaceId,
  accountId: item.accountId,
  source: item.source,
  externalId: item.externalId,
  threadKey: item.threadKey,
  threadStatus: item.thread.status,
  assignedTo: Option.getOrNull(item.thread.assignedTo),
  parentExternalId: Option.getOrNull(item.parentExternalId),
  linkedPostId: Option.getOrNull(item.linkedPostId),
  authorId: Option.getOrNull(item.authorId),
  authorName: Option.getOrElse(item.authorName, () => "Unknown"),
  authorAvatarUrl: Option.getOrNull(item.authorAvatarUrl),
  body: item.body,
  attachments: item.attachments,
  url: Option.getOrNull(item.url),
  isRead: item.isRead,
  isOwn: item.isOwn,
  isHidden: item.isHidden,
  externalUserId: Option.getOrNull(item.account.externalUserId),
  account: {
    id: item.account.id,
    network: item.account.network,
    name: item.account.name,
    avatarUrl: Option.getOrNull(item.account.avatarUrl)
  },
  receivedAt: DateTime.toDateUtc(item.receivedAt),
  createdAt: DateTime.toDateUtc(item.createdAt),
  editedAt: Option.getOrNull(Option.map(item.editedAt, DateTime.toDateUtc))
})

const toPlainChange = (event: InboxEvent): PlainChange => {
  switch (event._tag) {
    case "NewItem":
      return { type: "new_item", item: toPlainItem(event.item) }
    case "ItemUpdated":
      return { type: "item_updated", item: toPlainItem(event.item) }
    case "ItemDeleted":
      return { type: "item_deleted", itemId: event.itemId }
    case "ItemsRead":
      return { type: "items_read", upToSeq: event.upToSeq, marked: Option.getOrNull(event.marked) }
    case "ThreadUpdated":
      return {
        type: "thread_updated",
        threadKey: event.threadKey,
        accountId: event.accountId,
        threadStatus: event.status,
        assignedTo: Option.getOrNull(event.assignedTo)
      }
    case "ReplyUpdated":
      return { type: "reply_updated", operation: toPlainOperation(decodeShown(event.operation)) }
    case "SyncCompleted":
      return { type: "sync_complete", syncId: event.syncId, newItems: event.newItems }
    case "AccountMoved":
      return { type: "account_moved", accountId: event.accountId }
  }
}

export const toPlainEvent = ({ at, event, externalUserId, seq }: DeliveredEvent): PlainEvent => ({
  seq,
  externalUserId: Option.getOrNull(externalUserId),
  at: DateTime.toDateUtc(at),
  change: toPlainChange(event)
})
