import * as Option from "effect/Option"
import type { InboxEvent } from "../items/InboxEvent.ts"
import { type AccountSync, newItemsOf, type SyncRun } from "./SyncRun.ts"
import type { NewRun } from "./SyncStore.ts"

/** What a store writes when a run starts, in one transaction. */
export interface RunStart {
  readonly run: SyncRun
  readonly events: ReadonlyArray<InboxEvent>
}

/** The events of a run that has finished all of its accounts. */
export const decideRunEnd = (
  { externalUserId, id }: Pick<SyncRun, "externalUserId" | "id">,
  newItems: number
): ReadonlyArray<InboxEvent> => [{ _tag: "SyncCompleted", externalUserId, syncId: id, newItems }]

/**
 * Starts a run over accounts, some of which are done without a poll. A run without accounts to wait for is completed.
 */
export const decideRunStart = (
  { backfill, createdAt, id, scope }: NewRun,
  results: ReadonlyArray<Option.Option<AccountSync>>
): RunStart => {
  const accounts = results.flatMap(Option.toArray)
  const run: SyncRun = {
    id,
    workspaceId: scope.workspaceId,
    externalUserId: scope._tag === "WorkspaceScope" ? Option.none() : Option.some(scope.externalUserId),
    backfill,
    createdAt,
    isCompleted: accounts.length === results.length,
    accountsChecked: results.length,
    accounts
  }
  return { run, events: run.isCompleted ? decideRunEnd(run, newItemsOf(run)) : [] }
}
