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
import type { Source } from "../connectors/Source.ts"
import type { InboxItemId } from "../kernel/Ids.ts"
import type { AwaitedItem, DeletedItem, Hiding, ItemKey, LiveItem, StoredItem, Wording } from "./StoredItem.ts"

/** What a network may say of one item. */
export type ItemActivity = Posted | Edited | Deleted | HiddenChanged

export interface MergeContext {
  readonly account: SocialAccount
  /** The id of the item, if this activity creates it. */
  readonly newId: InboxItemId
  readonly now: DateTime.Utc
  /** When the request began that read the activity; none for what the network sent by itself. */
  readonly polledAt: Option.Option<DateTime.Utc>
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

/** The moment as of which the item's body is known to hold. */
const bodyAsOf = (item: LiveItem): DateTime.Utc =>
  Option.getOrElse(
    Option.orElse(item.polledAt, () => item.editedAt),
    () => item.receivedAt
  )

/** An older body than a poll's was another one: so the item was edited, at the latest when the poll saw it. */
const seenEdited = (item: LiveItem, older: string): LiveItem =>
  Option.isSome(item.editedAt) || Option.isNone(item.polledAt) || older === item.body
    ? item
    : { ...item, editedAt: item.polledAt }

/** What the network sent: the higher version wins, unless a poll that began later has seen another body. */
const withWording = (item: LiveItem, given: Option.Option<Wording>): LiveItem => {
  if (Option.isNone(given)) return item
  const { body, editedAt, version } = given.value
  const known: Wording = { body: item.body, version: item.bodyVersion, editedAt: item.editedAt }
  // What a poll saw stands against everything of its version.
  const isNewer = Option.isSome(item.polledAt) ? version > known.version : wordings(given.value, known) > 0
  if (!isNewer) return seenEdited(item, body)
  const isOlder = Option.exists(item.polledAt, (polledAt) =>
    DateTime.isLessThan(
      Option.getOrElse(editedAt, () => item.receivedAt),
      polledAt
    )
  )
  if (isOlder && body !== item.body) return { ...seenEdited(item, body), bodyVersion: version }
  return { ...item, body, bodyVersion: version, editedAt, polledAt: Option.none() }
}

/** What a poll saw counts as of the start of its request; the same body again says nothing new. */
const withPolledBody = (item: LiveItem, body: string, polledAt: DateTime.Utc): LiveItem => {
  if (body === item.body) return item
  if (!DateTime.isGreaterThan(polledAt, bodyAsOf(item))) return seenEdited(item, body)
  return { ...item, body, polledAt: Option.some(polledAt), editedAt: Option.some(polledAt) }
}

/**
 * Networks that tell with every post which edit it is, on all paths: their versions rule, whoever told them. Elsewhere
 * a poll gives the body as it is and no version.
 */
const tellsVersions = (source: Source): boolean => source === "x_reply"

/** What the network sent: the higher version wins, unless it is about a moment before that of a poll. */
const newerHiding = (before: Hiding, told: Hiding): Hiding => {
  const isNewer = before.isPolled ? told.version > before.version : hidings(told, before) > 0
  if (!isNewer) return before
  const isOlder = before.isPolled && DateTime.isLessThan(told.asOf, before.asOf)
  return isOlder ? { ...before, version: told.version } : told
}

const withHiding = (item: LiveItem, given: Option.Option<Hiding>): LiveItem => {
  const hiding =
    Option.isSome(item.hiding) && Option.isSome(given)
      ? Option.some(newerHiding(item.hiding.value, given.value))
      : Option.orElse(item.hiding, () => given)
  return { ...item, hiding, isHidden: Option.exists(hiding, ({ isHidden }) => isHidden) }
}

/** What a poll saw of hidden or not, as of the start of its request; nothing new is no change. */
const polledHiding = (before: Option.Option<Hiding>, isHidden: boolean, asOf: DateTime.Utc): Option.Option<Hiding> => {
  if (isHidden === Option.exists(before, (hiding) => hiding.isHidden)) return before
  if (Option.exists(before, (hiding) => !DateTime.isLessThan(hiding.asOf, asOf))) return before
  const version = Option.match(before, { onNone: () => 0, onSome: (hiding) => hiding.version })
  return Option.some({ isHidden, version, asOf, isPolled: true })
}

/** The key that a thread has when nothing better is known of it (social-networks.md §5). */
const threadKeyOf = ({ threadKey }: Posted): string =>
  threadKey._tag === "Known" ? threadKey.key : threadKey.parentExternalId

const create = (posted: Posted, early: AwaitedItem, { account, newId, now, polledAt }: MergeContext): LiveItem => {
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
    polledAt: tellsVersions(posted.source) ? Option.none() : polledAt,
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
const add = (item: LiveItem, posted: Posted, { account, polledAt }: MergeContext): LiveItem => {
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
  if (isOwnReply(item, posted)) return { ...filled, body }
  if (Option.isSome(polledAt) && !tellsVersions(posted.source)) return withPolledBody(filled, body, polledAt.value)
  // The network's own wording of it, handles and all, is no edit.
  if (Option.isSome(item.operationTag) && version <= item.bodyVersion) return filled
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
      return add(before, posted, context)
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

const mergeHiding = (
  before: MergeableItem | undefined,
  activity: HiddenChanged,
  { polledAt }: MergeContext
): MergeableItem | undefined => {
  const { asOf, isHidden, version } = activity
  if (before?._tag === "DeletedItem") return before
  if (Option.isSome(polledAt)) {
    const known = before?.hiding ?? Option.none<Hiding>()
    const hiding = polledHiding(known, isHidden, polledAt.value)
    if (hiding === known) return before
    const item = before ?? awaited(activity)
    return item._tag === "LiveItem" ? { ...item, hiding, isHidden } : { ...item, hiding }
  }
  const told: Hiding = { isHidden, version, asOf, isPolled: false }
  const item = before ?? awaited(activity)
  if (item._tag === "LiveItem") return withHiding(item, Option.some(told))
  return {
    ...item,
    hiding: Option.some(Option.match(item.hiding, { onNone: () => told, onSome: (one) => newerHiding(one, told) }))
  }
}

/**
 * What is known of an item after an activity.
 *
 * Every member either keeps the greatest by an order, or the newest moment, or only rises, or is filled once with what a
 * network says alike in each delivery, so the order of arrival and repetitions do not matter (design §4). Only names,
 * URLs of files and the time of arrival stay as they came first (social-networks.md §5). `undefined`: there is still
 * nothing to keep.
 */
export const mergeActivity = (
  before: MergeableItem | undefined,
  activity: ItemActivity,
  context: MergeContext
): MergeableItem | undefined => {
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
      return mergeHiding(before, activity, context)
  }
}
