import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { Source } from "../networks/Source.ts"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { LeaseRequest } from "../kernel/lease/claimLoop.ts"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { KnownPerson } from "../items/decideName.ts"

/** A person to look up, leased to one worker. */
export interface ProfileClaim {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly personId: string
  readonly source: Source
  /** Earlier attempts. */
  readonly attempts: number
  readonly token: string
}

/** `Known` ends the look-up, also if the network returned nothing. `Later` retries it, `at` a moment of the lease clock. */
export type ProfileOutcome =
  | { readonly _tag: "Known"; readonly person: KnownPerson }
  | { readonly _tag: "Later"; readonly at: DateTime.Utc }

/**
 * Port: authors that networks name only by id. Each is looked up once per account.
 *
 * `IngestStore.ingest` adds new authors.
 */
export class AuthorProfiles extends Context.Service<
  AuthorProfiles,
  {
    /** Claims due look-ups of connected accounts. Those of a reconnected account may take ten minutes to be due. */
    readonly claim: (request: LeaseRequest) => Effect.Effect<ReadonlyArray<ProfileClaim>, StoreUnavailable>
    /** Renews the lease of a claim. */
    readonly renew: (claim: ProfileClaim, leaseUntil: DateTime.Utc) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Releases the claim unchanged: another worker may claim it at once, and no attempt is counted. */
    readonly release: (claim: ProfileClaim, leaseNow: DateTime.Utc) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /**
     * Ends a claim: adds the name to the author's items without one, with their `ItemUpdated` events, in transactions
     * of a bounded size. The last transaction marks the person as known.
     *
     * @returns how many items were updated.
     */
    readonly settle: (
      claim: ProfileClaim,
      outcome: ProfileOutcome,
      at: DateTime.Utc
    ) => Effect.Effect<number, LeaseLost | StoreUnavailable>
  }
>()("@loopbox/core/inbox/AuthorProfiles") {}
