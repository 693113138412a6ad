import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { byWorkspace, unlessAway } from "../connection/allWorkspaces.ts"
import { inTurns, lookBehind, makeTurns, noteServed, type QueueTurns } from "./fairTurns.ts"
import type { KeptKeys } from "./keptKeys.ts"

const unreadableRows = Metric.counter("loopbox_queue_unreadable_rows_total", {
  description: "Rows of queues that this version cannot read; they are left to one that can",
  incremental: true
})

/** How long a row that this version cannot read is left alone; a newer version takes it meanwhile. */
const pause = { minutes: 1 }

/** Queues of which the log of this process has said that a row is left to another. */
const told = new Set<string>()

const tell = Effect.fnUntraced(function* (queue: string, cause: unknown) {
  const isFirst = !told.has(queue)
  told.add(queue)
  const message = "a row is of a kind that this version does not know; it is left to one that does"
  yield* isFirst ? Effect.logWarning(message, cause) : Effect.logDebug(message, cause)
})

/** Says of a row that it is left to another, and counts it. */
export const noteUnreadable = (queue: string, cause: unknown): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(unreadableRows, { queue }), 1),
    Effect.annotateLogs(tell(queue, cause), { queue })
  )

/** Against a queue that is full of rows that cannot be read: what one claim takes on beyond its limit. */
const maxRounds = 10

interface Queue<A, I> {
  readonly queue: string
  readonly limit: number
  readonly leaseNow: DateTime.Utc
  readonly schema: Schema.Codec<A, I>
  /** Whether a row that can be read is for this process. */
  readonly isKnown?: (row: A) => boolean
}

export interface Claiming<A, I, E, R> extends Queue<A, I> {
  /** Takes at most so many rows, under the token of the claim. */
  readonly take: (limit: number) => Effect.Effect<ReadonlyArray<unknown>, E, R>
  /** Gives back what was taken under the token, but for the rows that could be read; nothing of it counts. */
  readonly putBack: (read: ReadonlyArray<A>, until: DateTime.Utc) => Effect.Effect<unknown, E, R>
}

/**
 * Makes what decodes taken rows one by one, and puts back what cannot be read; it gives those that can.
 *
 * During an upgrade the version before meets rows of the newer one. Such a row must not fail the claim, or nothing behind
 * it is ever worked on: it is logged once, counted, given back for a minute, and others are taken in its place.
 */
const makeRead = <A, I>({ isKnown, leaseNow, queue, schema }: Queue<A, I>) => {
  const decode = Schema.decodeUnknownExit(schema)
  return Effect.fnUntraced(function* <E, R>(
    rows: ReadonlyArray<unknown>,
    putBack: (read: ReadonlyArray<A>, until: DateTime.Utc) => Effect.Effect<unknown, E, R>,
    before: ReadonlyArray<A> = []
  ) {
    const read: Array<A> = []
    for (const row of rows) {
      const exit = decode(row)
      if (Exit.isSuccess(exit) && (isKnown === undefined || isKnown(exit.value))) read.push(exit.value)
      else yield* noteUnreadable(queue, Exit.isSuccess(exit) ? "unknown" : exit.cause)
    }
    if (read.length < rows.length) yield* putBack([...before, ...read], DateTime.add(leaseNow, pause))
    return read
  })
}

/** Claims rows of a queue that lies in one place. */
export const claimReadable = Effect.fnUntraced(function* <A, I, E, R>(claiming: Claiming<A, I, E, R>) {
  const { limit, putBack, take } = claiming
  const readRows = makeRead(claiming)
  const read: Array<A> = []
  for (let round = 0; round < maxRounds && read.length < limit; round++) {
    const rows = yield* take(limit - read.length)
    const known = yield* readRows(rows, putBack, read)
    read.push(...known)
    if (known.length === rows.length) break
  }
  return read
})

interface ClaimingByWorkspace<K, A, I, E, R> extends Queue<A, I> {
  /** What of the queue is claimed, such as a network's: each part has turns of its own. Default: the whole. */
  readonly part?: string
  /** Where what a look has found beyond this claim is kept for the next one. Default: each claim looks. */
  readonly kept?: KeptKeys<K, A>
  /** Names at most so many that are due, in the order in which they are to be taken: over all workspaces, without a lock. */
  readonly look: (limit: number) => Effect.Effect<ReadonlyArray<K>, E, R>
  /**
   * Takes at most so many of these that are still due, under the token of the claim. What another claim is just taking is
   * passed over.
   */
  readonly take: (
    workspaceId: WorkspaceId,
    keys: ReadonlyArray<K>,
    limit: number
  ) => Effect.Effect<ReadonlyArray<unknown>, E, R>
  /** Gives back what was taken of the workspace under the token, but for the rows that could be read. */
  readonly putBack: (
    workspaceId: WorkspaceId,
    read: ReadonlyArray<A>,
    until: DateTime.Utc
  ) => Effect.Effect<unknown, E, R>
}

