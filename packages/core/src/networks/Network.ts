import type * as Duration from "effect/Duration"
import type * as Option from "effect/Option"
import type { Login } from "./Feature.ts"
import type { PollStep } from "./PollStep.ts"
import type { MediaLimits } from "./publishing/PublishRules.ts"
import type { Network, Source, WebhookEndpoint } from "./Source.ts"

/**
 * Permissions that something needs: one of each row, whichever family of logins the token is of. No row: it needs none.
 */
export type PermissionRows = ReadonlyArray<readonly [string, ...ReadonlyArray<string>]>

/**
 * What may be done with an account.
 *
 * - `inbox`: comments, replies or messages are read
 * - `reply`: they are answered
 * - `publish`: posts are made
 * - `hide`, `delete`, `like`: what others wrote is hidden, deleted (on some networks only what the account wrote), liked
 * - `private_reply`: a comment is answered by a direct message
 */
export type Capability = "inbox" | "reply" | "publish" | "hide" | "delete" | "like" | "private_reply"

/** A capability of a network's accounts, and what a token needs for it. */
export interface CapabilityTraits {
  readonly name: Capability
  readonly permissions: PermissionRows
}

/** At most so many calls of one account within a time. */
export interface Pace {
  readonly most: number
  readonly within: Duration.Duration
}

/** Something that a network allows with items of one kind. Which permissions it needs says the capability of its name. */
export interface ActionTraits {
  readonly name: Extract<Capability, "hide" | "delete" | "like" | "private_reply">
  /** Whose items: those of others, those that the account wrote, or all. */
  readonly of: "others" | "own" | "all"
  /**
   * - `any`: every item
   * - `top_level`: what answers the post itself; deeper answers follow it
   * - `own_post`: what is known to hang on a post of the account
   */
  readonly place: "any" | "top_level" | "own_post"
  /** How long after the item was written. */
  readonly within: Option.Option<Duration.Duration>
  /** By which logins the account may be connected; all of them if none is named. */
  readonly logins: Option.Option<ReadonlyArray<Login>>
  /** What the network takes before it locks the account out. */
  readonly pace: Option.Option<Pace>
}

/** What files an answer may carry: one, of a kind that has limits here. */
export interface ReplyMediaTraits {
  /** A text may stand beside the file. Otherwise one message is either. */
  readonly withText: boolean
  readonly image?: MediaLimits
  readonly video?: MediaLimits
  readonly audio?: MediaLimits
}

/** How a person answers a message after its standard window (`human_agent`): no program does so by itself. */
export interface HumanAgentTraits {
  /** The account must be known to have it: no network says so of a token. */
  readonly permission: string
  /** Since the other person's last message. */
  readonly within: Duration.Duration
}

/** What is particular of one kind of item. Rules ask for a trait, never for the name of a source. */
export interface SourceTraits {
  readonly source: Source
  /** A direct message has the other person for its thread, and may be answered for 24 hours after that person wrote. */
  readonly kind: "message" | "post"
  /** Which step of a poll reads it. */
  readonly pollStep: PollStep
  /**
   * What its items have in common with the feeds of the network's own list, so that a complete list can tell which are
   * missing: the post that they hang on, or the conversation. None where a list proves nothing about what it leaves out.
   */
  readonly listedBy: Option.Option<"linkedPostId" | "threadKey">
  /** The network charges for what is read: never more than is new, and the past only by a confirmed backfill. */
  readonly isBilled: boolean
  /** The network tells with every post which edit it is, on all paths, so that its versions decide. */
  readonly carriesVersions: boolean
  /** A reply needs an `Idempotency-Key`. */
  readonly needsKey: boolean
  /** Something is prepared and kept at the network before the one call that sends (`prepareReply`). */
  readonly preparesReply: boolean
  /** The post at the root of a thread has the thread's key for its id. */
  readonly rootIsThreadKey: boolean
  /** Permissions that a reply needs. */
  readonly replyPermissions: PermissionRows
  /** None where answers are text alone. The network loads the file from an address. */
  readonly replyMedia: Option.Option<ReplyMediaTraits>
  /** None where nothing but the standard window is known. */
  readonly humanAgent: Option.Option<HumanAgentTraits>
  /** What else may be done to its items. */
  readonly actions: ReadonlyArray<ActionTraits>
  /** A reply's text without what the network adds to it or takes from it, so that two can be compared. Pure. */
  readonly comparable: (text: string) => string
}

/** A network as data: what core has to know of it (style guide §1). */
export interface NetworkDescriptor {
  readonly network: Network
  readonly sources: ReadonlyArray<SourceTraits>
  /** None for a network that is only polled. */
  readonly webhookEndpoint: Option.Option<WebhookEndpoint>
  /** Which of a person's names an inbox shows first. */
  readonly shownName: "username" | "name"
  /** How an account recognises what it wrote itself: by the author's id, or also by the author's user name. */
  readonly knowsOwnBy: "id" | "username"
  /** An account can't be connected without its user name. */
  readonly needsUsername: boolean
  /** How the names of its permissions begin: a list without any such name says nothing of what a token may do. */
  readonly permissionPrefixes: ReadonlyArray<string>
  /** What the network knows, in the order in which it is shown. */
  readonly capabilities: ReadonlyArray<CapabilityTraits>
}
