import { itemActions } from "@loopbox/core/items/acting/judgeAction"
import { attachmentTypes } from "@loopbox/core/networks/InboundActivity"
import { NetworkName, SourceName } from "../names.ts"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import { threadIdOf } from "@loopbox/core/items/threading/InboxThread"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Time } from "../DataBody.ts"
import { toIsoText } from "../isoText.ts"

export const threadStatuses = ["open", "assigned", "resolved"] as const

const orNull = (description: string) => Schema.NullOr(Schema.String).annotate({ description })

/** An inbox item on the wire (§3.1, api.md §3): every key is always there. */
export const ItemBody = Schema.Struct({
  id: Schema.String,
  workspace_id: Schema.String,
  external_user_id: orNull("The managed user that owns the account now."),
  source: SourceName,
  social_account_id: Schema.String,
  account: Schema.Struct({
    id: Schema.String,
    network: NetworkName,
    name: Schema.String,
    avatar_url: Schema.NullOr(Schema.String)
  }),
  external_id: Schema.String.annotate({ description: "The network's id." }),
  parent_external_id: orNull("What it answers directly."),
  linked_post_id: orNull("The post at the root; null for direct messages."),
  thread_id: Schema.String.annotate({ description: "The thread that it lies in: `GET /v1/inbox/threads/{id}`." }),
  thread_key: Schema.String,
  thread_status: Schema.Literals(threadStatuses),
  assigned_to: orNull("Who works on the thread."),
  author_id: Schema.NullOr(Schema.String),
  author_name: Schema.String.annotate({ description: '"Unknown" until the network gives one.' }),
  author_avatar_url: Schema.NullOr(Schema.String),
  body: Schema.String.annotate({ description: "What a reader sees; empty when there is only an attachment." }),
  attachments: Schema.Array(
    Schema.Struct({ type: Schema.Literals(attachmentTypes), url: Schema.NullOr(Schema.String) })
  ),
  url: orNull("The permalink, as the network gives it."),
  is_read: Schema.Boolean,
  is_own: Schema.Boolean,
  is_hidden: Schema.Boolean.annotate({ description: "Hidden on the network; still listed." }),
  is_liked: Schema.Boolean.annotate({ description: "The account likes it; false where the network has no likes." }),
  private_replied_at: Schema.NullOr(Time).annotate({
    description: "When it was answered by a direct message, which a network allows once a comment."
  }),
  capabilities: Schema.Array(Schema.Literals(itemActions)).annotate({
    description:
      "What would be tried with it now: by network, kind of account, permissions, plan, own or not, and state. " +
      "In an event: when that was written. Empty while the account has to be connected again."
  }),
  reply_window: Schema.NullOr(
    Schema.Struct({ mode: Schema.Literals(["standard", "human_agent", "closed"]), closes_at: Time })
  ).annotate({
    description:
      "Until when a direct message may be answered, or since when not; null where nothing ends. `human_agent`: only by a " +
      'person, with `"tag": "human_agent"`.'
  }),
  post_id: orNull("The post that was published here (`POST /v1/posts`) and that it hangs on."),
  received_at: Time,
  created_at: Time,
  edited_at: Schema.NullOr(Time)
}).annotate({
  identifier: "InboxItem",
  examples: [
    {
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
    }
  ]
})
export type ItemBody = typeof ItemBody.Type

/** An item of a thread whose id is known. */
export const toItemBodyOf = (item: InboxItem, thread_id: string): ItemBody => ({
  id: item.id,
  workspace_id: item.workspaceId,
  external_user_id: Option.getOrNull(item.account.externalUserId),
  source: item.source,
  social_account_id: item.accountId,
  account: {
    id: item.account.id,
    network: item.account.network,
    name: item.account.name,
    avatar_url: Option.getOrNull(item.account.avatarUrl)
  },
  external_id: item.externalId,
  parent_external_id: Option.getOrNull(item.parentExternalId),
  linked_post_id: Option.getOrNull(item.linkedPostId),
  thread_id,
  thread_key: item.threadKey,
  thread_status: item.thread.status,
  assigned_to: Option.getOrNull(item.thread.assignedTo),
  author_id: Option.getOrNull(item.authorId),
  author_name: Option.getOrElse(item.authorName, () => "Unknown"),
  author_avatar_url: Option.getOrNull(item.authorAvatarUrl),
  body: item.body,
  attachments: item.attachments,
  url: Option.getOrNull(item.url),
  is_read: item.isRead,
  is_own: item.isOwn,
  is_hidden: item.isHidden,
  is_liked: item.isLiked,
  private_replied_at: Option.isSome(item.privateRepliedAt) ? toIsoText(item.privateRepliedAt.value) : null,
  capabilities: item.capabilities,
  reply_window: Option.isSome(item.replyWindow)
    ? { mode: item.replyWindow.value.mode, closes_at: toIsoText(item.replyWindow.value.closesAt) }
    : null,
  post_id: Option.getOrNull(item.postId),
  received_at: toIsoText(item.receivedAt),
  created_at: toIsoText(item.createdAt),
  edited_at: Option.isSome(item.editedAt) ? toIsoText(item.editedAt.value) : null
})

export const toItemBody = (item: InboxItem): ItemBody => toItemBodyOf(item, threadIdOf(item))
