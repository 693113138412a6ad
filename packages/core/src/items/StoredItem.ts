import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Attachment, Summons } from "../networks/InboundActivity.ts"
import { Source } from "../networks/Source.ts"
import { InboxItemId, PostId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"

/** The stored fields of an item that readers see. */
export const itemFields = {
  id: InboxItemId,
  workspaceId: WorkspaceId,
  accountId: SocialAccountId,
  source: Source,
  /** The network's id of the item. */
  externalId: Schema.String,
  /** Set before the item is stored; never changes. */
  threadKey: Schema.String,
  /** The item or post that it answers directly. */
  parentExternalId: Schema.Option(Schema.String),
  /** The root post. */
  linkedPostId: Schema.Option(Schema.String),
  authorId: Schema.Option(Schema.String),
  /** Absent until the network gives one. */
  authorName: Schema.Option(Schema.String),
  authorAvatarUrl: Schema.Option(Schema.String),
  body: Schema.String,
  attachments: Schema.Array(Attachment),
  url: Schema.Option(Schema.String),
  isRead: Schema.Boolean,
  isOwn: Schema.Boolean,
  /** Hidden on the network; still listed here. */
  isHidden: Schema.Boolean,
  /** The account likes it on the network. */
  isLiked: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  /** When it was answered by a direct message, which a network allows once. */
  privateRepliedAt: Schema.Option(Schema.DateTimeUtc).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeedNone)),
  /** The post of this program on which it hangs, as a comment or an answer to one. */
  postId: Schema.Option(PostId).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeedNone)),
  receivedAt: Schema.DateTimeUtc,
  createdAt: Schema.DateTimeUtc,
  editedAt: Schema.Option(Schema.DateTimeUtc)
}

/** Whether an item is hidden on its network, by the newest report. */
export const Hiding = Schema.Struct({
  isHidden: Schema.Boolean,
  version: Schema.Int,
  /** A poll that started earlier does not overrule it. */
  asOf: Schema.DateTimeUtc,
  /** Whether a poll saw it; `version` is then that of the last webhook. */
  isPolled: Schema.Boolean
})
export type Hiding = typeof Hiding.Type

/** A body with its version: the highest version wins, in any order of arrival. */
export const Wording = Schema.Struct({
  body: Schema.String,
  version: Schema.Int,
  editedAt: Schema.Option(Schema.DateTimeUtc)
})
export type Wording = typeof Wording.Type

const key = { source: Source, externalId: Schema.String }

/** An existing item, with the fields that only ingest and replies use. */
export const LiveItem = Schema.TaggedStruct("LiveItem", {
  ...itemFields,
  /** The version of `body`. */
  bodyVersion: Schema.Int,
  /** Start of the poll that read `body`; `none` if it came by webhook. */
  polledAt: Schema.Option(Schema.DateTimeUtc),
  /** The version of `attachments` and `replyTargetId`, which an edit alone does not carry. */
  postedVersion: Schema.Int,
  hiding: Schema.Option(Hiding),
  /** The id to reply to. */
  replyTargetId: Schema.String,
  summons: Schema.Option(Summons),
  /** It is known to hang on a post of the account, where the network's items may hang on others', too. */
  isOnOwnPost: Schema.Boolean,
  /** The operation that sent it, from the network's echo. */
  operationTag: Schema.Option(Schema.String),
  /** Another app controls the conversation. */
  isStandby: Schema.Boolean,
  /**
   * A poll has seen it in the list of its post or conversation. Only such an item can be missing from the list:
   * comments on an ad or a live video come by webhook alone and are never listed.
   */
  isListed: Schema.Boolean
})
export type LiveItem = typeof LiveItem.Type

/** Reports about an item that arrived before the item itself. Not visible to readers. */
export const AwaitedItem = Schema.TaggedStruct("AwaitedItem", {
  ...key,
  edit: Schema.Option(Wording),
  hiding: Schema.Option(Hiding)
})
export type AwaitedItem = typeof AwaitedItem.Type

/** An item that was deleted on the network, perhaps before it arrived. Final; its text is removed. */
export const DeletedItem = Schema.TaggedStruct("DeletedItem", {
  ...key,
  /** Absent if it was deleted before it arrived. */
  id: Schema.Option(InboxItemId),
  /** Its answers still belong to its thread. */
  threadKey: Schema.Option(Schema.String)
})
export type DeletedItem = typeof DeletedItem.Type

/** Another id of an item: a network that gives each edit its own id may delete the item by any of them. */
export const ItemAlias = Schema.TaggedStruct("ItemAlias", { ...key, of: Schema.String })
export type ItemAlias = typeof ItemAlias.Type

/** One stored row per (workspace, account, source, external id). */
export const StoredItem = Schema.Union([LiveItem, AwaitedItem, DeletedItem, ItemAlias])
export type StoredItem = typeof StoredItem.Type

/** Identifies an item within its account; the same in webhooks and polls. */
export interface ItemKey {
  readonly source: Source
  readonly externalId: string
}

/** Identifies a thread within its account. */
export interface ThreadName {
  readonly source: Source
  readonly threadKey: string
}

/** The key of an item in a map; a source contains no space. */
export const keyOf = ({ externalId, source }: ItemKey): string => `${source} ${externalId}`

/** The key of a thread in a map. */
export const threadOf = ({ source, threadKey }: ThreadName): string => `${source} ${threadKey}`
