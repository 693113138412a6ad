import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import {
  type Deleted,
  type Edited,
  type HiddenChanged,
  isIdOf,
  isOwnItem,
  type Posted,
  shownName,
  summons
} from "../networks/InboundActivity.ts"
import type { NetworkTable } from "../networks/Networks.ts"
import { isSameText } from "../networks/networkText.ts"
import type { InboxItemId } from "../kernel/Ids.ts"
import { mergeOwnChange, type OwnChange } from "./acting/ownChange.ts"
import type { AwaitedItem, DeletedItem, Hiding, ItemKey, LiveItem, StoredItem, Wording } from "./StoredItem.ts"

/** What networks tell of one item. */
export type ToldActivity = Posted | Edited | Deleted | HiddenChanged

/** The activities about one item. */
export type ItemActivity = ToldActivity | OwnChange

export interface MergeContext {
  readonly networks: NetworkTable
  readonly account: SocialAccount
  /** The id of the item if this activity creates it. */
  readonly newId: InboxItemId
  readonly now: DateTime.Utc
  /** Start of the request that read the activity; `none` for webhooks. */
  readonly polledAt: Option.Option<DateTime.Utc>
}

/** An item before an activity; aliases are already resolved. */
export type MergeableItem = Exclude<StoredItem, { readonly _tag: "ItemAlias" }>

const maxBy = <A>(order: Order.Order<A>, a: Option.Option<A>, b: Option.Option<A>): Option.Option<A> => {
  if (Option.isNone(a)) return b
  return Option.isSome(b) && order(b.value, a.value) > 0 ? b : a
}

const byVersion = Order.mapInput(Order.Number, ({ version }: { readonly version: number }) => version)
const byText = Order.combine(
  Order.mapInput(Order.Boolean, ({ body }: Wording) => body === ""),
  Order.mapInput(Order.String, ({ body }: Wording) => body)
)
const byEditedAt = Order.mapInput(Order.Number, ({ editedAt }: Wording) =>
  Option.match(editedAt, { onNone: () => Infinity, onSome: DateTime.toEpochMillis })
)

/**
 * Reports of one version normally agree. If a network contradicts itself, the result is still independent of the order
 * of arrival: the lesser text, if not none, and the earlier time of a wording, hidden and the later time of a hiding, the
 * more complete attachments.
 */
const wordings: Order.Order<Wording> = Order.combine(byVersion, Order.flip(Order.combine(byText, byEditedAt)))

const hidings: Order.Order<Hiding> = Order.combineAll([
  byVersion,
  Order.mapInput(Order.Boolean, ({ isHidden }: Hiding) => isHidden),
  Order.mapInput(DateTime.Order, ({ asOf }: Hiding) => asOf)
])

/** The parts of a version that only a whole item has. */
interface Edition {
  readonly version: number
  readonly attachments: LiveItem["attachments"]
  readonly replyTargetId: string
}

const byUrls = ({ attachments }: Edition) => attachments.filter(({ url }) => url !== null).length
const bySize = ({ attachments }: Edition) => attachments.length

/** With an equal number of URLs the first stay, because networks sign the URL of the same file anew each time. */
const editions: Order.Order<Edition> = Order.combineAll([
  byVersion,
  Order.mapInput(Order.Number, byUrls),
  Order.mapInput(Order.Number, bySize),
  Order.mapInput(Order.String, ({ replyTargetId }: Edition) => replyTargetId)
])

/**
 * One post arrives as a reply and as a mention, and only one of them proves that the account was mentioned or quoted.
 */
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

/** The latest time at which the item's body is known to be current. */
const bodyAsOf = (item: LiveItem): DateTime.Utc =>
  Option.getOrElse(
    Option.orElse(item.polledAt, () => item.editedAt),
    () => item.receivedAt
  )

