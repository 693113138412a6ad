import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { CredentialsUnreadable } from "./AccountErrors.ts"

/** What a network gave an account. */
export interface Credentials {
  readonly accessToken: Redacted.Redacted<string>
  readonly refreshToken: Option.Option<Redacted.Redacted<string>>
  readonly expiresAt: Option.Option<DateTime.Utc>
}

/** Whose credentials they are: bound into the seal, so that one account's can't be put in place of another's. */
export interface CredentialOwner {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
}

/** Sealed credentials as they are kept; the text names its key, so that keys rotate. */
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
