import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { byWorkspace, Without } from "../connection/allWorkspaces.ts"

/**
 * Part of a process's time that may go into looks behind a backlog, each of which reads past all that waits there; 1: each
 * claim that meets a backlog looks behind it.
 */
export const LooksBehind = Context.Reference<number>("@loopbox/adapters-postgres/rows/LooksBehind", {
  defaultValue: () => 0.05
})

/** Workspaces of a queue that are remembered as served. */
const remembered = 1_000

type Key = { readonly workspace_id: WorkspaceId }

/** How the workspaces of a queue, or of a part of it that is claimed by itself, were served by one store. */
export interface QueueTurns {
  /** The workspaces that were served, the last one last. */
  readonly served: Set<WorkspaceId>
  /** In nanoseconds of real time: the database does not wait for a test's clock. */
  nextLookAt: bigint
}

export const makeTurns = (): QueueTurns => ({ served: new Set(), nextLookAt: 0n })

const realTime = (): bigint => Clock.Clock.defaultValue().monotonicTimeNanosUnsafe()

/** Notes that a workspace had its turn. */
export const noteServed = ({ served }: QueueTurns, workspaceId: WorkspaceId): void => {
  served.delete(workspaceId)
  served.add(workspaceId)
  for (const oldest of served) {
    if (served.size <= remembered) return
    served.delete(oldest)
  }
}

/** One key of each workspace, then the second of each, and so on; whoever was served longest ago comes first. */
export const inTurns = <K extends Key>({ served }: QueueTurns, due: ReadonlyArray<K>): ReadonlyArray<K> => {
  const places = new Map(Array.from(served, (workspaceId, place) => [workspaceId, place]))
  const placeOf = (workspaceId: WorkspaceId) => places.get(workspaceId) ?? -1
  const workspaces = byWorkspace(due).toSorted(([a], [b]) => placeOf(a) - placeOf(b))
  const most = Math.max(0, ...workspaces.map(([, keys]) => keys.length))
  return Array.from({ length: most }, (_, n) => workspaces.flatMap(([, keys]) => keys.slice(n, n + 1))).flat()
}

/** Whether the next claim that meets a backlog may look behind it. */
export const isLookDue = ({ nextLookAt }: QueueTurns): boolean => realTime() >= nextLookAt

/**
 * Adds to what a full look has found the first of other workspaces, whom the backlog of these hides.
 *
 * Without it a workspace's first piece of work would wait for the whole backlog of another one.
 */
export const lookBehind = Effect.fnUntraced(function* <K extends Key, E, R>(
  turns: QueueTurns,
  due: ReadonlyArray<K>,
  look: Effect.Effect<ReadonlyArray<K>, E, R>
) {
  const seen = Array.from(new Set(due.map((key) => key.workspace_id)))
  const began = realTime()
  if (seen.length === due.length || began < turns.nextLookAt) return due
  const others = yield* Effect.provideService(look, Without, seen)
  const ended = realTime()
  const share = yield* LooksBehind
  turns.nextLookAt = ended + BigInt(Math.round(Number(ended - began) * (1 / share - 1)))
  return [...due, ...others]
})
