import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import {
  type Deleted,
  type Edited,
  type HiddenChanged,
  isOwnItem,
  type Posted,
  shownName
} from "../connectors/InboundActivity.ts"
import type { InboxItemId } from "../kernel/Ids.ts"
import type { AwaitedItem, DeletedItem, Hiding, ItemKey, LiveItem, StoredItem, Wording } from "./StoredItem.ts"

/** What a network may say of one item. */
export type ItemActivity = Posted | Edited | Deleted | HiddenChanged

export interface MergeContext {
  readonly account: SocialAccount
  /** The id of the item, if this activity creates it. */
  readonly newId: InboxItemId
  readonly now: DateTime.Utc
}

/** An item before an activity; an alias stands for the item that it names. */
export type MergeableItem = Exclude<StoredItem, { readonly _tag: "ItemAlias" }>

const maxBy = <A>(a: Option.Option<A>, b: Option.Option<A>, isNewer: (a: A, b: A) => boolean): Option.Option<A> => {
  if (Option.isNone(a)) return b
  return Option.isSome(b) && isNewer(b.value, a.value) ? b : a
}

const isNewerWording = (a: Wording, b: Wording): boolean => a.version > b.version

/** Two statements of one version say the same; if they don't, hidden is the safer answer, in every order. */
const isNewerHiding = (a: Hiding, b: Hiding): boolean =>
  a.version > b.version || (a.version === b.version && a.isHidden && !b.isHidden)

const awaited = ({ externalId, source }: ItemKey): AwaitedItem => ({
  _tag: "AwaitedItem",
  source,
  externalId,
  edit: Option.none(),
  hiding: Option.none()
})

const deleted = (before: MergeableItem | undefined, { externalId, source }: ItemKey): DeletedItem =>
  before?._tag === "DeletedItem"
    ? before
    : {
        _tag: "DeletedItem",
        source,
        externalId,
        id: before?._tag === "LiveItem" ? Option.some(before.id) : Option.none(),
        threadKey: before?._tag === "LiveItem" ? Option.some(before.threadKey) : Option.none()
      }

const withWording = (item: LiveItem, wording: Option.Option<Wording>): LiveItem =>
  Option.isSome(wording) && wording.value.version > item.bodyVersion
    ? {
        ...item,
        body: wording.value.body,
        bodyVersion: wording.value.version,
        editedAt: wording.value.editedAt
      }
    : item

const withHiding = (item: LiveItem, given: Option.Option<Hiding>): LiveItem => {
  const hiding = maxBy(item.hiding, given, isNewerHiding)
  return { ...item, hiding, isHidden: Option.exists(hiding, ({ isHidden }) => isHidden) }
}

/** The key that a thread has when nothing better is known of it (social-networks.md §5). */
const threadKeyOf = ({ threadKey }: Posted): string =>
  threadKey._tag === "Known" ? threadKey.key : threadKey.parentExternalId

const create = (posted: Posted, early: AwaitedItem, { account, newId, now }: MergeContext): LiveItem => {
  const isOwn = isOwnItem(posted, account)
  const item: LiveItem = {
    _tag: "LiveItem",
    id: newId,
    workspaceId: account.workspaceId,
    accountId: account.id,
    source: posted.source,
    externalId: posted.externalId,
    threadKey: threadKeyOf(posted),
    parentExternalId: posted.parentExternalId,
    linkedPostId: posted.linkedPostId,
    authorId: posted.author.id,
    authorName: shownName(account.network, posted.author),
    authorAvatarUrl: posted.author.avatarUrl,
    body: posted.body,
    attachments: posted.attachments,
    url: posted.permalink,
    isRead: isOwn,
    isOwn,
    isHidden: false,
    receivedAt: posted.receivedAt,
    createdAt: now,
    editedAt: posted.editedAt,
    bodyVersion: posted.version,
    postedVersion: posted.version,
    hiding: Option.none(),
    replyTargetId: posted.replyTargetId,
    summons: posted.summons,
    operationTag: posted.operationTag,
    isStandby: posted.isStandby
  }
  return withHiding(withWording(item, early.edit), early.hiding)
}

