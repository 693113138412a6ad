import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountAccess } from "../AccountAccess.ts"
import type { WriteFailed } from "../ConnectorErrors.ts"
import type { SentReply } from "../Reply.ts"
import type { Source } from "../Source.ts"

/** The stored item that something is done with. */
export interface ModeratedItem {
  readonly source: Source
  readonly externalId: string
  /** The id that the network expects: on X that of the newest edit, else `externalId`. */
  readonly replyTargetId: string
}

/** What is done with an item. Each has one effect, however often it is done. */
export type Moderation = "hide" | "unhide" | "like" | "unlike" | "delete"

/** A direct message to who wrote a comment. */
export interface PrivateReply {
  readonly source: Source
  /** The comment. */
  readonly externalId: string
  /** Who wrote it, if the network said so. */
  readonly authorId: Option.Option<string>
  /** Trimmed and within the limit of the network's direct messages; sent unchanged. */
  readonly text: string
  /** Sent with the message, if the network returns it in webhooks (Facebook's `metadata`). */
  readonly operationId: string
}

/**
 * The optional part of a connector by which items of others are moderated, and comments answered privately. Which of it
 * a network knows say the `actions` of its sources; nothing else is asked for.
 *
 * Every call has a time limit and follows no redirect. Nothing is retried.
 */
export interface NetworkModerate {
  /**
   * May be repeated: an item that is so already stays so, and deleting what is gone succeeds. `Rejected` `gone`: the item
   * is not there, where something else than deleting was asked for.
   */
  readonly act: (access: AccountAccess, item: ModeratedItem, moderation: Moderation) => Effect.Effect<void, WriteFailed>
  /**
   * Sends one message for a comment, of which the network takes no second one: then `Rejected` `already_replied`, which
   * proves that one has arrived. The message lies in the conversation with the person.
   */
  readonly replyPrivately: (access: AccountAccess, reply: PrivateReply) => Effect.Effect<SentReply, WriteFailed>
}
