import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { type IdentityUnavailable, Unauthorized } from "./AccessErrors.ts"

/** The verified claims of a dashboard token. The role is never read from a token. */
export interface Identity {
  readonly userId: string
  /** The workspace claim; without it the request must name the workspace. */
  readonly workspaceId: Option.Option<string>
  /** The managed user whom the token is bound to: it opens their scope and no other. Not bound without it. */
  readonly externalUserId?: Option.Option<string> | undefined
}

export interface TokenRequest {
  readonly userId: string
  readonly workspaceId: string
  /** Binds it to a managed user. */
  readonly externalUserId?: string | undefined
  readonly expiresAt: DateTime.Utc
}

/**
 * Port: the identity provider of the dashboard.
 *
 * Default: refuses every dashboard token, for a host without a dashboard.
 */
export const DashboardIdentity = Context.Reference<{
  /** Verifies signature, issuer, audience and times of a token. */
  readonly verify: (token: Redacted.Redacted<string>) => Effect.Effect<Identity, Unauthorized | IdentityUnavailable>
  /** Signs a token; absent unless the issuer is the built-in one. */
  readonly issue: Option.Option<(request: TokenRequest) => Effect.Effect<Redacted.Redacted<string>>>
}>("@loopbox/core/access/DashboardIdentity", {
  defaultValue: () => ({ verify: () => Effect.fail(new Unauthorized()), issue: Option.none() })
})
