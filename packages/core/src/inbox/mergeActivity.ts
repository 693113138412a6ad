import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import {
  type Deleted,
  type Edited,
  type HiddenChanged,
  isOwnItem,
  type Posted,
  shownName,
  summons
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

const maxBy = <A>(order: Order.Order<A>, a: Option.Option<A>, b: Option.Option<A>): Option.Option<A> => {
  if (Option.isNone(a)) return b
  return Option.isSome(b) && order(b.value, a.value) > 0 ? b : a
}

const byVersion = Order.mapInput(Order.Number, ({ version }: { readonly version: number }) => version)
const byText = Order.mapInput(Order.String, ({ body }: Wording) => body)
const byEditedAt = Order.mapInput(Order.Number, ({ editedAt }: Wording) =>
  Option.match(editedAt, { onNone: () => Infinity, onSome: DateTime.toEpochMillis })
)

/**
 * Statements of one version say the same; where a network contradicts itself there is one answer, too, in every order of
 * arrival: the lesser text and the earlier time of a wording, hidden and the later moment of a hiding, the attachments
 * of which more is known.
 */
const wordings: Order.Order<Wording> = Order.combine(byVersion, Order.flip(Order.combine(byText, byEditedAt)))

const hidings: Order.Order<Hiding> = Order.combineAll([
  byVersion,
  Order.mapInput(Order.Boolean, ({ isHidden }: Hiding) => isHidden),
  Order.mapInput(DateTime.Order, ({ asOf }: Hiding) => asOf)
])

/** What only a whole item says of a version. */
interface Edition {
  readonly version: number
  readonly attachments: LiveItem["attachments"]
  readonly replyTargetId: string
}

const byUrls = ({ attachments }: Edition) => attachments.filter(({ url }) => url !== null).length
const bySize = ({ attachments }: Edition) => attachments.length

/** Of as many URLs the first stay: networks sign them anew each time they tell of the same file. */
const editions: Order.Order<Edition> = Order.combineAll([
  byVersion,
  Order.mapInput(Order.Number, byUrls),
  Order.mapInput(Order.Number, bySize),
  Order.mapInput(Order.String, ({ replyTargetId }: Edition) => replyTargetId)
])

/** One post comes as a reply and as a mention, and only one of them proves that the account was summoned. */
const bestSummons = (a: LiveItem["summons"], b: LiveItem["summons"]): LiveItem["summons"] =>
  Option.fromUndefinedOr(summons.find((best) => Option.contains(a, best) || Option.contains(b, best)))

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

const withWording = (item: LiveItem, wording: Option.Option<Wording>): LiveItem => {
  const { body, bodyVersion: version, editedAt } = item
  if (Option.isNone(wording) || wordings(wording.value, { body, version, editedAt }) <= 0) return item
  const { body: newBody, editedAt: newTime, version: newVersion } = wording.value
  return { ...item, body: newBody, bodyVersion: newVersion, editedAt: newTime }
}

const withHiding = (item: LiveItem, given: Option.Option<Hiding>): LiveItem => {
  const hiding = maxBy(hidings, item.hiding, given)
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

const newerEdition = (item: LiveItem, posted: Posted): Edition => {
  const { attachments, postedVersion: version, replyTargetId } = item
  const known: Edition = { attachments, version, replyTargetId }
  return editions(posted, known) > 0 ? posted : known
}

/** The same item again: it only adds. What is filled stays, a higher version brings its text. */
const add = (item: LiveItem, posted: Posted, account: SocialAccount): LiveItem => {
  const isOwn = item.isOwn || isOwnItem(posted, account)
  const { attachments, replyTargetId, version: postedVersion } = newerEdition(item, posted)
  const filled: LiveItem = {
    ...item,
    parentExternalId: or(item.parentExternalId, posted.parentExternalId),
    linkedPostId: or(item.linkedPostId, posted.linkedPostId),
    authorId: or(item.authorId, posted.author.id),
    authorName: or(item.authorName, shownName(account.network, posted.author)),
    authorAvatarUrl: or(item.authorAvatarUrl, posted.author.avatarUrl),
    url: or(item.url, posted.permalink),
    operationTag: or(item.operationTag, posted.operationTag),
    attachments,
    replyTargetId,
    postedVersion,
    summons: bestSummons(item.summons, posted.summons),
    isOwn,
    isRead: item.isRead || isOwn,
    isStandby: item.isStandby || posted.isStandby
  }
  const { body, editedAt, version } = posted
  return withWording(filled, Option.some({ body, version, editedAt }))
}

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
      return { ...before, edit: maxBy(wordings, before.edit, wording) }
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
      return { ...before, hiding: maxBy(hidings, before.hiding, hiding) }
    case "LiveItem":
      return withHiding(before, hiding)
  }
}

/**
 * What is known of an item after an activity.
 *
 * Every member either keeps the greatest by an order, or only rises, or is filled once with what a network says alike in
 * each delivery, so the order of arrival and repetitions do not matter (design §4). Only names, URLs of files and the
 * time of arrival stay as they came first (social-networks.md §5).
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
