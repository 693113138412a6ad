import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountKey } from "../accounts/SocialAccounts.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** A person's request to delete what is kept of them, as its status page shows it. */
export interface DeletionRequest {
  /** Letters and digits; hard to guess. */
  readonly code: string
  readonly createdAt: DateTime.Utc
  /** When everything was gone; absent until then. */
  readonly completedAt: Option.Option<DateTime.Utc>
}

/** A request as it is kept. The person is not named. */
export interface KeptDeletion extends DeletionRequest {
  readonly accounts: ReadonlyArray<AccountKey>
}

/** Port: requests of people to delete what is kept of them, until some time after they were carried out. */
export class DeletionRequests extends Context.Service<
  DeletionRequests,
  {
    /** Stores a request, or returns the one that has the same digest (SHA-256, lower-case hex). */
    readonly put: (request: KeptDeletion, requestDigest: string) => Effect.Effect<KeptDeletion, StoreUnavailable>
    readonly find: (code: string) => Effect.Effect<Option.Option<KeptDeletion>, StoreUnavailable>
    /** Those that are not carried out yet, the oldest first. */
    readonly listOpen: (limit: number) => Effect.Effect<ReadonlyArray<KeptDeletion>, StoreUnavailable>
    readonly complete: (code: string, at: DateTime.Utc) => Effect.Effect<void, StoreUnavailable>
    /** Deletes those that were carried out before a moment. Returns how many. */
    readonly removeOlder: (before: DateTime.Utc, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@loopbox/core/connecting/DeletionRequests") {}
