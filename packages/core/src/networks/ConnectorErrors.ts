import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Network } from "./Source.ts"

const fields = {
  network: Network,
  /**
   * The network's own code: `190/463` (code and subcode), or the name of X's problem. Absent when the network sent
   * none.
   */
  networkCode: Schema.Option(Schema.String),
  /** For logs: the network's error text, at most 500 characters, without tokens. */
  detail: Schema.String
}

/** The network refused permanently: the same call would get the same answer. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", {
  ...fields,
  /**
   * - `gone`: the object does not exist or can't be seen
   * - `window_closed`: the 24 hours for an answer are over
   * - `not_eligible`: X accepts a reply only from an account that the post mentions or quotes
   * - `unreachable`: the person is blocked, deleted, or does not accept messages
   * - `duplicate`: the same text was posted before, perhaps by an earlier attempt
   * - `already_replied`: a comment was answered privately before, by whomever; a network takes one such answer
   * - `blocked`: the account or app is suspended for abuse
   * - `invalid`: a parameter is wrong
   * - `other`: anything else that a retry would not change
   */
  reason: Schema.Literals([
    "gone",
    "window_closed",
    "not_eligible",
    "unreachable",
    "duplicate",
    "already_replied",
    "blocked",
    "invalid",
    "other"
  ])
}) {}

/** Too many calls; nothing was done. `retryAt` is the network's own time; if absent, back off. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  ...fields,
  retryAt: Schema.Option(Schema.DateTimeUtc)
}) {}

/** The account must be connected again; nothing was done. Its status becomes `reauth_required`. */
export class AuthExpired extends Schema.TaggedError<AuthExpired>()("AuthExpired", {
  ...fields,
  /** `token`: the token is invalid; a refresh may help. `permission`: the token is valid, but lacks a permission. */
  reason: Schema.Literals(["token", "permission"]),
  /** Names of the missing permissions, if the network gives them. */
  missingScopes: Schema.Array(Schema.String)
}) {}

/** No usable answer now. A write did not happen; otherwise the error would be `OutcomeUnknown`. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  ...fields,
  /**
   * - `upstream`: refused, reset, timed out, 5xx
   * - `unreadable`: the answer is a redirect, or can't be parsed
   * - `source`: the network works, but not for this account or developer now: no messaging, no credits left
   * - `circuit_open`: calls for several accounts failed just now, so no call is made until `retryAt`
   */
  reason: Schema.Literals(["upstream", "unreadable", "source", "circuit_open"]),
  /** When to retry; if absent, back off. */
  retryAt: Schema.Option(Schema.DateTimeUtc).pipe(Schema.withConstructorDefault(Effect.succeedNone))
}) {}

/** A write may have happened. Never retried automatically; looked up instead. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", fields) {}

/** How a read can fail. */
export type ReadFailed = Rejected | RateLimited | AuthExpired | Unavailable

/** How a write can fail. Every error but `OutcomeUnknown` proves that nothing was written. */
export type WriteFailed = ReadFailed | OutcomeUnknown

/**
 * A person's sign-in gave no account.
 *
 * - `code_expired`: the network does not accept the code (too old, used, or of another redirect address)
 * - `no_pages`: the person has no Page, or allowed none
 * - `account_not_eligible`: the network allows this account no access (personal account, no tester, app not live)
 * - `provider_error`: anything else that the network answered, or that it did not answer
 */
export class ConnectFailed extends Schema.TaggedError<ConnectFailed>()("ConnectFailed", {
  network: Network,
  reason: Schema.Literals(["code_expired", "no_pages", "account_not_eligible", "provider_error"]),
  /** The network's own code, such as `100/36009` or `invalid_grant`. */
  networkCode: Schema.Option(Schema.String),
  /** For logs: the network's error text, at most 500 characters, without tokens or codes. */
  detail: Schema.String
}) {}