/** More keys than wanted, for workers that look at the same moment see the same ones. */
const spare = 15

/** What is wanted first, each workspace with the keys that may stand in for those that another worker is taking. */
const wantedOf = <K extends { readonly workspace_id: WorkspaceId }>(due: ReadonlyArray<K>, left: number) => {
  const all = Map.groupBy(due, (key) => key.workspace_id)
  return byWorkspace(due.slice(0, left)).map(
    ([workspaceId, wanted]) => [workspaceId, all.get(workspaceId) ?? [], wanted.length] as const
  )
}

/** What is left when others were faster, from a random start, so that workers do not meet again. */
const restOf = Effect.fnUntraced(function* <K extends { readonly workspace_id: WorkspaceId }>(
  due: ReadonlyArray<K>,
  left: number
) {
  const tried = new Set(due.slice(0, left).map((key) => key.workspace_id))
  const rest = byWorkspace(due.slice(left).filter((key) => !tried.has(key.workspace_id)))
  if (rest.length === 0) return []
  const start = yield* Random.nextIntBetween(0, rest.length, { halfOpen: true })
  return [...rest.slice(start), ...rest.slice(0, start)].map(
    ([workspaceId, keys]) => [workspaceId, keys, keys.length] as const
  )
})

/**
 * Makes what claims rows of a queue whose rows lie beside their workspaces: a look over all of them for what is due, and a statement
 * for each workspace that takes it. Workspaces take turns where more is due than is wanted. No statement locks rows of two
 * workspaces, for they may lie on two nodes.
 */
export const makeClaimByWorkspace = () => {
  const parts = new Map<string, QueueTurns>()
  const turnsOf = (part: string): QueueTurns => {
    const turns = parts.get(part) ?? makeTurns()
    parts.set(part, turns)
    return turns
  }
  return Effect.fnUntraced(function* <K extends { readonly workspace_id: WorkspaceId }, A, I, E, R>(
    claiming: ClaimingByWorkspace<K, A, I, E, R>
  ) {
    const { kept, leaseNow, limit, look, part = "", putBack, take } = claiming
    const turns = turnsOf(part)
    const readRows = makeRead(claiming)
    const read: Array<A> = []
    let taken = 0
    const takeOf = Effect.fnUntraced(function* (workspaceId: WorkspaceId, keys: ReadonlyArray<K>, count: number) {
      const rows = yield* take(workspaceId, keys, Math.min(count, limit - read.length)).pipe(unlessAway([]))
      taken += rows.length
      if (rows.length > 0) noteServed(turns, workspaceId)
      read.push(...(yield* readRows(rows, (known, until) => putBack(workspaceId, [...read, ...known], until))))
    })
    for (let round = 0; round < maxRounds && read.length < limit; round++) {
      const left = limit - read.length
      const known = kept?.take(turns, leaseNow) ?? []
      const isKnown = known.length > 0
      const found = isKnown ? known : yield* look(left + spare)
      if (found.length === 0) break
      const isFull = isKnown || found.length === left + spare
      const due = isFull ? inTurns(turns, isKnown ? found : yield* lookBehind(turns, found, look(left))) : found
      const before = read.length
      taken = 0
      for (const [workspaceId, keys, count] of [...wantedOf(due, left), ...(yield* restOf(due, left))]) {
        if (read.length === limit) break
        const result = yield* Effect.result(takeOf(workspaceId, keys, count))
        if (Result.isSuccess(result)) continue
        // What was taken before must not wait for the end of its lease; the next claim meets the failure again.
        return read.length > 0 ? read : yield* Effect.fail(result.failure)
      }
      if (isFull && taken > 0) kept?.keep(due, read)
      // All that is due is taken, or is being taken by others.
      const isAllRead = read.length - before === taken
      if ((taken === 0 && !isKnown) || (isAllRead && !isFull)) break
    }
    return read
  })
}
