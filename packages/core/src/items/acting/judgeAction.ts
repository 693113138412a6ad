import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SocialAccount } from "../../accounts/SocialAccount.ts"
import { missingOf } from "../../networks/capabilitiesOf.ts"
import type { ActionTraits, PermissionRows } from "../../networks/Network.ts"
import type { NetworkTable } from "../../networks/Networks.ts"
import type { ReplyWindow } from "./replyWindow.ts"
import type { LiveItem } from "../StoredItem.ts"

/** What may be done with an item at its network, in the order in which it is shown (api-2.md §13). */
export const itemActions = ["reply", "hide", "unhide", "delete", "like", "unlike", "private_reply"] as const
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

/** Each action's name among the traits. An action and its reverse need the same. */
const traitNames: Record<Exclude<ItemAction, "reply">, ActionTraits["name"]> = {
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

/** The permissions that an action needs. */
const permissionsFor = (
  networks: NetworkTable,
  { source }: ActedItem,
  { network }: ActingAccount,
  name: ActionTraits["name"] | "reply"
): PermissionRows =>
  name === "reply"
    ? networks.traitsOf(source).replyPermissions
    : Option.match(networks.describe(network), {
        onNone: () => [],
        onSome: ({ capabilities }) => capabilities.find((one) => one.name === name)?.permissions ?? []
      })

const missingFor = (networks: NetworkTable, account: ActingAccount, rows: PermissionRows): ReadonlyArray<string> =>
  Option.match(networks.describe(account.network), {
    onNone: () => [],
    onSome: ({ permissionPrefixes }) => missingOf(rows, permissionPrefixes, account.permissions)
  })

/** Who wrote the item, and where it stands. */
const refusalOfPlace = (traits: ActionTraits, item: ActedItem): ActionRefusal | undefined => {
  if (traits.of === "others" && item.isOwn) return "own_item"
  if (traits.of === "own" && !item.isOwn) return "not_owner"
  if (traits.place === "top_level" && !isTopLevel(item)) return "not_top_level"
  return traits.place === "own_post" && !item.isOnOwnPost ? "not_owner" : undefined
}

const refusalOfTime = (traits: ActionTraits, item: ActedItem, now: DateTime.Utc): ActionRefusal | undefined => {
  if (traits.name === "private_reply" && Option.isSome(item.privateRepliedAt)) return "already_replied"
  const isOver = Option.exists(traits.within, (within) =>
    DateTime.isLessThanOrEqualTo(DateTime.addDuration(item.receivedAt, within), now)
  )
  return isOver ? "window_closed" : undefined
}

const isDone = (action: ItemAction, { isHidden, isLiked }: ActedItem): boolean =>
  (action === "hide" && isHidden) ||
  (action === "unhide" && !isHidden) ||
  (action === "like" && isLiked) ||
  (action === "unlike" && !isLiked)

const judgeReply = (
  networks: NetworkTable,
  item: ActedItem,
  account: ActingAccount,
  window: Option.Option<ReplyWindow>
): ActionVerdict => {
  if (item.isOwn) return refused("own_item")
  if (Option.contains(item.summons, "no")) return refused("not_supported")
  if (Option.exists(window, ({ mode }) => mode === "closed")) return refused("window_closed")
  const missing = missingFor(networks, account, permissionsFor(networks, item, account, "reply"))
  return missing.length > 0 ? refused("missing_scopes", missing) : { _tag: "Available", traits: Option.none() }
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
): ActionVerdict => {
  if (action === "reply") return judgeReply(networks, item, account, window)
  const name = traitNames[action]
  const traits = networks.traitsOf(item.source).actions.find((one) => one.name === name)
  if (traits === undefined) return refused("not_supported")
  // Of an operator's token nobody knows the login; then its permissions decide.
  const isOtherLogin = Option.exists(traits.logins, (logins) =>
    Option.exists(account.login, (login) => !logins.includes(login))
  )
  if (isOtherLogin) return refused("not_supported")
  const refusal = refusalOfPlace(traits, item) ?? refusalOfTime(traits, item, now)
  if (refusal !== undefined) return refused(refusal)
  const missing = missingFor(networks, account, permissionsFor(networks, item, account, name))
  if (missing.length > 0) return refused("missing_scopes", missing)
  return isDone(action, item) ? { _tag: "Done" } : { _tag: "Available", traits: Option.some(traits) }
}

/** The actions that would be tried now; none while the account must be connected again (api-2-decided.md A60). */
export const capabilitiesOfItem = (
  networks: NetworkTable,
  item: ActedItem,
  account: ActingAccount,
  window: Option.Option<ReplyWindow>,
  now: DateTime.Utc
): ReadonlyArray<ItemAction> =>
  account.status === "connected"
    ? itemActions.filter((action) => judgeAction(networks, action, item, account, window, now)._tag === "Available")
    : []
