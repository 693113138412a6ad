import * as Effect from "effect/Effect"
import * as PartitionedSemaphore from "effect/PartitionedSemaphore"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"

/**
 * A workspace's lock for one purpose: one transaction at a time over all processes.
 *
 * A transaction that waits for the lock holds a connection. `atOnce` of them do at most, each after its `turn`, handed
 * to workspaces in turn, so that one workspace's burst leaves connections to the others.
 */
export const makeWorkspaceLock = Effect.fnUntraced(function* (purpose: "submit" | "mark", atOnce: number) {
  const sql = yield* SqlClient
  const turns = PartitionedSemaphore.makeUnsafe<WorkspaceId>({ permits: atOnce })
  return {
    /** Around the transaction. */
    turn: (workspaceId: WorkspaceId) => turns.withPermit(workspaceId),
    /** The transaction's first statement. */
    lock: (workspaceId: WorkspaceId) =>
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${purpose}:${workspaceId}`}, 0))`
  }
})

/** Makes what runs an effect in a transaction that has the workspace's submit lock. */
export const makeSubmitLock = Effect.fnUntraced(function* (atOnce: number) {
  const sql = yield* SqlClient
  const { lock, turn } = yield* makeWorkspaceLock("submit", atOnce)
  return (workspaceId: WorkspaceId) =>
    <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
      lock(workspaceId).pipe(Effect.andThen(self), sql.withTransaction, turn(workspaceId))
})
