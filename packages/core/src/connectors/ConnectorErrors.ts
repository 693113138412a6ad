import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Network } from "./Source.ts"

const fields = {
  network: Network,
  /** The network's own code: `190/463` (code and subcode), or the name of X's problem. Absent when it gave none. */
  networkCode: Schema.Option(Schema.String),
  /** For logs: what the network said, without any token in it, at most 500 characters. */
  detail: Schema.String
}

/** The network said no, for good: the same call gets the same answer. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", {
  ...fields,
  /**
   * - `gone`: the object does not exist or can't be seen
   * - `window_closed`: the 24 hours for an answer are over
   * - `not_eligible`: X lets only those answer who were summoned
   * - `unreachable`: the person is blocked, gone or never to be written to
   * - `duplicate`: the same text was posted before, perhaps by an earlier attempt
   * - `blocked`: the account or app is stopped for abuse
   * - `invalid`: a parameter is wrong
   * - `other`: anything else that will not change by asking again
   */
  reason: Schema.Literals([
    "gone",
    "window_closed",
    "not_eligible",
    "unreachable",
    "duplicate",
    "blocked",
    "invalid",
    "other"
  ])
}) {}

/** Too many calls: nothing was done. `retryAt` is what the network asks for; absent means back off. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  ...fields,
  retryAt: Schema.Option(Schema.DateTimeUtc)
}) {}

/** The account has to be connected again: nothing was done. Its state becomes `reauth_required`. */
export class AuthExpired extends Schema.TaggedError<AuthExpired>()("AuthExpired", {
  ...fields,
  /** `token`: it is dead, though a refresh may mend it. `permission`: it lives, but may not do this. */
  reason: Schema.Literals(["token", "permission"]),
  /** Names of the permissions, where the network says which. */
  missingScopes: Schema.Array(Schema.String)
}) {}

/** No answer that counts now. A write did surely not happen, or it would be `OutcomeUnknown`. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  ...fields,
  /**
   * - `upstream`: refused, reset, timed out, 5xx
   * - `unreadable`: it answered a redirect, or what can't be read
   * - `source`: it works, but not for this account or developer now: no messaging, credits used up
   * - `circuit_open`: it failed for several accounts just now, so it isn't asked until `retryAt`
   */
  reason: Schema.Literals(["upstream", "unreadable", "source", "circuit_open"]),
  /** When asking again may be of use; absent means back off. */
  retryAt: Schema.Option(Schema.DateTimeUtc).pipe(Schema.withConstructorDefault(Effect.succeedNone))
}) {}

/** A write may have happened or not. Never repeated by a machine; looked up instead. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", fields) {}

/** How a read ends without an answer. */
export type ReadFailed = Rejected | RateLimited | AuthExpired | Unavailable

/** How a write ends without a proof that it was done; all but `OutcomeUnknown` prove that it was not. */
export type WriteFailed = ReadFailed | OutcomeUnknown
