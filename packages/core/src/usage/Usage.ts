import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { WorkspaceNotFound } from "../access/AccessErrors.ts"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { nextAdmission } from "../quota/Admission.ts"
import { type Limits, limitsOf } from "../workspaces/Limits.ts"
import type { Plan } from "../workspaces/Plan.ts"
import { UsageStore } from "./UsageStore.ts"

/** What a workspace may use, and what it uses now. */
export interface WorkspaceUsage {
  readonly plan: Plan
  /** Those in force: of the contract, else of the plan. */
  readonly limits: Limits
  /** Queued and processing media jobs of all kinds. */
  readonly activeJobs: number
  readonly conversions: {
    /** Accepted in the last 24 hours, whatever their outcome. */
    readonly used: number
    readonly limit: number
    /** When one more is admitted; absent while one is admitted now, and if the limit is 0. */
    readonly resetAt: Option.Option<DateTime.Utc>
  }
  /** Items that came in the last 30 days, from a full hour on, also those that were deleted since. */
  readonly items30d: number
  /** Posts accepted in the last 30 days that are kept. */
  readonly posts30d: number
  /** Bytes of all files that are not deleted. */
  readonly storageBytes: number
}

/** Driving service: what a workspace uses of what it may use (api-2.md §16). */
export class Usage extends Context.Service<
  Usage,
  {
    readonly read: (workspaceId: WorkspaceId) => Effect.Effect<WorkspaceUsage, WorkspaceNotFound | StoreUnavailable>
  }
>()("@loopbox/core/usage/Usage") {
  static readonly layer: Layer.Layer<Usage, never, UsageStore> = Layer.effect(
    Usage,
    Effect.gen(function* () {
      const store = yield* UsageStore
      return Usage.of({
        read: Effect.fnUntraced(function* (workspaceId) {
          const now = yield* DateTime.now
          const found = yield* store.read(workspaceId, now)
          if (Option.isNone(found)) return yield* new WorkspaceNotFound({ workspaceId })
          const { admission, items, posts, storageBytes, workspace } = found.value
          const limits = limitsOf(workspace)
          return {
            plan: workspace.plan,
            limits,
            activeJobs: admission.activeJobs,
            conversions: {
              used: admission.conversions,
              limit: limits.conversionsPer24Hours,
              resetAt: nextAdmission(admission)
            },
            items30d: items,
            posts30d: posts,
            storageBytes
          }
        }, Effect.withSpan("Usage.read"))
      })
    })
  )
}
