import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { AdmissionFacts } from "../quota/Admission.ts"
import type { Workspace } from "../workspaces/Workspace.ts"

/** What a workspace has and uses. */
export interface UsageFacts {
  readonly workspace: Workspace
  readonly admission: AdmissionFacts
  /** Items that came since `firstHour`, whatever became of them. */
  readonly items: number
  /** Posts that were accepted in `usageWindow`, drafts among them, and are kept. */
  readonly posts: number
  /** Bytes of all files that are not deleted. */
  readonly storageBytes: number
}

/** Port: what a workspace uses. No answer may take longer because the workspace has many items. */
export class UsageStore extends Context.Service<
  UsageStore,
  {
    /** `none`: there is no such workspace. */
    readonly read: (
      workspaceId: WorkspaceId,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<UsageFacts>, StoreUnavailable>
  }
>()("@loopbox/core/usage/UsageStore") {}
