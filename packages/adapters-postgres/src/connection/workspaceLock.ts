import * as Effect from "effect/Effect"
import * as PartitionedSemaphore from "effect/PartitionedSemaphore"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { type PoolName, PoolSizes } from "./Pools.ts"

/**
 * What takes a workspace's lock: the pool that it runs in, and the part of that pool that may wait for locks.
 *
 * A transaction that waits for a lock holds a connection, so the parts of a pool add up to less than all of it.
 */
const shares = {
  conversions: { pool: "requests", part: 0.4 },
  marks: { pool: "requests", part: 0.2 },
  media: { pool: "requests", part: 0.1 },
  workspaces: { pool: "requests", part: 0.1 },
  posts: { pool: "requests", part: 0.1 },
  retention: { pool: "workers", part: 0.1 }
} as const satisfies Record<string, { readonly pool: PoolName; readonly part: number }>

/** How many may wait at once, at least one. */
export const permitsOf = (share: keyof typeof shares, sizes: Readonly<Record<PoolName, number>>): number =>
  Math.max(1, Math.floor(sizes[shares[share].pool] * shares[share].part))

/**
 * A workspace's lock for one purpose: one transaction at a time over all processes.
 *
 * It is taken where the workspace's row lies: of a distributed database all processes ask that node. Who submits holds the
 * row itself; versions before this one have the other lock only, which may go when none runs beside any more.
 *
 * A share's transactions wait for it each after its `turn`, handed to workspaces in turn, so that one workspace's burst
 * leaves connections to the others.
 */
export const makeWorkspaceLock = Effect.fnUntraced(function* (purpose: "submit" | "mark", share: keyof typeof shares) {
  const sql = yield* SqlClient
  const permits = permitsOf(share, yield* PoolSizes)
  const turns = PartitionedSemaphore.makeUnsafe<WorkspaceId>({ permits })
  return {
    /** Around the transaction. */
    turn: (workspaceId: WorkspaceId) => turns.withPermit(workspaceId),
    /** The transaction's first statement. */
    lock: (workspaceId: WorkspaceId) =>
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${purpose}:${workspaceId}`}, 0)) FROM workspaces
        WHERE id = ${workspaceId} ${sql.literal(purpose === "submit" ? "FOR NO KEY UPDATE" : "")}`
  }
})

/** Makes what runs an effect in a transaction that has the workspace's submit lock. */
export const makeSubmitLock = Effect.fnUntraced(function* (share: keyof typeof shares) {
  const sql = yield* SqlClient
  const { lock, turn } = yield* makeWorkspaceLock("submit", share)
  return (workspaceId: WorkspaceId) =>
    <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
      lock(workspaceId).pipe(Effect.andThen(self), sql.withTransaction, turn(workspaceId))
})
