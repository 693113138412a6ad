import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { SealedCredentials } from "../accounts/CredentialVault.ts"
import type { ConnectSessionId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { ConnectAttempt } from "./ConnectAttempt.ts"
import type { ConnectSession } from "./ConnectSession.ts"

/** A session as it is stored. */
export interface KeptSession {
  readonly session: ConnectSession
  /** SHA-256 of the link's token, in lower-case hex. */
  readonly linkDigest: string
  /** The link's token, sealed for the session. */
  readonly sealedLink: SealedCredentials
}

/** An attempt is found by what the browser brings: by the SHA-256 of the `state` or of the cookie. */
export interface AttemptName {
  readonly by: "state" | "cookie"
  readonly digest: string
}

/** What a rule sees of an attempt. */
export interface AttemptFacts {
  readonly session: ConnectSession
  readonly attempt: ConnectAttempt
  /** Those that were begun after it, oldest first. */
  readonly newer: ReadonlyArray<ConnectAttempt>
}

/** A session with an attempt that is to be added. */
export interface BegunAttempt {
  readonly session: ConnectSession
  readonly attempt: ConnectAttempt
}

/** What a rule answers, and what it changes; absent members stay as they are. */
export interface AttemptDecision<A> {
  readonly answer: A
  readonly session?: ConnectSession
  readonly attempt?: ConnectAttempt
}

/** The newest attempts of a session that are kept. */
export const keptAttempts = 20

/** Port: sessions in which people connect accounts, and their attempts. */
export class ConnectSessionStore extends Context.Service<
  ConnectSessionStore,
  {
    /** Returns `false`, and stores nothing, without the workspace, or a known owner: one that the scope or an account names. */
    readonly put: (kept: KeptSession, isOwnerKnown: boolean) => Effect.Effect<boolean, StoreUnavailable>
    readonly find: (
      workspaceId: WorkspaceId,
      id: ConnectSessionId
    ) => Effect.Effect<Option.Option<KeptSession>, StoreUnavailable>
    readonly findByLink: (linkDigest: string) => Effect.Effect<Option.Option<KeptSession>, StoreUnavailable>
    /**
     * Adds the attempt that `decide` returns, which is then the newest one of its session, and stores the session that it
     * returns. If it returns none, nothing is stored. `attempts`: those that are kept, oldest first. One transaction for
     * each session at a time. Attempts older than the newest `keptAttempts` are deleted. Returns the session as it was
     * read; `none`: there is no such session.
     */
    readonly begin: (
      workspaceId: WorkspaceId,
      id: ConnectSessionId,
      decide: (session: ConnectSession, attempts: ReadonlyArray<ConnectAttempt>) => Option.Option<BegunAttempt>
    ) => Effect.Effect<Option.Option<ConnectSession>, StoreUnavailable>
    /**
     * Changes an attempt and its session. One transaction for each session at a time: read both, ask `decide`, store
     * what it returns. `none`: there is no such attempt.
     */
    readonly change: <A>(
      name: AttemptName,
      decide: (facts: AttemptFacts) => AttemptDecision<A>
    ) => Effect.Effect<Option.Option<A>, StoreUnavailable>
    /**
     * Deletes sessions that expired before `sessions`, and the attempts, with what they have sealed, of those that
     * expired before `attempts`. At most `limit` rows of each kind; returns how many went of the more numerous kind.
     */
    readonly removeOlder: (
      before: { readonly sessions: DateTime.Utc; readonly attempts: DateTime.Utc },
      limit: number
    ) => Effect.Effect<number, StoreUnavailable>
  }
>()("@loopbox/core/connecting/ConnectSessionStore") {}
