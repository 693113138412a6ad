import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Pace } from "../networks/Network.ts"

/** One call that counts. */
export interface PacedCall {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  /** What is counted together. */
  readonly action: string
  readonly pace: Pace
  readonly now: DateTime.Utc
}

/** Port: how often accounts did lately what a network locks out whoever is too quick with, over all processes. */
export class ActionPaces extends Context.Service<
  ActionPaces,
  {
    /**
     * Counts a call, in one transaction per account and action. Returns when the next one is possible if it would be one
     * too many; it is not counted then.
     */
    readonly take: (call: PacedCall) => Effect.Effect<Option.Option<DateTime.Utc>, StoreUnavailable>
  }
>()("@loopbox/core/moderation/ActionPaces") {}
