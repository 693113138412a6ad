import * as Option from "effect/Option"
import type { AccountView } from "@loopbox/core/accounts/AccountView"
import type { DeliveredEvent, InboxEvent } from "@loopbox/core/items/InboxEvent"
import type { InboxItem, ItemAccount } from "@loopbox/core/items/InboxItem"
import type { ShownEndpoint } from "@loopbox/core/items/ShownEndpoint"
import type { ShownPost } from "@loopbox/core/items/ShownPost"
import type { ThreadStatus } from "@loopbox/core/items/Thread"
import { type InboxThread, threadIdOf } from "@loopbox/core/items/threading/InboxThread"
import type { PlainOperation } from "./plainOperation.ts"
import type { PlainNote } from "./notesFacade.ts"
import { type Plain, toPlain } from "./toPlain.ts"

/** An inbox item as plain data (§2.1). */
export interface PlainItem extends Plain<Omit<InboxItem, "account" | "authorName" | "thread">> {
  /** The thread that it lies in: `threads.find`. */
  readonly threadId: string
  readonly threadStatus: ThreadStatus
  readonly assignedTo: string | null
  /** "Unknown" until the network gives one. */
  readonly authorName: string
  readonly externalUserId: string | null
  readonly account: Plain<Omit<ItemAccount, "externalUserId">>
}

/** A thread as plain data (api-2.md §14). */
export interface PlainThread extends Plain<Omit<InboxThread, "account" | "status" | "lastItem">> {
  readonly threadStatus: ThreadStatus
  readonly lastItem: PlainItem
  readonly lastItemAt: Date
  readonly externalUserId: string | null
  readonly account: PlainItem["account"]
  readonly postId: string | null
  readonly linkedPostId: string | null
}

/** A connected account with its health, as plain data (api-2.md §11). */
export interface PlainConnectedAccount extends Plain<AccountView> {}

/** A post with its targets as plain data (api-2.md §12). */
export interface PlainPost extends Plain<ShownPost> {}

/** A webhook endpoint as plain data (api-2.md §15). */
export interface PlainEndpoint extends Plain<ShownEndpoint> {}

/** An event as plain data (api.md §4). `resync_required`: reload; live events follow. */
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
      /** As it was right after the change; null in events of earlier versions. */
      readonly thread: PlainThread | null
    }
  | { readonly type: "note_added"; readonly note: PlainNote }
  | { readonly type: "note_deleted"; readonly noteId: string; readonly threadId: string }
  | { readonly type: "reply_updated"; readonly operation: PlainOperation }
  | { readonly type: "sync_complete"; readonly syncId: string; readonly newItems: number }
  | { readonly type: "account_moved"; readonly accountId: string }
  | {
      readonly type: "account_connected" | "account_attention" | "account_disconnected"
      readonly account: PlainConnectedAccount
    }
  | {
      readonly type: "post_published" | "post_partial" | "post_failed" | "post_target_updated"
      readonly post: PlainPost
    }
  | { readonly type: "endpoint_failing"; readonly endpoint: PlainEndpoint }

export const toPlainItem = ({ account, authorName, thread, ...item }: InboxItem): PlainItem => {
  const { externalUserId, ...shown } = toPlain(account)
  return {
    ...toPlain(item),
    threadId: threadIdOf(item),
    threadStatus: thread.status,
    assignedTo: Option.getOrNull(thread.assignedTo),
    authorName: Option.getOrElse(authorName, () => "Unknown"),
    externalUserId,
    account: shown
  }
}

export const toPlainThread = ({ account: _, lastItem, status, ...thread }: InboxThread): PlainThread => {
  const last = toPlainItem(lastItem)
  return {
    ...toPlain(thread),
    threadStatus: status,
    lastItem: last,
    lastItemAt: last.receivedAt,
    externalUserId: last.externalUserId,
    account: last.account,
    postId: last.postId,
    linkedPostId: last.linkedPostId
  }
}

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
        assignedTo: Option.getOrNull(event.assignedTo),
        thread: Option.getOrNull(Option.map(event.thread, toPlainThread))
      }
    case "NoteAdded":
      return { type: "note_added", note: toPlain(event.note) }
    case "NoteDeleted":
      return { type: "note_deleted", noteId: event.noteId, threadId: event.threadId }
    case "ReplyUpdated":
      return { type: "reply_updated", operation: toPlain(event.operation) }
    case "SyncCompleted":
      return { type: "sync_complete", syncId: event.syncId, newItems: event.newItems }
    case "AccountMoved":
      return { type: "account_moved", accountId: event.accountId }
    case "AccountConnected":
      return { type: "account_connected", account: toPlain(event.account) }
    case "AccountAttention":
      return { type: "account_attention", account: toPlain(event.account) }
    case "AccountDisconnected":
      return { type: "account_disconnected", account: toPlain(event.account) }
    case "PostPublished":
      return { type: "post_published", post: toPlain(event.post) }
    case "PostPartial":
      return { type: "post_partial", post: toPlain(event.post) }
    case "PostFailed":
      return { type: "post_failed", post: toPlain(event.post) }
    case "PostTargetUpdated":
      return { type: "post_target_updated", post: toPlain(event.post) }
    case "EndpointFailing":
      return { type: "endpoint_failing", endpoint: toPlain(event.endpoint) }
  }
}

export const toPlainEvent = ({ at, event, externalUserId, seq }: DeliveredEvent): PlainEvent => ({
  ...toPlain({ seq, externalUserId, at }),
  change: toPlainChange(event)
})
