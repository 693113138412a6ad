import type { InboxThread } from "@loopbox/core/items/threading/InboxThread"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Time } from "../DataBody.ts"
import { toIsoText } from "../isoText.ts"
import { ItemBody, toItemBodyOf } from "./ItemBody.ts"

const { assigned_to, external_user_id, linked_post_id, post_id } = ItemBody.fields

/** A thread on the wire (api-2.md §14): every key is always there. */
export const ThreadBody = Schema.Struct({
  id: Schema.String,
  thread_key: ItemBody.fields.thread_key,
  source: ItemBody.fields.source,
  social_account_id: ItemBody.fields.social_account_id,
  account: ItemBody.fields.account,
  external_user_id,
  thread_status: ItemBody.fields.thread_status,
  assigned_to,
  snoozed_until: Schema.NullOr(Time).annotate({ description: "Out of sight until then, or until somebody writes." }),
  labels: Schema.Array(Schema.String),
  unread_count: Schema.Int.annotate({ description: "Items that are neither read nor the account's own." }),
  item_count: Schema.Int.annotate({ description: "Listed items, own ones too." }),
  last_item: ItemBody,
  last_item_at: Time,
  last_inbound_at: Schema.NullOr(Time).annotate({ description: "When somebody else wrote last." }),
  reply_window: ItemBody.fields.reply_window,
  participants: Schema.Array(
    Schema.Struct({
      author_id: Schema.NullOr(Schema.String),
      author_name: Schema.String,
      author_avatar_url: Schema.NullOr(Schema.String)
    })
  ).annotate({ description: "The 5 others who wrote last, as far as their names are known." }),
  post_id,
  linked_post_id,
  created_at: Time.annotate({ description: "When its first item was stored." })
}).annotate({
  identifier: "InboxThread",
  examples: [
    {
      id: "thr_5k9j8n3q5s7t9w1y3a5c7e9g1h",
      thread_key: "17895695668004550",
      source: "ig_comment",
      social_account_id: "acc_01k9j8kz9e7t5r3p1m9j7g5e3c",
      account: { id: "acc_01k9j8kz9e7t5r3p1m9j7g5e3c", network: "instagram", name: "Acme", avatar_url: null },
      external_user_id: "customer_1",
      thread_status: "open",
      assigned_to: null,
      snoozed_until: null,
      labels: [],
      unread_count: 1,
      item_count: 1,
      last_item: {
        id: "itm_01k9j8n3q5s7u9w1y3a5c7e9g1",
        workspace_id: "ws_01k9j8kz7c5r3n1p9h7f5d3b1a",
        external_user_id: "customer_1",
        source: "ig_comment",
        social_account_id: "acc_01k9j8kz9e7t5r3p1m9j7g5e3c",
        account: { id: "acc_01k9j8kz9e7t5r3p1m9j7g5e3c", network: "instagram", name: "Acme", avatar_url: null },
        external_id: "17895695668004550",
        parent_external_id: null,
        linked_post_id: "17895695668004000",
        thread_id: "thr_5k9j8n3q5s7t9w1y3a5c7e9g1h",
        thread_key: "17895695668004550",
        thread_status: "open",
        assigned_to: null,
        author_id: "1784140",
        author_name: "ann",
        author_avatar_url: null,
        body: "Is it still there?",
        attachments: [],
        url: null,
        is_read: false,
        is_own: false,
        is_hidden: false,
        is_liked: false,
        private_replied_at: null,
        capabilities: ["reply", "hide", "delete"],
        reply_window: null,
        post_id: null,
        received_at: "2026-11-21T07:00:00.000Z",
        created_at: "2026-11-21T07:00:00.412Z",
        edited_at: null
      },
      last_item_at: "2026-11-21T07:00:00.000Z",
      last_inbound_at: "2026-11-21T07:00:00.000Z",
      reply_window: null,
      participants: [{ author_id: "1784140", author_name: "ann", author_avatar_url: null }],
      post_id: null,
      linked_post_id: "17895695668004000",
      created_at: "2026-11-21T07:00:00.412Z"
    }
  ]
})
export type ThreadBody = typeof ThreadBody.Type

const isoOrNull = Option.match({ onNone: () => null, onSome: toIsoText })

export const toThreadBody = (thread: InboxThread): ThreadBody => {
  const last = toItemBodyOf(thread.lastItem, thread.id)
  return {
    id: thread.id,
    thread_key: thread.threadKey,
    source: thread.source,
    social_account_id: thread.accountId,
    account: last.account,
    external_user_id: last.external_user_id,
    thread_status: thread.status,
    assigned_to: Option.getOrNull(thread.assignedTo),
    snoozed_until: isoOrNull(thread.snoozedUntil),
    labels: thread.labels,
    unread_count: thread.unreadCount,
    item_count: thread.itemCount,
    last_item: last,
    last_item_at: last.received_at,
    last_inbound_at: isoOrNull(thread.lastInboundAt),
    reply_window: Option.match(thread.replyWindow, {
      onNone: () => null,
      onSome: ({ closesAt, mode }) => ({ mode, closes_at: toIsoText(closesAt) })
    }),
    participants: thread.participants.map(({ authorAvatarUrl, authorId, authorName }) => ({
      author_id: Option.getOrNull(authorId),
      author_name: authorName,
      author_avatar_url: Option.getOrNull(authorAvatarUrl)
    })),
    post_id: last.post_id,
    linked_post_id: last.linked_post_id,
    created_at: toIsoText(thread.createdAt)
  }
}
