import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Posted } from "./InboundActivity.ts"
import type { Source } from "./Source.ts"

/** The stored item to reply to. */
export interface ReplyTarget {
  readonly externalId: string
  /** The id that the network expects: on X that of the newest edit, else `externalId`. */
  readonly replyTargetId: string
  /** The root comment, the other party of a conversation, the root post. */
  readonly threadKey: string
  readonly linkedPostId: Option.Option<string>
}

/** Who answers: `human_agent` is a person, after the standard window. */
export const ReplyTag = Schema.Literal("human_agent")
export type ReplyTag = typeof ReplyTag.Type

/** Kinds of files that answers carry. */
export const replyMediaKinds = ["image", "video", "audio"] as const
export const ReplyMediaKind = Schema.Literals(replyMediaKinds)
export type ReplyMediaKind = typeof ReplyMediaKind.Type

/** A file that an answer carries. */
export interface ReplyMedia {
  readonly kind: ReplyMediaKind
  /** From which the network loads it, for 24 hours. */
  readonly link: string
}

/** One reply to one item, ready to be sent. */
export interface Reply {
  readonly source: Source
  readonly target: ReplyTarget
  /** Trimmed and within the network's limit; sent unchanged. Empty only beside a file. */
  readonly text: string
  /** Left out of a look-up, too: it needs no address. */
  readonly media?: ReplyMedia | undefined
  /** Sent with the message, if the network returns it in webhooks (Facebook's `metadata`). */
  readonly operationId: string
  /** Given where the network would refuse the reply without it. */
  readonly tag?: ReplyTag | undefined
}

/** The length of a text, as the network counts it. */
export interface TextMeasure {
  readonly length: number
  readonly limit: number
}

/** The network accepted the reply. */
export interface SentReply {
  /**
   * The reply as an item: `isOwn`, with the text that was sent and the network's `parentExternalId`. If the network
   * gives no time, `receivedAt` is the time of the answer.
   */
  readonly posted: Posted
}

/** An attempt with an unknown outcome. */
export interface UncertainReply {
  readonly reply: Reply
  /** The result of `prepareReply`. */
  readonly preparation: Option.Option<string>
  /** When the attempt started, by our clock. */
  readonly attemptedAt: DateTime.Utc
}

/**
 * What a look-up at the network shows of an uncertain reply.
 *
 * - `Candidates`: the account's own answers to the target (or own messages of the conversation) since 60 s before the
 *   attempt, oldest first; core compares the texts. An empty list proves nothing, because reads lag behind writes.
 * - `NotPublished`: one minute after the attempt the container is still unpublished, so publishing the same container
 *   again is safe (only Threads).
 * - `Failed`: the network says that the container failed permanently (only Threads).
 */
export type ReplyLook =
  | { readonly _tag: "Candidates"; readonly posted: ReadonlyArray<Posted> }
  | { readonly _tag: "NotPublished" }
  | { readonly _tag: "Failed"; readonly detail: string }
