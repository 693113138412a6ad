import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { NetworkTable } from "@loopbox/core/networks/Networks"
import { AccountStatus } from "@loopbox/core/accounts/SocialAccount"
import { Login } from "@loopbox/core/networks/Feature"
import { Network } from "@loopbox/core/networks/Source"
import { type Attachment, attachmentTypes, Summons } from "@loopbox/core/networks/InboundActivity"
import { Source } from "@loopbox/core/networks/Source"
import { judgeAccountActions, type JudgedActions } from "@loopbox/core/items/acting/judgeAction"
import { type AccountOfItem, type InboxItem, type ReadItem, toInboxItem } from "@loopbox/core/items/InboxItem"
import type { Hiding, LiveItem, StoredItem, Wording } from "@loopbox/core/items/StoredItem"
import { type ThreadState, ThreadStatus } from "@loopbox/core/items/Thread"
import { InboxItemId, PostId, SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { itsWorkspace } from "./inWorkspace.ts"
import { optional, plain, toOptionalMoment } from "./rows.ts"

/** Columns that readers see, beside the thread's state. */
const readColumns = [
  "workspace_id",
  "account_id",
  "source",
  "external_id",
  "id",
  "thread_key",
  "is_read",
  "is_own",
  "is_hidden",
  "received_at",
  "created_at",
  "edited_at",
  "parent_external_id",
  "linked_post_id",
  "author_id",
  "author_name",
  "author_avatar_url",
  "body",
  "attachments",
  "url",
  "is_liked",
  "private_replied_at",
  "is_on_own_post",
  "post_id"
] as const

/** A thread's state, repeated on its items for the lists' indexes; NULL on those of a large thread. */
const stateColumns = ["thread_status", "assignee"] as const

const storedColumns = [...readColumns, "kind", "alias_of", "detail"] as const

/** All columns, the key first. */
export const itemColumns: ReadonlyArray<string> = [...storedColumns, ...stateColumns]

export const itemKeyColumns: ReadonlyArray<string> = ["workspace_id", "account_id", "source", "external_id"]

const of = (table: string, columns: ReadonlyArray<string>) => columns.map((name) => `${table}.${name}`).join(", ")

/** What core stores of an item. */
export const storedColumnsOf = (table: string): string => of(table, storedColumns)

/** What is carried through a list's statement until the page's rows are known. */
export const listedColumnsOf = (table: string): string =>
  `${of(table, readColumns)}, ${table}.detail ->> 'summons' AS summons, ${of(table, stateColumns)}`

/** The same of rows that are carried already. */
export const carriedColumnsOf = (table: string): string => of(table, [...readColumns, "summons", ...stateColumns])

const isThreadIn = (table: string) => `t.account_id = ${table}.account_id AND t.source = ${table}.source
  AND t.thread_key = ${table}.thread_key`

/** An item's thread, as the condition of a join of `threads t`. */
export const isThreadOf = (table: string): string => `t.workspace_id = ${table}.workspace_id AND ${isThreadIn(table)}`

const ofThread = (table: string, column: string) => `(SELECT t.${column} FROM threads t
  WHERE t.workspace_id = ${itsWorkspace} AND ${isThreadIn(table)})`

/** The state of an item's thread, wherever it lies: the thread itself is asked only where it is a large one. */
export const stateOf = (table: string): { readonly status: string; readonly assignee: string } => ({
  status: `coalesce(${table}.thread_status, ${ofThread(table, "status")})`,
  assignee: `coalesce(${table}.assignee, ${ofThread(table, "assignee")})`
})

/** What readers see of an item, beside whose copy the row of its thread `t` is read where there is no copy. */
export const shownColumnsOf = (table: string): string =>
  `${of(table, [...readColumns, "summons"])}, coalesce(${table}.thread_status, t.status) AS thread_status,
    coalesce(${table}.assignee, t.assignee) AS assignee`

/** The threads `t` of items without a copy of the state, as the condition of an outer join: no others are looked up. */
export const isLargeThreadOf = (table: string): string =>
  `t.workspace_id = ${itsWorkspace} AND t.account_id = ${table}.account_id AND t.source = ${table}.source
    AND t.thread_key = CASE WHEN ${table}.thread_status IS NULL THEN ${table}.thread_key END`

/** The same where the row of the thread is read in any case. */
export const shownWithThread = (table: string): string =>
  `${of(table, readColumns)}, ${table}.detail ->> 'summons' AS summons, t.status AS thread_status, t.assignee`

/**
 * The newest message of the other person in an item's conversation; read for others' direct messages only, for nothing
 * else has a window in which it may be answered.
 */
export const newestInboundOf = (networks: NetworkTable, table: string): string => {
  const messages = networks.sources.filter((source) => networks.traitsOf(source).kind === "message")
  return `(SELECT n.received_at FROM items n
    WHERE NOT ${table}.is_own AND ${table}.source = ANY('{${messages.join(",")}}'::text[])
      AND n.workspace_id = ${itsWorkspace} AND n.account_id = ${table}.account_id AND n.source = ${table}.source
      AND n.thread_key = ${table}.thread_key AND n.kind = 'live' AND NOT n.is_own
    ORDER BY n.received_at DESC, n.id DESC LIMIT 1) AS newest_inbound_at`
}

/** What an item shows of its account. */
export const accountColumnsOf = (table: string): string => `${table}.network, ${table}.network_account_id,
  ${table}.name AS account_name, ${table}.username, ${table}.avatar_url, ${table}.external_user_id,
  ${table}.status AS account_status, ${table}.login, ${table}.permissions`

const isAttachmentType = Schema.is(Schema.Literals(attachmentTypes))

/** An attachment as it is stored, maybe by a newer version, which has types that this one does not know. */
export const StoredAttachment = Schema.Struct({ type: Schema.String, url: Schema.NullOr(Schema.String) })

/** A type that is not known here is one that is not supported: it must not hide the item, nor the list that has it. */
export const toAttachment = ({ type, url }: typeof StoredAttachment.Type): Attachment => ({
  type: isAttachmentType(type) ? type : "unsupported",
  url
})

const readFields = {
  workspace_id: WorkspaceId,
  account_id: SocialAccountId,
  source: Source,
  external_id: Schema.String,
  id: InboxItemId,
  thread_key: Schema.String,
  is_read: Schema.Boolean,
  is_own: Schema.Boolean,
  is_hidden: Schema.Boolean,
  received_at: plain.moment,
  created_at: plain.moment,
  edited_at: Schema.NullOr(plain.moment),
  parent_external_id: plain.text,
  linked_post_id: plain.text,
  author_id: plain.text,
  author_name: plain.text,
  author_avatar_url: plain.text,
  body: Schema.String,
  attachments: Schema.Array(StoredAttachment),
  url: plain.text,
  // NULL in rows of what was awaited or deleted, and where a version before this one made such a row an item.
  is_liked: Schema.NullOr(Schema.Boolean),
  private_replied_at: Schema.NullOr(plain.moment),
  is_on_own_post: Schema.NullOr(Schema.Boolean),
  post_id: Schema.NullOr(PostId)
}

/** A live item with its thread's state and what it shows of its account. */
export const ShownRow = Schema.Struct({
  ...readFields,
  summons: Schema.NullOr(Summons),
  thread_status: ThreadStatus,
  assignee: Schema.String,
  newest_inbound_at: Schema.NullOr(plain.moment),
  network: Network,
  network_account_id: Schema.String,
  account_name: Schema.String,
  username: plain.text,
  avatar_url: plain.text,
  external_user_id: plain.text,
  account_status: AccountStatus,
  login: Schema.NullOr(Login),
  permissions: Schema.Array(Schema.String)
})

const Iso = Schema.DateTimeUtcFromString

const HidingDetail = Schema.Struct({
  isHidden: Schema.Boolean,
  version: Schema.Int,
  asOf: Iso,
  // Absent in rows from before polling.
  isPolled: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
})
const WordingDetail = Schema.Struct({ body: Schema.String, version: Schema.Int, editedAt: optional(Iso) })

/** What only ingest and replies know of a live item. */
const LiveDetail = Schema.Struct({
  bodyVersion: Schema.Int,
  polledAt: Schema.OptionFromOptionalNullOr(Iso),
  postedVersion: Schema.Int,
  hiding: optional(HidingDetail),
  replyTargetId: Schema.String,
  summons: optional(Summons),
  operationTag: optional(Schema.String),
  isStandby: Schema.Boolean,
  // Absent in rows of older versions: a poll that lists the item says it again.
  isListed: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
})

const keyFields = { source: Source, external_id: Schema.String }

/** What is stored under one key. */
export const StoredRow = Schema.Union([
  Schema.Struct({ ...readFields, kind: Schema.Literal("live"), detail: LiveDetail }),
  Schema.Struct({
    ...keyFields,
    kind: Schema.Literal("awaited"),
    detail: Schema.Struct({ edit: optional(WordingDetail), hiding: optional(HidingDetail) })
  }),
  Schema.Struct({
    ...keyFields,
    kind: Schema.Literal("deleted"),
    id: optional(InboxItemId),
    thread_key: optional(Schema.String)
  }),
  Schema.Struct({ ...keyFields, kind: Schema.Literal("alias"), alias_of: Schema.String })
])

const nobody = ""

/** A name as the lists' indexes have it. */
export const toAssignee = (name: Option.Option<string>): string => Option.getOrElse(name, () => nobody)

export const toThread = (row: { readonly thread_status: ThreadStatus; readonly assignee: string }): ThreadState => ({
  status: row.thread_status,
  assignedTo: row.assignee === nobody ? Option.none() : Option.some(row.assignee)
})

/** What is read of an item to show it; whether it was summoned stands in a column of its own, or in its detail. */
const toRead = (row: Pick<typeof ShownRow.Type, (typeof readColumns)[number]>, summons: Option.Option<Summons>) => ({
  id: row.id,
  workspaceId: row.workspace_id,
  accountId: row.account_id,
  source: row.source,
  externalId: row.external_id,
  threadKey: row.thread_key,
  parentExternalId: Option.fromNullOr(row.parent_external_id),
  linkedPostId: Option.fromNullOr(row.linked_post_id),
  authorId: Option.fromNullOr(row.author_id),
  authorName: Option.fromNullOr(row.author_name),
  authorAvatarUrl: Option.fromNullOr(row.author_avatar_url),
  body: row.body,
  attachments: row.attachments.map(toAttachment),
  url: Option.fromNullOr(row.url),
  isRead: row.is_read,
  isOwn: row.is_own,
  isHidden: row.is_hidden,
  receivedAt: DateTime.fromDateUnsafe(row.received_at),
  createdAt: DateTime.fromDateUnsafe(row.created_at),
  editedAt: toOptionalMoment(row.edited_at),
  isLiked: row.is_liked === true,
  privateRepliedAt: toOptionalMoment(row.private_replied_at),
  isOnOwnPost: row.is_on_own_post === true,
  postId: Option.fromNullOr(row.post_id),
  summons
})

/** What is read of an item to show it. */
export const toReadItem = (row: typeof ShownRow.Type): ReadItem => toRead(row, Option.fromNullOr(row.summons))

/** The accounts of rows: each is read and judged once, whatever many rows name it. */
export const makeToJudged = (networks: NetworkTable) => {
  const accounts = new Map<string, { readonly account: AccountOfItem; readonly judged: JudgedActions }>()
  return (row: typeof ShownRow.Type) => {
    const known = accounts.get(row.account_id)
    if (known !== undefined) return known
    const account = toAccountOfItem(row)
    const made = { account, judged: judgeAccountActions(networks, account) }
    accounts.set(row.account_id, made)
    return made
  }
}

/** Items as readers see them now. */
export const makeToShown = (networks: NetworkTable, now: DateTime.Utc) => {
  const toJudged = makeToJudged(networks)
  return (row: typeof ShownRow.Type): InboxItem => {
    const { account, judged } = toJudged(row)
    const shownAt = { now, newestInboundAt: toOptionalMoment(row.newest_inbound_at) }
    return toInboxItem(networks, toReadItem(row), toThread(row), account, shownAt, judged)
  }
}

/** One item as readers see it now. */
export const toShown = (networks: NetworkTable, row: typeof ShownRow.Type, now: DateTime.Utc): InboxItem =>
  makeToShown(networks, now)(row)

/** What a row says of its account. */
export const toAccountOfItem = (row: typeof ShownRow.Type): AccountOfItem => ({
  id: row.account_id,
  network: row.network,
  networkAccountId: row.network_account_id,
  name: row.account_name,
  username: Option.fromNullOr(row.username),
  avatarUrl: Option.fromNullOr(row.avatar_url),
  externalUserId: Option.fromNullOr(row.external_user_id),
  status: row.account_status,
  login: Option.fromNullOr(row.login),
  permissions: row.permissions
})

export const toStored = (row: typeof StoredRow.Type): StoredItem => {
  const { external_id: externalId, source } = row
  switch (row.kind) {
    case "live":
      return { _tag: "LiveItem", ...toRead(row, row.detail.summons), ...row.detail }
    case "awaited":
      return { _tag: "AwaitedItem", source, externalId, ...row.detail }
    case "deleted":
      return { _tag: "DeletedItem", source, externalId, id: row.id, threadKey: row.thread_key }
    case "alias":
      return { _tag: "ItemAlias", source, externalId, of: row.alias_of }
  }
}

const iso = Option.map(DateTime.formatIso)
const nullable = Option.getOrNull

const hidingDetail = (hiding: Option.Option<Hiding>) =>
  nullable(Option.map(hiding, (all) => ({ ...all, asOf: DateTime.formatIso(all.asOf) })))

const wordingDetail = (edit: Option.Option<Wording>) =>
  nullable(Option.map(edit, (all) => ({ ...all, editedAt: nullable(iso(all.editedAt)) })))

/** The copy of a thread's state that an item has; none, if the thread is a large one. */
interface ItemState {
  readonly thread_status: ThreadStatus | null
  readonly assignee: string | null
}

export const toItemState = ({ assignedTo, status }: ThreadState): ItemState => ({
  thread_status: status,
  assignee: toAssignee(assignedTo)
})

export const noItemState: ItemState = { thread_status: null, assignee: null }

const liveColumns = (item: LiveItem, state: ItemState) => ({
  kind: "live",
  id: item.id,
  thread_key: item.threadKey,
  ...state,
  is_read: item.isRead,
  is_own: item.isOwn,
  is_hidden: item.isHidden,
  received_at: DateTime.formatIso(item.receivedAt),
  created_at: DateTime.formatIso(item.createdAt),
  edited_at: nullable(iso(item.editedAt)),
  parent_external_id: nullable(item.parentExternalId),
  linked_post_id: nullable(item.linkedPostId),
  author_id: nullable(item.authorId),
  author_name: nullable(item.authorName),
  author_avatar_url: nullable(item.authorAvatarUrl),
  body: item.body,
  attachments: item.attachments,
  url: nullable(item.url),
  is_liked: item.isLiked,
  private_replied_at: nullable(iso(item.privateRepliedAt)),
  is_on_own_post: item.isOnOwnPost,
  post_id: nullable(item.postId),
  detail: {
    bodyVersion: item.bodyVersion,
    polledAt: nullable(iso(item.polledAt)),
    postedVersion: item.postedVersion,
    hiding: hidingDetail(item.hiding),
    replyTargetId: item.replyTargetId,
    summons: nullable(item.summons),
    operationTag: nullable(item.operationTag),
    isStandby: item.isStandby,
    isListed: item.isListed
  }
})

/** What an item is stored as, beside its account; a column that is not here is NULL. */
export const toItemColumns = (item: StoredItem, stateOfItem: (live: LiveItem) => ItemState) => {
  const key = { source: item.source, external_id: item.externalId }
  switch (item._tag) {
    case "LiveItem":
      return { ...key, ...liveColumns(item, stateOfItem(item)) }
    case "AwaitedItem":
      return {
        ...key,
        kind: "awaited",
        detail: { edit: wordingDetail(item.edit), hiding: hidingDetail(item.hiding) }
      }
    case "DeletedItem":
      return { ...key, kind: "deleted", id: nullable(item.id), thread_key: nullable(item.threadKey) }
    case "ItemAlias":
      return { ...key, kind: "alias", alias_of: item.of }
  }
}