/** An older body differs from the polled one, so the item was edited, at the latest when the poll read it. */
const seenEdited = (item: LiveItem, older: string): LiveItem =>
  Option.isSome(item.editedAt) || Option.isNone(item.polledAt) || older === item.body
    ? item
    : { ...item, editedAt: item.polledAt }

/** Applies a webhook: the higher version wins, unless a poll that started later has seen another body. */
const withWording = (item: LiveItem, given: Option.Option<Wording>): LiveItem => {
  if (Option.isNone(given)) return item
  const { body, editedAt, version } = given.value
  const known: Wording = { body: item.body, version: item.bodyVersion, editedAt: item.editedAt }
  // A polled body wins over everything of the same version.
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

/** Applies a polled body as of the start of its request. The same body again changes nothing. */
const withPolledBody = (item: LiveItem, body: string, polledAt: DateTime.Utc): LiveItem => {
  if (body === item.body) return item
  if (!DateTime.isGreaterThan(polledAt, bodyAsOf(item))) return seenEdited(item, body)
  return { ...item, body, polledAt: Option.some(polledAt), editedAt: Option.some(polledAt) }
}

/** Applies a webhook: the higher version wins, unless it describes a time before that of a poll. */
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

/** Applies the hidden state of a poll as of the start of its request. The same state again changes nothing. */
const polledHiding = (before: Option.Option<Hiding>, isHidden: boolean, asOf: DateTime.Utc): Option.Option<Hiding> => {
  if (isHidden === Option.exists(before, (hiding) => hiding.isHidden)) return before
  if (Option.exists(before, (hiding) => !DateTime.isLessThan(hiding.asOf, asOf))) return before
  const version = Option.match(before, { onNone: () => 0, onSome: (hiding) => hiding.version })
  return Option.some({ isHidden, version, asOf, isPolled: true })
}

/** The thread key if the network gives no better one (social-networks.md §5). */
const threadKeyOf = ({ threadKey }: Posted): string =>
  threadKey._tag === "Known" ? threadKey.key : threadKey.parentExternalId

/** Who wrote it; the account itself by one id, whichever the network used. */
const authorIdOf = ({ author }: Posted, { account }: MergeContext): Option.Option<string> =>
  Option.map(author.id, (id) => (isIdOf(account, id) ? account.networkAccountId : id))

/** Tells neither words nor a file, as of a message that a network does not show: nothing of what the item says. */
const isSilent = ({ attachments, body }: Pick<Posted, "attachments" | "body">): boolean =>
  body === "" && attachments.every(({ type }) => type === "unsupported")

/** As of when a body is known by a poll. If every post carries a version, versions decide, for polls as for webhooks. */
const bodyPolledAt = (posted: Posted, { networks, polledAt }: MergeContext): Option.Option<DateTime.Utc> =>
  isSilent(posted) || networks.traitsOf(posted.source).carriesVersions ? Option.none() : polledAt

const create = (posted: Posted, early: AwaitedItem, context: MergeContext): LiveItem => {
  const { account, networks, newId, now, polledAt } = context
  const isOwn = isOwnItem(networks, posted, account)
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
    authorId: authorIdOf(posted, context),
    authorName: shownName(networks, account.network, posted.author),
    authorAvatarUrl: posted.author.avatarUrl,
    body: posted.body,
    attachments: posted.attachments,
    url: posted.permalink,
    isRead: isOwn,
    isOwn,
    isHidden: false,
    isLiked: false,
    privateRepliedAt: Option.none(),
    postId: Option.none(),
    receivedAt: posted.receivedAt,
    createdAt: now,
    editedAt: posted.editedAt,
    bodyVersion: posted.version,
    polledAt: bodyPolledAt(posted, context),
    postedVersion: posted.version,
    hiding: Option.none(),
    replyTargetId: posted.replyTargetId,
    summons: posted.summons,
    isOnOwnPost: posted.isOnOwnPost === true,
    operationTag: posted.operationTag,
    isStandby: posted.isStandby,
    isListed: Option.isSome(polledAt)
  }
  return withHiding(withWording(item, early.edit), early.hiding)
}

