import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { ScopeRequest } from "./ScopeClaim.ts"

/** The credential of a request. */
export interface Credential {
  readonly token: Redacted.Redacted<string>
  /** The workspace that the request names in addition to a dashboard token, or to a console's session. */
  readonly workspaceId: Option.Option<string>
  /** Whether it is a console's session, which the edge has taken from its cookie. No other may call itself so. */
  readonly isOfConsole?: boolean
}

export interface InboxRequest extends ScopeRequest {
  /** Absent when it is missing or can't be parsed. */
  readonly credential: Option.Option<Credential>
}
