import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { ConnectSessionId, OutgoingEndpointId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { CredentialsUnreadable } from "./AccountErrors.ts"

/** The credentials that a network issued to an account. */
export interface Credentials {
  readonly accessToken: Redacted.Redacted<string>
  readonly refreshToken: Option.Option<Redacted.Redacted<string>>
  readonly expiresAt: Option.Option<DateTime.Utc>
}

/**
 * The owner, which is authenticated with the sealed text, so that credentials can't be moved to another account: an
 * account, a session in which accounts are connected, or a webhook endpoint with its secret as `accessToken`.
 */
export interface CredentialOwner {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId | ConnectSessionId | OutgoingEndpointId
}

/** Encrypted credentials as they are stored. The text names its key, so that keys can be rotated. */
export type SealedCredentials = string

/** Port: encrypts the credentials of accounts before they are stored (design §5). */
export class CredentialVault extends Context.Service<
  CredentialVault,
  {
    readonly seal: (owner: CredentialOwner, credentials: Credentials) => Effect.Effect<SealedCredentials>
    readonly open: (
      owner: CredentialOwner,
      sealed: SealedCredentials
    ) => Effect.Effect<Credentials, CredentialsUnreadable>
  }
>()("@loopbox/core/accounts/CredentialVault") {}
