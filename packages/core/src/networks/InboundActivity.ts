import * as Data from "effect/Data"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { NetworkTable } from "./Networks.ts"
import type { Network, Source } from "./Source.ts"

/**
 * What a network reported, normalised (social-networks.md §5).
 *
 * Every id is a string of 1 to 512 characters, every URL http(s) and at most 2,048 characters, every text free of NUL
 * and of lone surrogates, every body at most 64 KiB of UTF-8, so an activity can be stored unchanged.
 */
export type InboundActivity = Posted | Edited | Deleted | HiddenChanged | Announced | AccessRevoked

/**
 * The accounts that an activity belongs to: every connected account that the network names by this id, in all
 * workspaces. If there is none, or the network sent no id: every account with this user name, ignoring case (Threads
 * only). An activity without an account is counted and dropped.
 */
export interface AccountRoute {
  readonly network: Network
  /** An id that the network's webhooks use: `network_account_id` of the account, or its other one. */
  readonly accountId: Option.Option<string>
  readonly username: Option.Option<string>
}

/**
 * A person on a network. `none` means that the network did not say it: it may be filled in later, and never clears what
 * is known.
 */
export interface Person {
  /** Absent if the network names nobody (always on Threads). */
  readonly id: Option.Option<string>
  readonly name: Option.Option<string>
  /** The handle, without `@`. */
  readonly username: Option.Option<string>
  readonly avatarUrl: Option.Option<string>
}

/** Nobody is known. */
export const unknownPerson: Person = {
  id: Option.none(),
  name: Option.none(),
  username: Option.none(),
  avatarUrl: Option.none()
}

/** The name that an inbox shows: user name or name first, as is usual on the network. */
export const shownName = (networks: NetworkTable, network: Network, person: Person): Option.Option<string> =>
  Option.exists(networks.describe(network), ({ shownName: shown }) => shown === "username")
    ? Option.orElse(person.username, () => person.name)
    : Option.orElse(person.name, () => person.username)

export const attachmentTypes = ["image", "video", "audio", "file", "share", "story", "unsupported"] as const

/** A file of an item. The URL comes from the network, often expires, and is never fetched by Loopbox. */
export const Attachment = Schema.Struct({
  type: Schema.Literals(attachmentTypes),
  url: Schema.NullOr(Schema.String)
})
export type Attachment = typeof Attachment.Type

/**
 * Which thread an item belongs to.
 *
 * - `Known`: the key itself.
 * - `RootOf`: the item answers `parentExternalId`, and the network does not say in which thread that is. The key is
 *   settled **before** the item is stored: from the stored parent, else by `SocialConnector.findThreadKey`, which is
 *   retried for up to 10 minutes, else it is `parentExternalId`. Used for Facebook replies, and for X posts in the old
 *   format that answer something.
 */
export type ThreadKey =
  | { readonly _tag: "Known"; readonly key: string }
  | { readonly _tag: "RootOf"; readonly parentExternalId: string }

/**
 * Whether the author of an X post has mentioned or quoted the account (`x_reply` only), so that X may accept a reply.
 *
 * - `yes`: an explicit mention, or a quote of one of its posts
 * - `unknown`: an implicit mention, or no proof; X decides when a reply is sent
 * - `no`: the post's entities prove that it neither mentions nor quotes the account
 */
export const summons = ["yes", "unknown", "no"] as const
export const Summons = Schema.Literals(summons)
export type Summons = typeof Summons.Type

/**
 * A whole item, as the network has it. The same item may arrive many times, by several events and in any order.
 *
 * Applied to a stored item it only adds: a body of a higher `version`, missing fields of `author`, and a better
 * `summons` (`yes` before `unknown` before `no`; one X post arrives as a reply and as a mention).
 */
export class Posted extends Data.TaggedClass("Posted")<{
  readonly route: AccountRoute
  readonly source: Source
  /** The same for every edit: on X the first id of the edit history. */
  readonly externalId: string
  /** The id to reply to: `externalId`, but on X the id of the newest edit. */
  readonly replyTargetId: string
  readonly threadKey: ThreadKey
  /** The comment, post or message that it answers directly. */
  readonly parentExternalId: Option.Option<string>
  /**
   * The root post; `none` for direct messages, and for an X post that is its own root. Also `none` if the thread of an
   * `x_reply` is `RootOf`: the root post is then the settled key, unless that is the item itself.
   */
  readonly linkedPostId: Option.Option<string>
  readonly author: Person
  /** Judged by the delivery alone; `isOwnItem` also compares with the account. */
  readonly isOwn: boolean
  /** The visible text; "" for an item with only an attachment. */
  readonly body: string
  readonly attachments: ReadonlyArray<Attachment>
  readonly receivedAt: DateTime.Utc
  /** 0 for the original; see `Edited.version`. */
  readonly version: number
  /** When it was edited, if `version` is above 0. */
  readonly editedAt: Option.Option<DateTime.Utc>
  readonly permalink: Option.Option<string>
  /** `none` for all sources but `x_reply`. */
  readonly summons: Option.Option<Summons>
  /**
   * It is known to hang on a post of the account, where the network's items may hang on others' posts, too (X). Left
   * out: not known.
   */
  readonly isOnOwnPost?: boolean
  /** The operation id that our own reply carried (Facebook messages). */
  readonly operationTag: Option.Option<string>
  /** Another app controls the conversation (handover): the item is shown, but a reply fails until control is taken. */
  readonly isStandby: boolean
}> {}

