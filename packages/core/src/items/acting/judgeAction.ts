import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SocialAccount } from "../../accounts/SocialAccount.ts"
import { missingOf } from "../../networks/capabilitiesOf.ts"
import type { ActionTraits, PermissionRows } from "../../networks/Network.ts"
import type { NetworkTable } from "../../networks/Networks.ts"
import type { ReplyWindow } from "./replyWindow.ts"
import type { LiveItem } from "../StoredItem.ts"

/** What may be done with an item at its network, in the order in which it is shown (api-2.md §13). */
export const itemActions = [
  "reply",
  "reply_media",
  "hide",
  "unhide",
  "delete",
  "like",
  "unlike",
  "private_reply"
] as const
export const ItemAction = Schema.Literals(itemActions)
export type ItemAction = typeof ItemAction.Type

/** Why something can't be done with an item (api-2.md §13). */
export const ActionRefusal = Schema.Literals([
  "not_supported",
  "not_owner",
  "own_item",
  "window_closed",
  "already_replied",
  "missing_scopes",
  "not_top_level"
])
export type ActionRefusal = typeof ActionRefusal.Type

/** What of an account decides. */
export type ActingAccount = Pick<SocialAccount, "network" | "login" | "permissions" | "status">

/** What of an item decides. */
export type ActedItem = Pick<
  LiveItem,
  | "source"
  | "isOwn"
  | "isHidden"
  | "isLiked"
  | "isOnOwnPost"
  | "parentExternalId"
  | "linkedPostId"
  | "receivedAt"
  | "privateRepliedAt"
  | "summons"
>

/**
 * - `Available`: the network would be called
 * - `Done`: the item is so already, and no call is needed
 * - `Refused`: it would fail; `missingScopes` are permissions that the account lacks
 */
export type ActionVerdict =
  | { readonly _tag: "Available"; readonly traits: Option.Option<ActionTraits> }
  | { readonly _tag: "Done" }
  | { readonly _tag: "Refused"; readonly reason: ActionRefusal; readonly missingScopes: ReadonlyArray<string> }

const refused = (reason: ActionRefusal, missingScopes: ReadonlyArray<string> = []): ActionVerdict => ({
  _tag: "Refused",
  reason,
  missingScopes
})

/** Made once: a page of items has four hundred verdicts. */
const refusals = {
  not_supported: refused("not_supported"),
  not_owner: refused("not_owner"),
  own_item: refused("own_item"),
  window_closed: refused("window_closed"),
  already_replied: refused("already_replied"),
  not_top_level: refused("not_top_level")
} as const
const done: ActionVerdict = { _tag: "Done" }

/** Each action's name among the traits. An action and its reverse need the same. */
const traitNames: Record<Exclude<ItemAction, "reply" | "reply_media">, ActionTraits["name"]> = {
  hide: "hide",
  unhide: "hide",
  delete: "delete",
  like: "like",
  unlike: "like",
  private_reply: "private_reply"
}

/** Whether an item answers its post itself. */
const isTopLevel = ({ linkedPostId, parentExternalId }: ActedItem): boolean =>
  Option.isNone(parentExternalId) || Option.contains(linkedPostId, parentExternalId.value)

/** What of an action depends on the account and the source, and is the same for all items of both. */
interface JudgedAction {
  readonly action: ItemAction
  /** Absent of a reply, and where the network does not know the action. */
  readonly traits: ActionTraits | undefined
  readonly isSupported: boolean
  /** What is said where nothing else stands in the way: available, or which permissions the account lacks. */
  readonly allowed: ActionVerdict
}

const allowedWith = (missing: ReadonlyArray<string>, traits: ActionTraits | undefined): ActionVerdict =>
  missing.length > 0
    ? refused("missing_scopes", missing)
    : { _tag: "Available", traits: Option.fromUndefinedOr(traits) }

const judgeForAccount = (
  networks: NetworkTable,
  action: ItemAction,
  source: ActedItem["source"],
  account: ActingAccount
): JudgedAction => {
  const network = Option.getOrUndefined(networks.describe(account.network))
  const missing = (rows: PermissionRows) =>
    network === undefined ? [] : missingOf(rows, network.permissionPrefixes, account.permissions)
  const known = networks.traitsOf(source)
  if (action === "reply" || action === "reply_media") {
    const isSupported = action === "reply" || Option.isSome(known.replyMedia)
    const lacked = missing(known.replyPermissions)
    return { action, traits: undefined, isSupported, allowed: allowedWith(lacked, undefined) }
  }
  const name = traitNames[action]
  const traits = known.actions.find((one) => one.name === name)
  // Of an operator's token nobody knows the login; then its permissions decide.
  const isOtherLogin =
    traits !== undefined &&
    Option.exists(traits.logins, (logins) => Option.exists(account.login, (login) => !logins.includes(login)))
  const needed = network?.capabilities.find((one) => one.name === name)?.permissions ?? []
  const isSupported = traits !== undefined && !isOtherLogin
  return { action, traits, isSupported, allowed: allowedWith(missing(needed), traits) }
}

/** By source: every action, as far as the account and the source decide on it. */
export type JudgedActions = (source: ActedItem["source"]) => ReadonlyArray<JudgedAction>

