import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import type { Posted } from "./InboundActivity.ts"
import type { Source } from "./Source.ts"

/** The stored item that is answered. */
export interface ReplyTarget {
  readonly externalId: string
  /** What the network wants named: on X the newest edit, else `externalId`. */
  readonly replyTargetId: string
  /** The root comment, the other party of a conversation, the root post. */
  readonly threadKey: string
  readonly linkedPostId: Option.Option<string>
}

/** One reply to one item, as it is to be sent. */
export interface Reply {
  readonly source: Source
  readonly target: ReplyTarget
  /** Trimmed, within the network's limit; sent as it is. */
  readonly text: string
  /** Travels with the message where the network gives it back (Facebook's `metadata`). */
  readonly operationId: string
}

/** How long a text is, counted as the network counts. */
export interface TextMeasure {
  readonly length: number
  readonly limit: number
}

/** The network took it. */
export interface SentReply {
  /**
   * Our own item: `isOwn`, the text that was sent, `parentExternalId` as the network has it, `receivedAt` the moment of
   * the answer where the network gives no time.
   */
  readonly posted: Posted
}

/** An attempt whose outcome is not known. */
export interface UncertainReply {
  readonly reply: Reply
  /** What `prepareReply` gave. */
  readonly preparation: Option.Option<string>
  /** When the attempt began, by our clock. */
  readonly attemptedAt: DateTime.Utc
}

/**
 * What a look at the network shows of an uncertain reply.
 *
 * - `Candidates`: the account's own answers to the target (or own messages of the conversation) since 60 s before the
 *   attempt, oldest first; core compares the texts. None of them proves nothing: reading lags behind writing.
 * - `NotPublished`: the container still waits a minute after the attempt, so nothing was published, and publishing the
 *   same container again is safe (Threads alone).
 * - `Failed`: the network says that the preparation came to nothing and never will (Threads alone).
 */
export type ReplyLook =
  | { readonly _tag: "Candidates"; readonly posted: ReadonlyArray<Posted> }
  | { readonly _tag: "NotPublished" }
  | { readonly _tag: "Failed"; readonly detail: string }
