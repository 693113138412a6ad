import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Source } from "../connectors/Source.ts"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { KnownPerson } from "./decideIngest.ts"

/** A person whose profile is to be asked for, in the hands of one worker until its lease ends. */
export interface ProfileClaim {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly personId: string
  readonly source: Source
  /** Tries before this one. */
  readonly attempts: number
  readonly token: string
}

/** `Known` ends the look-up, also when the network told nothing; `Later` leaves it for another try. */
export type ProfileOutcome =
  | { readonly _tag: "Known"; readonly person: KnownPerson }
  | { readonly _tag: "Later"; readonly at: DateTime.Utc }

/**
 * Port: the authors whom networks name by id only, each looked up once per account.
 *
 * `InboxStore.ingest` adds those that are new.
 */
export class AuthorProfiles extends Context.Service<
  AuthorProfiles,
  {
    /** Takes look-ups that are due, of accounts that are connected. */
    readonly claim: (request: {
      readonly limit: number
      readonly token: string
      readonly leaseNow: DateTime.Utc
      readonly leaseUntil: DateTime.Utc
    }) => Effect.Effect<ReadonlyArray<ProfileClaim>, StoreUnavailable>
    /**
     * Ends a claim: what is known fills the items of that author that have no name yet, with their `ItemUpdated`, in
     * one transaction. A claim whose lease was lost changes nothing.
     *
     * @returns how many items were filled; `none` when the lease was lost.
     */
    readonly settle: (
      claim: ProfileClaim,
      outcome: ProfileOutcome,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<number>, StoreUnavailable>
  }
>()("@loopbox/core/inbox/AuthorProfiles") {}