const or = <A>(now: Option.Option<A>, later: Option.Option<A>): Option.Option<A> => Option.orElse(now, () => later)

const newerEdition = (item: LiveItem, posted: Posted): Edition => {
  const { attachments, postedVersion: version, replyTargetId } = item
  const known: Edition = { attachments, version, replyTargetId }
  return editions(posted, known) > 0 ? posted : known
}

/** Applies the same item again: it only adds. Filled fields stay, and a higher version replaces the text. */
const add = (item: LiveItem, posted: Posted, context: MergeContext): LiveItem => {
  const { account, networks } = context
  const polledAt = bodyPolledAt(posted, context)
  const isOwn = item.isOwn || isOwnItem(networks, posted, account)
  const { attachments, replyTargetId, version: postedVersion } = newerEdition(item, posted)
  const filled: LiveItem = {
    ...item,
    parentExternalId: or(item.parentExternalId, posted.parentExternalId),
    linkedPostId: or(item.linkedPostId, posted.linkedPostId),
    authorId: or(item.authorId, authorIdOf(posted, context)),
    authorName: or(item.authorName, shownName(networks, account.network, posted.author)),
    authorAvatarUrl: or(item.authorAvatarUrl, posted.author.avatarUrl),
    url: or(item.url, posted.permalink),
    operationTag: or(item.operationTag, posted.operationTag),
    attachments,
    replyTargetId,
    postedVersion,
    summons: bestSummons(item.summons, posted.summons),
    isOnOwnPost: item.isOnOwnPost || posted.isOnOwnPost === true,
    isOwn,
    isRead: item.isRead || isOwn,
    isStandby: item.isStandby || posted.isStandby,
    isListed: item.isListed || Option.isSome(context.polledAt)
  }
  const { body, editedAt, version } = posted
  if (isOwnReply(item, posted)) return { ...filled, body }
  if (Option.isSome(item.operationTag) && isSameText(networks.traitsOf(posted.source), body, item.body)) return filled
  if (isSilent(posted) && item.body !== "" && version <= item.bodyVersion) return filled
  if (Option.isSome(polledAt)) {
    // The first words are no edit of none.
    const isFirst = isSilent(item) && version === item.bodyVersion
    return isFirst ? { ...filled, body, polledAt } : withPolledBody(filled, body, polledAt.value)
  }
  // The network's copy of our reply, for example with added handles, is not an edit.
  if (Option.isSome(item.operationTag) && version <= item.bodyVersion) return filled
  return withWording(filled, Option.some({ body, version, editedAt }))
}

/** A reply sent by Loopbox keeps the text that was sent (api.md §3), even if its echo arrived first. */
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

const mergeEdit = (before: MergeableItem | undefined, edit: Edited): MergeableItem | undefined => {
  const { body, editedAt, version } = edit
  // Version 0 is not an edit, so there is nothing to keep for an unknown item.
  if (version < 1) return before
  const wording: Option.Option<Wording> = Option.some({ body, version, editedAt: Option.some(editedAt) })
  const item = before ?? awaited(edit)
  switch (item._tag) {
    case "DeletedItem":
      return item
    case "AwaitedItem":
      return { ...item, edit: maxBy(wordings, item.edit, wording) }
    case "LiveItem":
      return withWording(item, wording)
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
 * The state of an item after an activity.
 *
 * Every field keeps a maximum, keeps the newest time, only increases, or is filled once with a value that is equal in
 * every delivery. So order and repetition of deliveries do not matter (design §4). Only names, URLs of files and the
 * time of arrival keep their first value (social-networks.md §5). `undefined`: nothing to store yet.
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
        : mergeEdit(before, activity)
    case "Deleted":
      return deleted(before, activity)
    case "HiddenChanged":
      return mergeHiding(before, activity, context)
    case "LikeChanged":
    case "PrivatelyAnswered":
      return mergeOwnChange(before, activity)
  }
}
