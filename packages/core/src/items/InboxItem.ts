import type { NetworkTable } from "../networks/Networks.ts"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import { shownName } from "../networks/InboundActivity.ts"
import { Network } from "../networks/Source.ts"
import { type InboxItemId, SocialAccountId } from "../kernel/Ids.ts"
import { capabilitiesOfItem, ItemAction, judgeAccountActions, type JudgedActions } from "./acting/judgeAction.ts"
import { ReplyWindow, replyWindowOf } from "./acting/replyWindow.ts"
import { itemFields, type LiveItem } from "./StoredItem.ts"
import { stateOf, ThreadState } from "./Thread.ts"

/** The current state of an item's account. */
export const ItemAccount = Schema.Struct({
  id: SocialAccountId,
  network: Network,
  name: Schema.String,
  avatarUrl: Schema.Option(Schema.String),
  /** The managed user that owns it. */
  externalUserId: Schema.Option(Schema.String)
})
export type ItemAccount = typeof ItemAccount.Type

/**
 * A comment, reply or message, as readers see it (§2.1).
 *
 * A plain object, not a class: lists are long, and items were validated when they were stored.
 */
export const InboxItem = Schema.Struct({
  ...itemFields,
  thread: ThreadState,
  account: ItemAccount,
  /** What would be tried with it when this was made; empty in events of earlier versions. */
  capabilities: Schema.Array(ItemAction).pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  /** Whether a direct message may be answered, when this was made. */
  replyWindow: Schema.Option(ReplyWindow).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeedNone))
})
export type InboxItem = typeof InboxItem.Type

/** What an item shows of its account. */
export type AccountOfItem = Pick<
  SocialAccount,
  | "id"
  | "network"
  | "networkAccountId"
  | "name"
  | "username"
  | "avatarUrl"
  | "externalUserId"
  | "status"
  | "login"
  | "permissions"
>

/** When an item is shown, and what of its thread decides what may be done then. */
export interface ShownAt {
  readonly now: DateTime.Utc
  /** The newest message of the other person in its conversation. */
  readonly newestInboundAt: Option.Option<DateTime.Utc>
}

/** What is read of an item to show it. */
export type ReadItem = Pick<LiveItem, keyof typeof itemFields | "summons" | "isOnOwnPost">

export const toItemAccount = (account: AccountOfItem): ItemAccount => ({
  id: account.id,
  network: account.network,
  name: account.name,
  avatarUrl: account.avatarUrl,
  externalUserId: account.externalUserId
})

/**
 * The item as readers see it. Whoever shows a page of items judges each account once, and gives what was judged. An own item without an author name gets the name of the account.
 */
export const toInboxItem = (
  networks: NetworkTable,
  live: ReadItem,
  thread: ThreadState,
  account: AccountOfItem,
  { newestInboundAt, now }: ShownAt,
  judged: JudgedActions = judgeAccountActions(networks, account)
): InboxItem => {
  const replyWindow = replyWindowOf(networks.traitsOf(live.source), live, account, newestInboundAt, now)
  return {
    id: live.id,
    workspaceId: live.workspaceId,
    accountId: live.accountId,
    source: live.source,
    externalId: live.externalId,
    threadKey: live.threadKey,
    parentExternalId: live.parentExternalId,
    linkedPostId: live.linkedPostId,
    authorId: live.authorId,
    authorName: live.isOwn ? Option.orElse(live.authorName, () => ownName(networks, account)) : live.authorName,
    authorAvatarUrl: live.isOwn ? Option.orElse(live.authorAvatarUrl, () => account.avatarUrl) : live.authorAvatarUrl,
    body: live.body,
    attachments: live.attachments,
    url: live.url,
    isRead: live.isRead,
    isOwn: live.isOwn,
    isHidden: live.isHidden,
    isLiked: live.isLiked,
    privateRepliedAt: live.privateRepliedAt,
    postId: live.postId,
    receivedAt: live.receivedAt,
    createdAt: live.createdAt,
    editedAt: live.editedAt,
    thread: stateOf(thread),
    account: toItemAccount(account),
    capabilities: capabilitiesOfItem(judged, live, account, replyWindow, now),
    replyWindow
  }
}

const ownName = (networks: NetworkTable, { avatarUrl, name, network, networkAccountId, username }: AccountOfItem) =>
  shownName(networks, network, { id: Option.some(networkAccountId), name: Option.some(name), username, avatarUrl })

/** The position of an item in a list, which is sorted by (`receivedAt`, `id`), newest first. */
export interface ItemPosition {
  readonly receivedAt: DateTime.Utc
  readonly id: InboxItemId
}
