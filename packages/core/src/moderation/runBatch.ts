import * as Effect from "effect/Effect"
import type { ItemNotFound } from "../inbox/InboxErrors.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { ActionFailed } from "./actOnNetwork.ts"
import type { ActionNotAvailable } from "../items/acting/ActionNotAvailable.ts"

/** What a batch may do with items. */
export const batchActions = ["read", "unread", "hide", "unhide"] as const
export type BatchAction = (typeof batchActions)[number]

/** Why one item of a batch was not done. `NotAttempted`: the time of the batch was over. */
export type BatchFailure =
  | ItemNotFound
  | ActionNotAvailable
  | ActionFailed
  | StoreUnavailable
  | { readonly _tag: "NotAttempted" }

/** The outcome for one of the ids. */
export interface BatchResult {
  readonly id: string
  /** Absent if it was done. */
  readonly failure: BatchFailure | undefined
}

/** A request is answered within this time (api-2-decided.md A58). */
const answeredWithin = "25 seconds"

/** Calls of one batch at a time. */
const atOnce = 4

/**
 * Does each once, though an id may be there twice, and answers in order. What did not end in time is told as not
 * attempted: its effect may still come, and doing it again has none.
 */
export const runBatch = <E extends BatchFailure>(
  ids: ReadonlyArray<string>,
  act: (id: string) => Effect.Effect<void, E>
): Effect.Effect<ReadonlyArray<BatchResult>> =>
  Effect.gen(function* () {
    const known = new Map<string, BatchFailure | undefined>()
    const each = Effect.forEach(
      new Set(ids),
      (id) =>
        act(id).pipe(
          Effect.match({
            onSuccess: () => known.set(id, undefined),
            onFailure: (failure) => known.set(id, failure)
          })
        ),
      { concurrency: atOnce, discard: true }
    )
    yield* Effect.timeoutOption(each, answeredWithin)
    return ids.map((id) => ({ id, failure: known.has(id) ? known.get(id) : { _tag: "NotAttempted" as const } }))
  })