const or = <A>(now: Option.Option<A>, later: Option.Option<A>): Option.Option<A> => Option.orElse(now, () => later)

/** The same item again: it only adds. What is filled stays, a higher version brings its text. */
const add = (item: LiveItem, posted: Posted, account: SocialAccount): LiveItem => {
  const isOwn = item.isOwn || isOwnItem(posted, account)
  const isNewer = posted.version > item.postedVersion
  const filled: LiveItem = {
    ...item,
    parentExternalId: or(item.parentExternalId, posted.parentExternalId),
    linkedPostId: or(item.linkedPostId, posted.linkedPostId),
    authorId: or(item.authorId, posted.author.id),
    authorName: or(item.authorName, shownName(account.network, posted.author)),
    authorAvatarUrl: or(item.authorAvatarUrl, posted.author.avatarUrl),
    url: or(item.url, posted.permalink),
    operationTag: or(item.operationTag, posted.operationTag),
    attachments: isNewer ? posted.attachments : item.attachments,
    replyTargetId: isNewer ? posted.replyTargetId : item.replyTargetId,
    summons: isNewer ? posted.summons : item.summons,
    postedVersion: Math.max(item.postedVersion, posted.version),
    isOwn,
    isRead: item.isRead || isOwn,
    isStandby: item.isStandby || posted.isStandby
  }
  const { body, editedAt, version } = posted
  if (isOwnReply(item, posted)) return { ...filled, body }
  return withWording(filled, Option.some({ body, version, editedAt }))
}

/** A reply made here keeps the text that was sent (api.md §3), also where its echo came before it. */
const isOwnReply = (item: LiveItem, { operationTag, version }: Posted): boolean =>
  Option.isSome(operationTag) && Option.isNone(item.operationTag) && version === item.bodyVersion

const mergePosted = (before: MergeableItem | undefined, posted: Posted, context: MergeContext): MergeableItem => {
  if (before === undefined) return create(posted, awaited(posted), context)
  switch (before._tag) {
    case "DeletedItem":
      return { ...before, threadKey: or(before.threadKey, Option.some(threadKeyOf(posted))) }
    case "AwaitedItem":
      return create(posted, before, context)
    case "LiveItem":
      return add(before, posted, context.account)
  }
}

const mergeEdit = (before: MergeableItem, { body, editedAt, version }: Edited): MergeableItem => {
  const wording: Option.Option<Wording> = Option.some({ body, version, editedAt: Option.some(editedAt) })
  switch (before._tag) {
    case "DeletedItem":
      return before
    case "AwaitedItem":
      return { ...before, edit: maxBy(before.edit, wording, isNewerWording) }
    case "LiveItem":
      return withWording(before, wording)
  }
}

const mergeHiding = (before: MergeableItem, { asOf, isHidden, version }: HiddenChanged): MergeableItem => {
  const hiding: Option.Option<Hiding> = Option.some({ isHidden, version, asOf })
  switch (before._tag) {
    case "DeletedItem":
      return before
    case "AwaitedItem":
      return { ...before, hiding: maxBy(before.hiding, hiding, isNewerHiding) }
    case "LiveItem":
      return withHiding(before, hiding)
  }
}

/**
 * What is known of an item after an activity.
 *
 * Every member either keeps the greatest version, or fills once, or only rises, so the order of arrival and
 * repetitions do not matter (design §4).
 */
export const mergeActivity = (
  before: MergeableItem | undefined,
  activity: ItemActivity,
  context: MergeContext
): MergeableItem => {
  switch (activity._tag) {
    case "Posted":
      return mergePosted(before, activity, context)
    case "Edited":
      return Option.isSome(activity.whole)
        ? mergeEdit(mergePosted(before, activity.whole.value, context), activity)
        : mergeEdit(before ?? awaited(activity), activity)
    case "Deleted":
      return deleted(before, activity)
    case "HiddenChanged":
      return mergeHiding(before ?? awaited(activity), activity)
  }
}
