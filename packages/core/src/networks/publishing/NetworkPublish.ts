import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import type { AccountAccess } from "../AccountAccess.ts"
import type { ReadFailed, WriteFailed } from "../ConnectorErrors.ts"
import type { Source } from "../Source.ts"
import type { Publication, PublishDraft, Published } from "./Publication.ts"
import type { NotYet, PreparationFailed } from "./PublishErrors.ts"
import type { OptionRule, PublishChoice, PublishRule, TextLimits } from "./PublishRules.ts"

/**
 * What the connector keeps of its work at the network: ids of containers, uploads, videos, media keys. Only the
 * connector reads it; it must understand those of its earlier versions.
 */
export type Preparation = Schema.Json

/** How much of a network's quota for posts is used. */
export interface PublishQuota {
  readonly used: number
  readonly total: number
  /** The length of the moving window that is counted. */
  readonly window: Duration.Duration
}

/** Whether a publication can be published now, or some of its work must be asked for again after a pause. */
export type PreparationStep =
  | { readonly _tag: "Ready"; readonly preparation: Preparation }
  | { readonly _tag: "Again"; readonly preparation: Preparation; readonly after: Duration.Duration }

/** Another publication of the account of which it is not known whether it is on the network. */
export interface PublicationRival {
  readonly operationId: string
  readonly text: string
  /** The same text, files and options: it does not matter which of both posts is whose. */
  readonly isTwin: boolean
  readonly attemptedAt: DateTime.Utc
  readonly lastAttemptAt: DateTime.Utc
  /** It is not newer than this. */
  readonly until: DateTime.Utc
}

/** A publishing call with an unknown outcome. */
export interface UncertainPublication {
  readonly publication: Publication
  readonly preparation: Preparation
  /** When the first publishing call started, by our clock: the post is not older than this, less 60 seconds. */
  readonly attemptedAt: DateTime.Utc
  /** When the last one started: a call may be under way for a minute. */
  readonly lastAttemptAt: DateTime.Utc
  /** Posts of the account that are known as other targets': never the one that is looked for. */
  readonly knownIds: ReadonlySet<string>
  /** What may be on the network beside it. */
  readonly rivals: ReadonlyArray<PublicationRival>
}

/**
 * What a network shows of an uncertain publication.
 *
 * - `Found`: exactly this post is there
 * - `NotPublished`: the network's own state proves that it is not published, and publishing the same preparation again
 *   makes at most one post
 * - `Void`: the preparation expired or failed, so that it was not and will never be published
 * - `Nothing`: proves nothing, because reads lag behind writes; also if a post that fits may be a rival's
 */
export type PublicationLook =
  | { readonly _tag: "Found"; readonly published: Published }
  | { readonly _tag: "NotPublished" }
  | { readonly _tag: "Void" }
  | { readonly _tag: "Nothing" }

/** What a network knows of posts without being asked: its rules, as data and pure functions. */
export interface PublishDescription {
  /** One row for each kind. */
  readonly rules: ReadonlyArray<PublishRule>
  readonly text: TextLimits
  readonly options: ReadonlyArray<OptionRule>
  /** The network loads files from addresses, so that the host must be reachable. */
  readonly fetchesMedia: boolean
  /** The length of a text, as the network counts it. Pure. */
  readonly measure: (text: string) => number
  /** As what a draft goes out. Pure. */
  readonly choose: (draft: PublishDraft) => PublishChoice
  /** The source whose replies comment on a post; absent if own posts can't be commented on. */
  readonly commentSource: Option.Option<Source>
}

/**
 * The optional part of a connector by which an account publishes.
 *
 * Every call has a time limit and follows no redirect; no call is retried by the connector, but within `publish` what
 * the network can't find yet may be tried again for some seconds.
 */
export interface NetworkPublish extends PublishDescription {
  /** `none` if the network tells no quota. */
  readonly quota: (access: AccountAccess) => Effect.Effect<Option.Option<PublishQuota>, ReadFailed>
  /**
   * Does the next step of what comes before publishing: shows nothing to anyone and may be repeated. The preparation is
   * stored after every step; `none` begins anew.
   */
  readonly prepare: (
    access: AccountAccess,
    publication: Publication,
    preparation: Option.Option<Preparation>
  ) => Effect.Effect<PreparationStep, ReadFailed | PreparationFailed>
  /** The one call that publishes. Every failure but `OutcomeUnknown` proves that nothing was published. */
  readonly publish: (
    access: AccountAccess,
    publication: Publication,
    preparation: Preparation
  ) => Effect.Effect<Published, WriteFailed | NotYet>
  /** Looks for a publication with an unknown outcome. */
  readonly find: (access: AccountAccess, uncertain: UncertainPublication) => Effect.Effect<PublicationLook, ReadFailed>
  /** What became known of a post after it was published: its address, Facebook's post id of a video. */
  readonly details: (access: AccountAccess, externalId: string) => Effect.Effect<Published, ReadFailed>
  /**
   * How a post of the account is deleted; one that is gone already counts as deleted. `none` if the network has no call
   * for it, or none for accounts of this login.
   */
  readonly remove: (access: AccountAccess) => Option.Option<(externalId: string) => Effect.Effect<void, WriteFailed>>
}