/** The body of an item was edited. An edit that arrives before its item is kept until the item arrives. */
export class Edited extends Data.TaggedClass("Edited")<{
  readonly route: AccountRoute
  readonly source: Source
  readonly externalId: string
  readonly body: string
  /**
   * Orders the bodies of one item: the highest version wins in any order of arrival, and equal versions have the same
   * body. A safe integer above 0: the network's edit counter, or else made from the time of the event. It has no other
   * meaning. The original is not an edit, so version 0 changes nothing.
   */
  readonly version: number
  readonly editedAt: DateTime.Utc
  /** The whole item in the same version, if the edit carries it: it creates an item that is not stored yet. */
  readonly whole: Option.Option<Posted>
}> {}

/**
 * An item was deleted permanently, also if the item itself arrives later. `externalId` may be the `replyTargetId` of a
 * stored item.
 */
export class Deleted extends Data.TaggedClass("Deleted")<{
  readonly route: AccountRoute
  readonly source: Source
  readonly externalId: string
}> {}

/** The account's team hid an item on the network, or showed it again. */
export class HiddenChanged extends Data.TaggedClass("HiddenChanged")<{
  readonly route: AccountRoute
  readonly source: Source
  readonly externalId: string
  readonly isHidden: boolean
  /** Orders the changes of one item, as `Edited.version` orders bodies. The two are not comparable. */
  readonly version: number
  /** The time of the change. A poll that started earlier does not overrule it. */
  readonly asOf: DateTime.Utc
}> {}

/**
 * The network announces an item without its content: Instagram sends this at times instead of a direct message. Changes
 * no item. If the item is not stored a few seconds later, the account is polled.
 */
export class Announced extends Data.TaggedClass("Announced")<{
  readonly route: AccountRoute
  readonly source: Source
  readonly externalId: string
  readonly toldAt: DateTime.Utc
}> {}

/** The account revoked its permission: nothing can be read or sent until it is connected again. */
export class AccessRevoked extends Data.TaggedClass("AccessRevoked")<{
  readonly route: AccountRoute
  /** When the revocation arrived. It does not apply to an account that was connected later. */
  readonly toldAt: DateTime.Utc
}> {}

/** The ids by which a network names an account. */
export interface NamedAccount {
  readonly networkAccountId: string
  readonly otherAccountId: Option.Option<string>
}

/** Whether the id is one of the account's. */
export const isIdOf = ({ networkAccountId, otherAccountId }: NamedAccount, id: string): boolean =>
  id === networkAccountId || Option.contains(otherAccountId, id)

/** Whether the account itself wrote an item: compares the ids, or the user names if the network gives no ids. */
export const isOwnItem = (
  networks: NetworkTable,
  posted: Posted,
  account: NamedAccount & { readonly username: Option.Option<string> }
): boolean =>
  posted.isOwn ||
  Option.exists(posted.author.id, (id) => isIdOf(account, id)) ||
  (Option.exists(networks.describe(posted.route.network), ({ knowsOwnBy }) => knowsOwnBy === "username") &&
    Option.isSome(posted.author.username) &&
    Option.isSome(account.username) &&
    posted.author.username.value.toLowerCase() === account.username.value.toLowerCase())

/** A part of a delivery that could not be parsed as an activity. */
export interface Unreadable {
  /** Path in the payload, as in `entry[3].changes[0]`; "" for the whole payload. */
  readonly path: string
  /** For the log and the operator; at most 300 characters, without values of the payload. */
  readonly reason: string
}

/** One parsed delivery. A bad element never drops the other elements. */
export interface NormalisedDelivery {
  /** In the order of the payload, which has no meaning. */
  readonly activities: ReadonlyArray<InboundActivity>
  /** Number of events that are not for the inbox, by kind: `reaction`, `feed.like`, `test`. */
  readonly ignored: ReadonlyMap<string, number>
  /** At most 100. If there is one, the delivery is kept as failed and can be replayed. */
  readonly unreadable: ReadonlyArray<Unreadable>
}
