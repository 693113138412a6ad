import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { ReadFailed, WriteFailed } from "./ConnectorErrors.ts"
import type { AccountAccess, RefreshedToken } from "./AccountAccess.ts"
import type { NetworkConnect } from "./NetworkConnect.ts"
import type { NetworkPublish } from "./publishing/NetworkPublish.ts"
import type { NetworkModerate } from "./moderating/NetworkModerate.ts"
import type { Feed, FeedPage, FeedRequest } from "./Feed.ts"
import type { PollStep } from "./PollStep.ts"
import type { NormalisedDelivery, Person } from "./InboundActivity.ts"
import type { MediaContext } from "./MediaContext.ts"
import type { Reply, ReplyLook, SentReply, TextMeasure, UncertainReply } from "./Reply.ts"
import type { Network, Source } from "./Source.ts"

/** The body of a webhook as it was received, after its signature was verified. */
export interface RawDelivery {
  readonly body: Uint8Array
  /** When it was stored: used for events without a time. A replay has the same value. */
  readonly arrivedAt: DateTime.Utc
}

/** Parses a delivery. Pure; accepts any bytes and never throws. */
export type Normalise = (delivery: RawDelivery) => NormalisedDelivery

/** How a network names the account of a token. */
export interface AccountNames {
  /** All ids of the account, the one that webhooks use among them. */
  readonly ids: ReadonlyArray<string>
  /** The handle without `@`. */
  readonly username: Option.Option<string>
}

/** An item whose delivery does not name its thread (`ThreadKey` `RootOf`). */
export interface UnsettledThread {
  readonly source: Source
  readonly externalId: string
  readonly parentExternalId: string
}

/** The reads of one network. */
export interface NetworkReads {
  /** Asks who the account is. Absent if the network gives an account a single id. */
  readonly identify?: (access: AccountAccess) => Effect.Effect<AccountNames, ReadFailed>
  /** The steps of a poll, in order. Each fails independently. */
  readonly pollSteps: ReadonlyArray<PollStep>
  /**
   * The feeds of a step that changed since a time: at most the newest 25 posts or conversations (social-networks.md
   * §8). One call, if a page of the network is large enough.
   */
  readonly listFeeds: (
    access: AccountAccess,
    step: PollStep,
    since: DateTime.Utc
  ) => Effect.Effect<ReadonlyArray<Feed>, ReadFailed>
  readonly readFeed: (access: AccountAccess, feed: Feed, request: FeedRequest) => Effect.Effect<FeedPage, ReadFailed>
  /** Whether an item still exists; `false` only if the network says so explicitly (100/33, not found). */
  readonly isThere: (access: AccountAccess, source: Source, externalId: string) => Effect.Effect<boolean, ReadFailed>
  /** The post that items belong to; `Rejected` `gone` when it no longer exists. Never called for direct messages. */
  readonly findMediaContext: (
    access: AccountAccess,
    source: Source,
    postId: string
  ) => Effect.Effect<MediaContext, ReadFailed>
  /**
   * The profile of a person that `source` named. `none` if the network has no such call (Threads), or the person is
   * gone or did not consent; an early retry does not help.
   */
  readonly findPerson: (
    access: AccountAccess,
    source: Source,
    personId: string
  ) => Effect.Effect<Option.Option<Person>, ReadFailed>
  /**
   * The key of the thread: on Facebook the top comment of the parent's chain, on X the post's conversation. `Rejected`
   * `gone` when it can never be found; the key is then the parent's id. Other networks return the parent's id.
   */
  readonly findThreadKey: (access: AccountAccess, thread: UnsettledThread) => Effect.Effect<string, ReadFailed>
}

/** The writes of one network, and the calls around them. */
export interface NetworkWrites {
  /** Pure. */
  readonly measure: (source: Source, text: string) => TextMeasure
  /**
   * Prepares a reply without showing anything to anyone: creates Threads' container, whose id is stored before it is
   * published. May be repeated. `none`, without a call, if the network needs no preparation.
   */
  readonly prepareReply: (access: AccountAccess, reply: Reply) => Effect.Effect<Option.Option<string>, ReadFailed>
  /**
   * Sends a reply, and never retries by itself. Every failure but `OutcomeUnknown` proves that nothing was posted.
   * (Within one call, publishing a Threads container is retried while the network can't find it yet.)
   */
  readonly sendReply: (
    access: AccountAccess,
    reply: Reply,
    preparation: Option.Option<string>
  ) => Effect.Effect<SentReply, WriteFailed>
  /** Looks up a reply with an unknown outcome. */
  readonly findReply: (access: AccountAccess, uncertain: UncertainReply) => Effect.Effect<ReplyLook, ReadFailed>
  /**
   * A new token. `none` if the network can't renew it (Facebook Pages, X without client credentials or refresh token).
   * `AuthExpired` when the old one is permanently invalid.
   */
  readonly refreshToken: (
    access: AccountAccess,
    refreshToken: Option.Option<Redacted.Redacted<string>>
  ) => Effect.Effect<Option.Option<RefreshedToken>, ReadFailed>
}

/**
 * Port: one network, called in the name of one account.
 *
 * Every call has a time limit and follows no redirect. Connectors do not retry; that is the caller's decision. A failed
 * read has no effect. Calls over the account's budget, or to a network whose circuit is open, fail at once
 * (`RateLimited`, `Unavailable`).
 */
export interface SocialConnector extends NetworkReads, NetworkWrites {
  readonly network: Network
  /** How people connect accounts, by login; the first is the host's choice. Absent for a network without OAuth. */
  readonly connect?: ReadonlyArray<NetworkConnect>
  /** How accounts publish. Absent for a network to which nothing is published. */
  readonly publish?: NetworkPublish
  /** Absent for a network whose sources have no `actions`. */
  readonly moderate?: NetworkModerate
}
