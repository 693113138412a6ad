import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { Redact } from "../kernel/Redact.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { AccountKey } from "./SocialAccounts.ts"

/** An account to erase, or the remaining data of an erased managed user or workspace beside its accounts. */
export type Erasure =
  | { readonly _tag: "Account"; readonly workspaceId: WorkspaceId; readonly accountId: SocialAccountId }
  | { readonly _tag: "ManagedUser"; readonly workspaceId: WorkspaceId; readonly externalUserId: string }
  | { readonly _tag: "Workspace"; readonly workspaceId: WorkspaceId }

/** `Done`: nothing is left. `More`: call again. `Busy`: another process works on it, or it waits for other erasures. */
export type ErasureProgress = "Done" | "More" | "Busy"

/**
 * Port: data that is already hidden from all readers and is removed step by step.
 *
 * An account may have millions of rows, too many for one transaction. Every step can be interrupted at any time: an
 * erasure stays listed until nothing is left.
 */
export class Erasures extends Context.Service<
  Erasures,
  {
    /**
     * Erases an account with all its data, also in stored webhook deliveries, and tells its owner by an `account_moved`
     * event. Hidden at once; large data is removed later, as an erasure that `eraseDue` finishes. May be repeated.
     */
    readonly erase: (key: AccountKey, redact: Option.Option<Redact>) => Effect.Effect<void, StoreUnavailable>
    /** Whether anything of an account is left, hidden or not. */
    readonly isLeft: (key: AccountKey) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * At most `limit` due erasures: accounts that were disconnected before `before`, and unfinished erasures. Accounts
     * first, then by age, oldest first.
     */
    readonly list: (before: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<Erasure>, StoreUnavailable>
    /**
     * Removes a bounded part of one erasure. An account that is not hidden yet is hidden first, if it is still
     * disconnected since before `before`.
     *
     * The account's data in stored webhook deliveries is redacted, unless the same network account is still connected
     * in another workspace, whose data it is, too. Without `redact`, in a process that can't parse deliveries, an
     * account that a delivery names stays hidden and `Busy`, for a process that can.
     */
    readonly advance: (
      erasure: Erasure,
      before: DateTime.Utc,
      redact: Option.Option<Redact>
    ) => Effect.Effect<ErasureProgress, StoreUnavailable>
  }
>()("@loopbox/core/accounts/Erasures") {}
