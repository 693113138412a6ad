import * as Data from "effect/Data"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Network, Source } from "./Source.ts"

/**
 * What a network said, normalised (social-networks.md §5).
 *
 * Every id is a string of 1 to 512 characters, every URL http(s) and at most 2,048 characters, every text free of NUL
 * and of lone surrogates, bodies at most 64 KiB of UTF-8: an activity can be stored as it is.
 */
export type InboundActivity = Posted | Edited | Deleted | HiddenChanged | AccessRevoked

/**
 * Whose inbox an activity belongs to: each connected account of the network with this id, in every workspace; where
 * none has it, or the network gave no id, each with this user name, compared without regard to case (Threads only).
 * An activity whose route leads to no account is counted and dropped.
 */
export interface AccountRoute {
  readonly network: Network
  /** The id that the network's webhooks use, `network_account_id` of the account. */
  readonly accountId: Option.Option<string>
  readonly username: Option.Option<string>
}

/** Someone on a network. What is `none` was not said, and may be filled later; it is never a reason to forget. */
export interface Person {
  /** Absent where the network names nobody (Threads never gives one). */
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

/** The name that an inbox shows: on Instagram and Threads the user name, on Facebook and X the name (§8 there). */
export const shownName = (network: Network, person: Person): Option.Option<string> =>
  network === "instagram" || network === "threads"
    ? Option.orElse(person.username, () => person.name)
    : Option.orElse(person.name, () => person.username)

export const attachmentTypes = ["image", "video", "audio", "file", "share", "story", "unsupported"] as const

/** Something that hangs on an item. The URL is data that a network gave, often expires, and is never fetched by us. */
export const Attachment = Schema.Struct({
  type: Schema.Literals(attachmentTypes),
  url: Schema.NullOr(Schema.String)
})
export type Attachment = typeof Attachment.Type

/**
 * Which thread an item belongs to.
 *
 * - `Known`: the key itself.
 * - `RootOf`: it answers `parentExternalId`, whose thread is not said. The key is settled **before** the item is
 *   stored: by the stored parent, else by `SocialConnector.findThreadKey`, tried up to 10 minutes while the delivery
 *   is kept, else it is `parentExternalId`. Facebook replies, and X posts of the old shape that answer something.
 */
export type ThreadKey =
  | { readonly _tag: "Known"; readonly key: string }
  | { readonly _tag: "RootOf"; readonly parentExternalId: string }

/**
 * Whether an X post's author has summoned the account (`x_reply` only), so that a reply may be tried.
 *
 * - `yes`: an explicit mention, or a quote of one of its posts
 * - `unknown`: an implicit mention, or nothing that proves anything; X decides when a reply is sent
 * - `no`: the post's entities prove that it neither mentions nor may quote the account
 */
export const summons = ["yes", "unknown", "no"] as const
export const Summons = Schema.Literals(summons)
export type Summons = typeof Summons.Type

/**
 * An item as the network has it, whole. The same item comes again and again, by several events and in any order.
 *
 * Applied to an item that is stored it only adds: a body of a higher `version`, whatever of `author` was missing, a
 * `summons` that comes earlier in `yes`, `unknown`, `no` (one X post arrives as a reply and as a mention).
 */
export class Posted extends Data.TaggedClass("Posted")<{
  readonly route: AccountRoute
  readonly source: Source
  /** Stable over edits: on X the first id of the post's history. */
  readonly externalId: string
  /** What a reply has to name: `externalId`, but on X the id of the newest edit. */
  readonly replyTargetId: string
  readonly threadKey: ThreadKey
  /** What it answers directly: a comment, a post, a message. */
  readonly parentExternalId: Option.Option<string>
  /**
   * The post at the root; none for direct messages and for an X post that is its own root. Where the thread of an
   * `x_reply` is `RootOf`, none as well: it is then the settled key, unless that is the item itself.
   */
  readonly linkedPostId: Option.Option<string>
  readonly author: Person
  /** As far as the delivery alone can tell; `isOwnItem` adds what only the account knows. */
  readonly isOwn: boolean
  /** What a reader sees; "" when there is only an attachment. */
  readonly body: string
  readonly attachments: ReadonlyArray<Attachment>
  readonly receivedAt: DateTime.Utc
  /** 0 for what was first written; see `Edited.version`. */
  readonly version: number
  /** When it was edited, if `version` is above 0. */
  readonly editedAt: Option.Option<DateTime.Utc>
  readonly permalink: Option.Option<string>
  /** None for every source but `x_reply`. */
  readonly summons: Option.Option<Summons>
  /** What our own reply carried when it was sent: the id of its operation (Facebook messages). */
  readonly operationTag: Option.Option<string>
  /** Another app owns the conversation (handover): shown, but a reply will fail until control is taken. */
  readonly isStandby: boolean
}> {}

/** A stored item has another body now. One that comes before its item is kept until the item comes. */
export class Edited extends Data.TaggedClass("Edited")<{
  readonly route: AccountRoute
  readonly source: Source
  readonly externalId: string
  readonly body: string
  /**
   * Orders the bodies of one item: the higher wins, whichever comes first, and equal ones are the same. A safe
   * integer; the network's edit counter where it has one, else made from the event's time. Means nothing else.
   */
  readonly version: number
  readonly editedAt: DateTime.Utc
  /** The item itself, when the edit carries it: it creates the item that is not known yet. Of the same version. */
  readonly whole: Option.Option<Posted>
}> {}

/** An item is gone, for good, also when it comes later. `externalId` may be the `replyTargetId` of a stored item. */
export class Deleted extends Data.TaggedClass("Deleted")<{
  readonly route: AccountRoute
  readonly source: Source
  readonly externalId: string
}> {}

/** An item was hidden or shown on the network by the account's people. Says nothing of the item's author. */
export class HiddenChanged extends Data.TaggedClass("HiddenChanged")<{
  readonly route: AccountRoute
  readonly source: Source
  readonly externalId: string
  readonly isHidden: boolean
  /** Orders the changes of one item, as `Edited.version` does bodies. Not to be compared with those. */
  readonly version: number
  /** The moment that the statement is about. A poll that began earlier does not overrule it. */
  readonly asOf: DateTime.Utc
}> {}

/** The account took its permission back: nothing can be read or sent until it is connected again. */
export class AccessRevoked extends Data.TaggedClass("AccessRevoked")<{
  readonly route: AccountRoute
}> {}

/**
 * Whether an item is of the account itself. Threads names authors by user name only, so the account's own name has to
 * be known; everywhere else the ids decide.
 */
export const isOwnItem = (
  posted: Posted,
  account: { readonly networkAccountId: string; readonly username: Option.Option<string> }
): boolean =>
  posted.isOwn ||
  Option.contains(posted.author.id, account.networkAccountId) ||
  (posted.route.network === "threads" &&
    Option.isSome(posted.author.username) &&
    Option.isSome(account.username) &&
    posted.author.username.value.toLowerCase() === account.username.value.toLowerCase())

/** A part of a delivery that should have been an activity and could not be read. */
export interface Unreadable {
  /** Where it stands in the payload, as in `entry[3].changes[0]`; "" for the payload itself. */
  readonly path: string
  /** For the log and the operator; at most 300 characters, with nothing of the payload's values in it. */
  readonly reason: string
}

/** One delivery, taken apart. One bad element never drops its neighbours. */
export interface NormalisedDelivery {
  /** In the order of the payload, which means nothing. */
  readonly activities: ReadonlyArray<InboundActivity>
  /** How many events of which kind are not for the inbox: `reaction`, `feed.like`, `test`. */
  readonly ignored: ReadonlyMap<string, number>
  /** At most 100 of them; with one or more the delivery is kept as failed, and can be replayed. */
  readonly unreadable: ReadonlyArray<Unreadable>
}
