import * as Schema from "effect/Schema"
import { Network } from "./Source.ts"

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
