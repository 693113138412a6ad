import * as Schema from "effect/Schema"
import { Network } from "../Source.ts"

/**
 * Why a post did not go out to an account (api-2.md §12).
 *
 * - `too_late`: it could not begin within 15 minutes of its time
 * - `quota_exceeded`: the network's quota stayed used up for an hour
 * - `media_fetch_failed`: the network could not load a file from its address
 * - `media_rejected`: the network does not accept a file
 * - `container_expired`: what was prepared at the network expired before it was published
 * - `processing_timeout`: the network did not finish its work on the files in time
 * - `account_not_found`: the account is another managed user's by now than the post
 * - `reconnect_required`, `missing_scopes`: the account must be connected again
 * - `rate_limited`, `network_unavailable`: the network did not take the call
 * - `duplicate_content`: the account published the same before
 * - `spam_blocked`: the network's protection against abuse refused it
 * - `rejected`: any other refusal
 */
export const PublishFailureCode = Schema.Literals([
  "too_late",
  "quota_exceeded",
  "media_fetch_failed",
  "media_rejected",
  "container_expired",
  "processing_timeout",
  "account_not_found",
  "reconnect_required",
  "missing_scopes",
  "rate_limited",
  "duplicate_content",
  "spam_blocked",
  "network_unavailable",
  "rejected"
])
export type PublishFailureCode = typeof PublishFailureCode.Type

/**
 * What was prepared at the network failed permanently: nothing was published.
 *
 * `again`: `new` prepares once more from the beginning (at most twice), `never` fails the target.
 */
export class PreparationFailed extends Schema.TaggedError<PreparationFailed>()("PreparationFailed", {
  network: Network,
  code: PublishFailureCode,
  /** The network's own code, such as `352/2207026`. */
  networkCode: Schema.Option(Schema.String),
  /** For logs: the network's error text, at most 500 characters, without tokens. */
  detail: Schema.String,
  again: Schema.Literals(["new", "never"])
}) {}

/**
 * The network does not publish what was prepared yet, or says that it can't find it (9007, 24/4279009, 24/2207008).
 * Nothing was published; the same preparation may be tried again soon.
 */
export class NotYet extends Schema.TaggedError<NotYet>()("NotYet", {
  network: Network,
  networkCode: Schema.Option(Schema.String),
  detail: Schema.String
}) {}
