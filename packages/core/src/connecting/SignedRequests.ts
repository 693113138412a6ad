import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Network } from "../networks/Source.ts"

/** What a network says of a person, after its signature was verified. */
export interface SignedRequest {
  /** The id of the person, or of the account, for one of our apps. */
  readonly personId: string
  readonly issuedAt: DateTime.Utc
  /** When it ends, if it does. */
  readonly expiresAt: Option.Option<DateTime.Utc>
}

/** How the `signed_request` of Meta's callbacks is read (social-networks-write.md A6). */
export interface SignedRequestReader {
  /** Networks whose accounts such a request may be about. */
  readonly networks: ReadonlyArray<Network>
  /** `none` if it is malformed, or none of our apps' secrets signed it. Pure. */
  readonly read: (text: string) => Option.Option<SignedRequest>
}

/** Port: reads what Meta signed. Default: a host without an app at Meta, which believes nothing. */
export const SignedRequests = Context.Reference<SignedRequestReader>("@loopbox/core/connecting/SignedRequests", {
  defaultValue: () => ({ networks: [], read: () => Option.none() })
})
