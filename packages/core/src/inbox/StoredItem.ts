import * as Schema from "effect/Schema"
import { Attachment, Summons } from "../connectors/InboundActivity.ts"
import { Source } from "../connectors/Source.ts"
import { InboxItemId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"

/** What a store keeps of an item that readers also see. */
export const itemFields = {
  id: InboxItemId,
  workspaceId: WorkspaceId,
  accountId: SocialAccountId,
  source: Source,
  /** The network's id. */
  externalId: Schema.String,
  /** Settled before the item is stored; never changes. */
  threadKey: Schema.String,
  /** What it answers directly. */
  parentExternalId: Schema.Option(Schema.String),
  /** The post at the root. */
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
  /** Hidden on the network; still listed. */
  isHidden: Schema.Boolean,
  receivedAt: Schema.DateTimeUtc,
  createdAt: Schema.DateTimeUtc,
  editedAt: Schema.Option(Schema.DateTimeUtc)
}

/** Whether an item is hidden on its network, by the newest statement about it. */
export const Hiding = Schema.Struct({
  isHidden: Schema.Boolean,
  version: Schema.Int,
  /** A poll that began earlier does not overrule it. */
  asOf: Schema.DateTimeUtc,
  /** Whether a poll saw it; `version` is then that of what the network sent before. */
  isPolled: Schema.Boolean
})
export type Hiding = typeof Hiding.Type

/** A body by the connector's version of it: the higher wins, whichever comes first. */
export const Wording = Schema.Struct({
  body: Schema.String,
  version: Schema.Int,
  editedAt: Schema.Option(Schema.DateTimeUtc)
})
export type Wording = typeof Wording.Type

const key = { source: Source, externalId: Schema.String }

/** An item that is there, with what only ingest and replies need to know of it. */
export const LiveItem = Schema.TaggedStruct("LiveItem", {
  ...itemFields,
  /** Of `body`. */
  bodyVersion: Schema.Int,
  /** When the poll began that told `body`; none if something that the network sent told it. */
  polledAt: Schema.Option(Schema.DateTimeUtc),
  /** Of `attachments` and `replyTargetId`: an edit alone does not speak of them. */
  postedVersion: Schema.Int,
  hiding: Schema.Option(Hiding),
  /** What a reply to it has to name. */
  replyTargetId: Schema.String,
  summons: Schema.Option(Summons),
  /** The operation that sent it, as the network echoed it. */
  operationTag: Schema.Option(Schema.String),
  /** Another app owns the conversation. */
  isStandby: Schema.Boolean
})
export type LiveItem = typeof LiveItem.Type

/** What came of an item before the item itself: no reader sees it. */
export const AwaitedItem = Schema.TaggedStruct("AwaitedItem", {
  ...key,
  edit: Schema.Option(Wording),
  hiding: Schema.Option(Hiding)
})
export type AwaitedItem = typeof AwaitedItem.Type

/** An item that its network deleted, perhaps before it came: final. Its text is gone. */
export const DeletedItem = Schema.TaggedStruct("DeletedItem", {
  ...key,
  /** Absent if it was deleted before it came. */
  id: Schema.Option(InboxItemId),
  /** What answers it still belongs to its thread. */
  threadKey: Schema.Option(Schema.String)
})
export type DeletedItem = typeof DeletedItem.Type

/** Another id of an item: a network that gives each edit an id may delete by any of them. */
export const ItemAlias = Schema.TaggedStruct("ItemAlias", { ...key, of: Schema.String })
export type ItemAlias = typeof ItemAlias.Type

/** What a store keeps for one (workspace, account, source, external id). */
export const StoredItem = Schema.Union([LiveItem, AwaitedItem, DeletedItem, ItemAlias])
export type StoredItem = typeof StoredItem.Type

/** What names an item within its account: the same on every path. */
export interface ItemKey {
  readonly source: Source
  readonly externalId: string
}

/** What names a thread within its account. */
export interface ThreadName {
  readonly source: Source
  readonly threadKey: string
}

/** An item's name as the key of a map; a source has no space in it. */
export const keyOf = ({ externalId, source }: ItemKey): string => `${source} ${externalId}`

/** A thread's name as the key of a map. */
export const threadOf = ({ source, threadKey }: ThreadName): string => `${source} ${threadKey}`
