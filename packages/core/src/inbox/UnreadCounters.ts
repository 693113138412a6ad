import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Source } from "../networks/Source.ts"

/** A wrong counter of unread items. */
export interface CounterDrift {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly source: Source
  readonly counted: number
  readonly actual: number
}

/** Port: maintenance of the unread counters, which every change of an item keeps in its transaction. */
export class UnreadCounters extends Context.Service<
  UnreadCounters,
  {
    /** Compares every counter with its items, or those of some workspaces, and corrects it on request. */
    readonly compare: (options: {
      readonly repair: boolean
      /** Default: all. */
      readonly workspaceIds?: ReadonlyArray<WorkspaceId>
    }) => Effect.Effect<ReadonlyArray<CounterDrift>, StoreUnavailable>
    /**
     * Compares every counter if no process has done so within `every`; `none` if one has, or is doing it now. A failed
     * comparison is due again an hour later.
     */
    readonly compareDue: (due: {
      readonly now: DateTime.Utc
      readonly every: Duration.Duration
    }) => Effect.Effect<Option.Option<ReadonlyArray<CounterDrift>>, StoreUnavailable>
  }
>()("@loopbox/core/inbox/UnreadCounters") {}
