import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { ReadFailed, WriteFailed } from "./ConnectorErrors.ts"
import type { Feed, FeedPage, FeedRequest, PollStep } from "./Feed.ts"
import type { NormalisedDelivery, Person } from "./InboundActivity.ts"
import type { MediaContext } from "./MediaContext.ts"
import type { Reply, ReplyLook, SentReply, TextMeasure, UncertainReply } from "./Reply.ts"
import type { Network, Source } from "./Source.ts"

/** A webhook's body as it was received, its signature verified. */
export interface RawDelivery {
  readonly body: Uint8Array
  /** When it was stored: the time of an event that carries none. A replay gives the same. */
  readonly arrivedAt: DateTime.Utc
}

/** Takes a delivery apart. Pure, total: bytes of any kind give an answer, the same bytes the same one. */
export type Normalise = (delivery: RawDelivery) => NormalisedDelivery

/** In whose name a network is asked. */
export interface AccountAccess {
  /** The id that webhooks use. */
  readonly networkAccountId: string
  /** The handle without `@`, where it is known. */
  readonly username: Option.Option<string>
  readonly accessToken: Redacted.Redacted<string>
}

/** What a network gave for a token that is running out. */
export interface RefreshedToken {
  readonly accessToken: Redacted.Redacted<string>
  /** X gives a new one at each use, and the old one is dead then. */
  readonly refreshToken: Option.Option<Redacted.Redacted<string>>
  readonly expiresAt: Option.Option<DateTime.Utc>
}

/** An item whose thread its delivery did not tell (`ThreadKey` `RootOf`). */
export interface UnsettledThread {
  readonly source: Source
  readonly externalId: string
  readonly parentExternalId: string
}

/** Reads of one network: the past of an account, and what its items hang on. */
export interface NetworkReads {
  /** What of an account is polled, in order; each fails by itself. */
  readonly pollSteps: ReadonlyArray<PollStep>
  /**
   * The feeds of a step that changed since: the newest 25 posts or conversations at most (social-networks.md §8). One
   * call, where the network's page is large enough.
   */
  readonly listFeeds: (
    access: AccountAccess,
    step: PollStep,
    since: DateTime.Utc
  ) => Effect.Effect<ReadonlyArray<Feed>, ReadFailed>
  readonly readFeed: (access: AccountAccess, feed: Feed, request: FeedRequest) => Effect.Effect<FeedPage, ReadFailed>
  /** Whether an item is still there; `false` only if the network says so in so many words (100/33, not found). */
  readonly isThere: (access: AccountAccess, source: Source, externalId: string) => Effect.Effect<boolean, ReadFailed>
  /** The post that items hang on; `Rejected` `gone` when it is no longer there. Never asked of direct messages. */
  readonly findMediaContext: (
    access: AccountAccess,
    source: Source,
    postId: string
  ) => Effect.Effect<MediaContext, ReadFailed>
  /**
   * What the network tells of a person that `source` named. None when it tells nothing: it has no such call (Threads),
   * or the person is gone or did not consent; asking again soon is of no use.
   */
  readonly findPerson: (
    access: AccountAccess,
    source: Source,
    personId: string
  ) => Effect.Effect<Option.Option<Person>, ReadFailed>
  /**
   * The key of the thread: on Facebook the comment at the top of the parent's chain, on X the post's conversation.
   * `Rejected` `gone` when it can never be told, so that the parent's id is the key. Never asked of other networks;
   * they answer with the parent's id.
   */
  readonly findThreadKey: (access: AccountAccess, thread: UnsettledThread) => Effect.Effect<string, ReadFailed>
}

/** Writes of one network, and what is needed around them. */
export interface NetworkWrites {
  /** Pure. */
  readonly measure: (source: Source, text: string) => TextMeasure
  /**
   * What has to be there before a reply is sent, and shows nothing to anyone: Threads' container, whose id is kept
   * before it is published. May be repeated. None where nothing is needed, without a call.
   */
  readonly prepareReply: (access: AccountAccess, reply: Reply) => Effect.Effect<Option.Option<string>, ReadFailed>
  /**
   * Sends; never by itself a second time. Every failure but `OutcomeUnknown` proves that nothing was posted.
   * (A Threads container that can't be found yet is published again within the same call.)
   */
  readonly sendReply: (
    access: AccountAccess,
    reply: Reply,
    preparation: Option.Option<string>
  ) => Effect.Effect<SentReply, WriteFailed>
  /** Looks for a reply whose outcome is not known. */
  readonly findReply: (access: AccountAccess, uncertain: UncertainReply) => Effect.Effect<ReplyLook, ReadFailed>
  /**
   * A new token. None where the network has nothing to renew by (Facebook Pages, X without client credentials or
   * refresh token). `AuthExpired` when the old one is dead for good.
   */
  readonly refreshToken: (
    access: AccountAccess,
    refreshToken: Option.Option<Redacted.Redacted<string>>
  ) => Effect.Effect<Option.Option<RefreshedToken>, ReadFailed>
}

/**
 * Port: one network, asked in the name of one account.
 *
 * Every call has a time limit, follows no redirect and is not retried here: whoever calls knows for how long it is
 * worth it. A read that fails leaves nothing behind. Calls over the account's budget, or to a network whose circuit is
 * open, fail at once (`RateLimited`, `Unavailable`).
 */
export interface SocialConnector extends NetworkReads, NetworkWrites {
  readonly network: Network
}