/** Kinds of accounts whose judgements are kept. */
const mostKinds = 1_000

/** By the networks of a process: what was judged of a kind of account. Nothing else decides, so that it stays true. */
const judgedKinds = new WeakMap<NetworkTable, Map<string, Map<string, ReadonlyArray<JudgedAction>>>>()

/** All that decides of an account, as one text. No text of a database has U+0000. */
const kindOf = ({ login, network, permissions }: ActingAccount): string =>
  `${network}\0${Option.isSome(login) ? `=${login.value}` : ""}\0${permissions.join("\0")}`

const judgedOfKind = (networks: NetworkTable, account: ActingAccount): Map<string, ReadonlyArray<JudgedAction>> => {
  const kinds = judgedKinds.get(networks) ?? new Map<string, Map<string, ReadonlyArray<JudgedAction>>>()
  judgedKinds.set(networks, kinds)
  const kind = kindOf(account)
  const known = kinds.get(kind)
  if (known !== undefined) return known
  if (kinds.size >= mostKinds) kinds.clear()
  const made = new Map<string, ReadonlyArray<JudgedAction>>()
  kinds.set(kind, made)
  return made
}

/** Judges an account for a page of its items; each source when it is asked for first of accounts of its kind. */
export const judgeAccountActions = (networks: NetworkTable, account: ActingAccount): JudgedActions => {
  const bySource = judgedOfKind(networks, account)
  return (source) => {
    const known = bySource.get(source)
    if (known !== undefined) return known
    const judged = itemActions.map((action) => judgeForAccount(networks, action, source, account))
    bySource.set(source, judged)
    return judged
  }
}

/** Who wrote the item, and where it stands. */
const refusalOfPlace = (traits: ActionTraits, item: ActedItem): ActionVerdict | undefined => {
  if (traits.of === "others" && item.isOwn) return refusals.own_item
  if (traits.of === "own" && !item.isOwn) return refusals.not_owner
  if (traits.place === "top_level" && !isTopLevel(item)) return refusals.not_top_level
  return traits.place === "own_post" && !item.isOnOwnPost ? refusals.not_owner : undefined
}

const refusalOfTime = (traits: ActionTraits, item: ActedItem, now: DateTime.Utc): ActionVerdict | undefined => {
  if (traits.name === "private_reply" && Option.isSome(item.privateRepliedAt)) return refusals.already_replied
  const isOver =
    Option.isSome(traits.within) &&
    item.receivedAt.epochMilliseconds + Duration.toMillis(traits.within.value) <= now.epochMilliseconds
  return isOver ? refusals.window_closed : undefined
}

const isDone = (action: ItemAction, { isHidden, isLiked }: ActedItem): boolean =>
  (action === "hide" && isHidden) ||
  (action === "unhide" && !isHidden) ||
  (action === "like" && isLiked) ||
  (action === "unlike" && !isLiked)

const judgeReply = (item: ActedItem, allowed: ActionVerdict, window: Option.Option<ReplyWindow>): ActionVerdict => {
  if (item.isOwn) return refusals.own_item
  if (Option.isSome(item.summons) && item.summons.value === "no") return refusals.not_supported
  return Option.isSome(window) && window.value.mode === "closed" ? refusals.window_closed : allowed
}

const judgeItem = (
  { action, allowed, isSupported, traits }: JudgedAction,
  item: ActedItem,
  window: Option.Option<ReplyWindow>,
  now: DateTime.Utc
): ActionVerdict => {
  if (!isSupported) return refusals.not_supported
  if (action === "reply" || action === "reply_media") return judgeReply(item, allowed, window)
  if (traits === undefined) return refusals.not_supported
  const refusal = refusalOfPlace(traits, item) ?? refusalOfTime(traits, item, now)
  if (refusal !== undefined) return refusal
  return allowed._tag === "Available" && isDone(action, item) ? done : allowed
}

/**
 * Whether an action may be tried on an item. An account that must be connected again is judged by its caller. Pure.
 */
export const judgeAction = (
  networks: NetworkTable,
  action: ItemAction,
  item: ActedItem,
  account: ActingAccount,
  window: Option.Option<ReplyWindow>,
  now: DateTime.Utc
): ActionVerdict => judgeItem(judgeForAccount(networks, action, item.source, account), item, window, now)

/** The lists of actions by their sets, a bit for each action in the order of all: a page of items has a few of them. */
const listsOfActions: Array<ReadonlyArray<ItemAction> | undefined> = []
const listOf = (set: number): ReadonlyArray<ItemAction> => {
  const list = listsOfActions[set] ?? itemActions.filter((_, n) => (set & (1 << n)) !== 0)
  listsOfActions[set] = list
  return list
}

/** The actions that would be tried now; none while the account must be connected again (api-2-decided.md A60). */
export const capabilitiesOfItem = (
  judged: JudgedActions,
  item: ActedItem,
  account: ActingAccount,
  window: Option.Option<ReplyWindow>,
  now: DateTime.Utc
): ReadonlyArray<ItemAction> => {
  if (account.status !== "connected") return listOf(0)
  let available = 0
  judged(item.source).forEach((one, n) => {
    if (judgeItem(one, item, window, now)._tag === "Available") available |= 1 << n
  })
  return listOf(available)
}
