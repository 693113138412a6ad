import * as Effect from "effect/Effect"
import type { InboxAccess } from "@loopbox/core/access/InboxAccess"
import type { Moderations } from "@loopbox/core/moderation/Moderations"
import type { BatchAction } from "@loopbox/core/moderation/runBatch"
import { type PlainItem, toPlainItem } from "./plainInbox.ts"
import type { CallOptions, Run } from "./run.ts"
import { makeWithin, type PlainScope } from "./within.ts"

/** What became of one id of a batch; `failure` is the tag of the refusal, null if it was done. */
export interface PlainBatchResult {
  readonly id: string
  readonly failure: string | null
}

type Act = (scope: PlainScope, id: string, options?: CallOptions) => Promise<PlainItem>

/**
 * What is done with items at their networks (api-2.md §13). Repeating it has no second effect. What is not among an
 * item's `capabilities` rejects with `ActionNotAvailable`, whose `reason` says why.
 */
export interface ModerationFacade {
  readonly hide: Act
  readonly unhide: Act
  readonly like: Act
  readonly unlike: Act
  /** Deletes the item on its network, and here. */
  readonly delete: (scope: PlainScope, id: string, options?: CallOptions) => Promise<void>
  /** Does the same with up to 100 items, in order, within 25 seconds. */
  readonly batch: (
    scope: PlainScope,
    ids: ReadonlyArray<string>,
    action: BatchAction,
    options?: CallOptions
  ) => Promise<ReadonlyArray<PlainBatchResult>>
}

export const makeModerationFacade = (
  access: InboxAccess["Service"],
  moderations: Moderations["Service"],
  run: Run
): ModerationFacade => {
  const within = makeWithin(access)
  const act =
    (moderation: "hide" | "unhide" | "like" | "unlike"): Act =>
    (scope, id, options) =>
      run(
        within(scope, (caller) => Effect.map(moderations.act(caller, id, moderation), toPlainItem)),
        options
      )
  return {
    hide: act("hide"),
    unhide: act("unhide"),
    like: act("like"),
    unlike: act("unlike"),
    delete: (scope, id, options) =>
      run(
        within(scope, (caller) => moderations.delete(caller, id)),
        options
      ),
    batch: (scope, ids, action, options) =>
      run(
        within(scope, (caller) =>
          Effect.map(moderations.batch(caller, ids, action), (results) =>
            results.map(({ failure, id }) => ({ id, failure: failure?._tag ?? null }))
          )
        ),
        options
      )
  }
}
