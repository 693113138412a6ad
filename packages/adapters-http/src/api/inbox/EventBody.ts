import type { DeliveredEvent } from "@loopbox/core/items/InboxEvent"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ConnectedAccountBody, toConnectedAccountBody } from "../accounts/ConnectedAccountBody.ts"
import { Time } from "../DataBody.ts"
import { EndpointBody, endpointExample, toEndpointBody } from "../endpoints/EndpointBody.ts"
import { PostBody, toPostBody } from "../posts/PostBody.ts"
import { NoteBody, toNoteBody } from "./NotesApi.ts"
import { OperationBody, toOperationBody } from "./OperationBody.ts"
import { ThreadBody, toThreadBody } from "./ThreadBody.ts"
import { ItemBody, threadStatuses, toItemBody } from "./ItemBody.ts"

const frame = <const T extends string, F extends Schema.Struct.Fields>(type: T, fields: F) =>
  Schema.Struct({
    seq: Schema.Int.annotate({ description: "Grows within the workspace; give it as `after` to go on from here." }),
    type: Schema.Literal(type),
    workspace_id: Schema.String,
    external_user_id: Schema.NullOr(Schema.String),
    at: Time,
    ...fields
  })

/** What happened in an inbox, to its accounts or to posts, as a text frame of `GET /v1/inbox/ws` (api.md §4, api-2.md §11). */
export const EventBody = Schema.Union([
  frame("inbox.new_item", { item: ItemBody }),
  frame("inbox.item_updated", { item: ItemBody }),
  frame("inbox.item_deleted", { item_id: Schema.String }),
  frame("inbox.items_read", {
    up_to_seq: Schema.Int,
    marked: Schema.NullOr(Schema.Int).annotate({ description: "Null for a managed user, of the whole workspace." })
  }),
  frame("inbox.thread_updated", {
    thread_key: Schema.String,
    social_account_id: Schema.String,
    thread_status: Schema.Literals(threadStatuses),
    assigned_to: Schema.NullOr(Schema.String),
    thread: Schema.NullOr(ThreadBody).annotate({
      description: "As it was right after the change; null in what versions before this member wrote."
    })
  }),
  frame("inbox.note_added", { note: NoteBody }),
  frame("inbox.note_deleted", { note_id: Schema.String, thread_id: Schema.String }),
  frame("inbox.reply_updated", { operation: OperationBody }),
  frame("inbox.sync_complete", { sync_id: Schema.String, new_items: Schema.Int }),
  frame("inbox.account_moved", {
    social_account_id: Schema.String.annotate({
      description: "It changed its owner, or was disconnected, connected again or erased: fetch anew."
    })
  }),
  frame("account.connected", {
    account: ConnectedAccountBody.annotate({ description: "Connected, or connected again." })
  }),
  frame("account.attention", {
    account: ConnectedAccountBody.annotate({ description: "Its status, its health's status or its problems changed." })
  }),
  frame("account.disconnected", { account: ConnectedAccountBody }),
  frame("post.published", { post: PostBody.annotate({ description: "Every target is published." }) }),
  frame("post.partial", {
    post: PostBody.annotate({ description: "Some targets are published, and nothing more happens by itself." })
  }),
  frame("post.failed", {
    post: PostBody.annotate({ description: "No target is published, and nothing more happens by itself." })
  }),
  frame("post.target_updated", { post: PostBody.annotate({ description: "Something of a target changed." }) }),
  frame("webhook_endpoint.failing", {
    endpoint: EndpointBody.annotate({
      description: "It began to fail, or was disabled because it answers nothing else."
    })
  }).annotate({
    examples: [
      {
        seq: 41,
        type: "webhook_endpoint.failing",
        workspace_id: "ws_01k9j8kz7c5r3n1p9h7f5d3b1a",
        external_user_id: null,
        at: "2026-11-21T07:30:00.000Z",
        endpoint: { ...endpointExample, status: "failing", last_failure_at: "2026-11-21T07:30:00.000Z" }
      }
    ]
  })
]).annotate({ identifier: "InboxEvent" })
export type EventBody = typeof EventBody.Type

/** The first frame, before any replay: the workspace's last number at the handshake. */
export const HelloBody = Schema.Struct({
  type: Schema.Literal("hello"),
  seq: Schema.Int,
  heartbeat_seconds: Schema.Finite
}).annotate({ identifier: "InboxHello" })

/** What came since `after` can't be told; live from here on: fetch anew. */
export const ResyncBody = Schema.Struct({ type: Schema.Literal("resync_required") }).annotate({
  identifier: "InboxResyncRequired"
})

export const toEventBody = ({ at, event, externalUserId, seq, workspaceId }: DeliveredEvent): EventBody => {
  const place = {
    workspace_id: workspaceId,
    external_user_id: Option.getOrNull(externalUserId),
    at: DateTime.formatIso(at)
  }
  switch (event._tag) {
    case "NewItem":
      return { seq, type: "inbox.new_item", ...place, item: toItemBody(event.item) }
    case "ItemUpdated":
      return { seq, type: "inbox.item_updated", ...place, item: toItemBody(event.item) }
    case "ItemDeleted":
      return { seq, type: "inbox.item_deleted", ...place, item_id: event.itemId }
    case "ItemsRead":
      return {
        seq,
        type: "inbox.items_read",
        ...place,
        up_to_seq: event.upToSeq,
        marked: Option.getOrNull(event.marked)
      }
    case "ThreadUpdated":
      return {
        seq,
        type: "inbox.thread_updated",
        ...place,
        thread_key: event.threadKey,
        social_account_id: event.accountId,
        thread_status: event.status,
        assigned_to: Option.getOrNull(event.assignedTo),
        thread: Option.getOrNull(Option.map(event.thread, toThreadBody))
      }
    case "NoteAdded":
      return { seq, type: "inbox.note_added", ...place, note: toNoteBody(event.note) }
    case "NoteDeleted":
      return { seq, type: "inbox.note_deleted", ...place, note_id: event.noteId, thread_id: event.threadId }
    case "ReplyUpdated":
      return { seq, type: "inbox.reply_updated", ...place, operation: toOperationBody(event.operation) }
    case "SyncCompleted":
      return { seq, type: "inbox.sync_complete", ...place, sync_id: event.syncId, new_items: event.newItems }
    case "AccountMoved":
      return { seq, type: "inbox.account_moved", ...place, social_account_id: event.accountId }
    case "AccountConnected":
      return { seq, type: "account.connected", ...place, account: toConnectedAccountBody(event.account) }
    case "AccountAttention":
      return { seq, type: "account.attention", ...place, account: toConnectedAccountBody(event.account) }
    case "AccountDisconnected":
      return { seq, type: "account.disconnected", ...place, account: toConnectedAccountBody(event.account) }
    case "PostPublished":
      return { seq, type: "post.published", ...place, post: toPostBody(event.post) }
    case "PostPartial":
      return { seq, type: "post.partial", ...place, post: toPostBody(event.post) }
    case "PostFailed":
      return { seq, type: "post.failed", ...place, post: toPostBody(event.post) }
    case "PostTargetUpdated":
      return { seq, type: "post.target_updated", ...place, post: toPostBody(event.post) }
    case "EndpointFailing":
      return { seq, type: "webhook_endpoint.failing", ...place, endpoint: toEndpointBody(event.endpoint) }
  }
}
