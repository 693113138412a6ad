import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import { shownName } from "../connectors/InboundActivity.ts"
import { Network } from "../connectors/Source.ts"
import { type InboxItemId, SocialAccountId } from "../kernel/Ids.ts"
import { itemFields, type LiveItem } from "./StoredItem.ts"
import { ThreadState } from "./Thread.ts"

/** The connected account of an item, as it is now. */
export const ItemAccount = Schema.Struct({
  id: SocialAccountId,
  network: Network,
  name: Schema.String,
  avatarUrl: Schema.Option(Schema.String),
  /** Its owner among the managed users. */
  externalUserId: Schema.Option(Schema.String)
})
export type ItemAccount = typeof ItemAccount.Type

/**
 * A comment, reply or message, as readers see it (§2.1).
 *
 * A plain object: lists are long, and what is in them was judged when it was stored.
 */
export const InboxItem = Schema.Struct({ ...itemFields, thread: ThreadState, account: ItemAccount })
export type InboxItem = typeof InboxItem.Type

/** What an item shows of its account. */
export type AccountOfItem = Pick<
  SocialAccount,
  "id" | "network" | "networkAccountId" | "name" | "username" | "avatarUrl" | "externalUserId"
>

export const toItemAccount = (account: AccountOfItem): ItemAccount => ({
  id: account.id,
  network: account.network,
  name: account.name,
  avatarUrl: account.avatarUrl,
  externalUserId: account.externalUserId
})

/** The item as readers see it; what the account wrote carries its name also where the network gave none. */
export const toInboxItem = (
  live: Pick<LiveItem, keyof typeof itemFields>,
  thread: ThreadState,
  account: AccountOfItem
): InboxItem => ({
  id: live.id,
  workspaceId: live.workspaceId,
  accountId: live.accountId,
  source: live.source,
  externalId: live.externalId,
  threadKey: live.threadKey,
  parentExternalId: live.parentExternalId,
  linkedPostId: live.linkedPostId,
  authorId: live.authorId,
  authorName: live.isOwn ? Option.orElse(live.authorName, () => ownName(account)) : live.authorName,
  authorAvatarUrl: live.isOwn ? Option.orElse(live.authorAvatarUrl, () => account.avatarUrl) : live.authorAvatarUrl,
  body: live.body,
  attachments: live.attachments,
  url: live.url,
  isRead: live.isRead,
  isOwn: live.isOwn,
  isHidden: live.isHidden,
  receivedAt: live.receivedAt,
  createdAt: live.createdAt,
  editedAt: live.editedAt,
  thread,
  account: toItemAccount(account)
})

const ownName = ({ avatarUrl, name, network, networkAccountId, username }: AccountOfItem) =>
  shownName(network, { id: Option.some(networkAccountId), name: Option.some(name), username, avatarUrl })

/** Where an item stands in a list: newest first by (`receivedAt`, `id`). */
export interface ItemPosition {
  readonly receivedAt: DateTime.Utc
  readonly id: InboxItemId
}
