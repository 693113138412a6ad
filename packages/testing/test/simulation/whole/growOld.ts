import { assert } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option, Scope, Exit } from "effect"
import { TestClock } from "effect/testing"
import { type EventLog, logOf } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import * as InboxSweeper from "@loopbox/core/sweeping/InboxSweeper"
import { UsageStore } from "@loopbox/core/usage/UsageStore"
import { isOver, retainedRows, type Row } from "../laws/retainedRows.ts"

/** Everything that is kept for a time, as the documents say for how long. */
const rowsOf = (state: MemoryState["Service"]): ReadonlyArray<Row> => [
  ...retainedRows(state),
  ...Array.from(state.inbox.deliveries.values(), ({ delivery, endedAt, state: reached }) => ({
    name: `what came in as ${delivery.id}`,
    days: reached === "failed" ? 30 : 7,
    from: reached === "pending" ? undefined : endedAt
  })),
  ...Array.from(state.inbox.outgoing.deliveries.values(), ({ delivery }) => ({
    name: `the webhook ${delivery.messageId}`,
    days: 30,
    from: delivery.status === "pending" ? undefined : delivery.createdAt
  })),
  ...Array.from(state.inbox.logs).flatMap(([workspaceId, { events }]) =>
    events.map(({ at, seq }) => ({ name: `event ${seq} of ${workspaceId}`, days: 1, from: at }))
  )
]

/** Days that pass between two sweeps: on both sides of each time for which something is kept. */
const pauses = [2, 2, 20, 4, 40, 25, 35, 230, 20, 30, 20]

/**
 * Shortly before the days of some rows are over, and shortly after: of each number of days, of the row that took the longest
 * from when it was made to its end, and of the newest. Whoever counts from when it was made, or other days, is seen by then.
 */
const evesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<DateTime.Utc> => {
  const tookOf = ({ from, made }: Row) =>
    from === undefined || made === undefined ? Duration.zero : DateTime.distance(made, from)
  const ended = rows.filter(({ from }) => from !== undefined)
  return Array.from(Map.groupBy(ended, ({ days }) => days).values()).flatMap((alike) => {
    const [slowest] = alike.toSorted((a, b) => Duration.toMillis(tookOf(b)) - Duration.toMillis(tookOf(a)))
    const newest = alike.reduce((a, b) => ((b.from?.epochMilliseconds ?? 0) > (a.from?.epochMilliseconds ?? 0) ? b : a))
    return [slowest, newest].flatMap((row) => {
      if (row?.from === undefined) return []
      const over = DateTime.add(row.from, { days: row.days })
      return [DateTime.subtract(over, { seconds: 5 }), DateTime.add(over, { seconds: 5 })]
    })
  })
}

/** When a workspace was given what its use is counted by. */
interface Used {
  readonly workspaceId: WorkspaceId
  /** Absent where the log does not know them all any more, for somebody was erased. */
  readonly items: ReadonlyArray<DateTime.Utc> | undefined
  readonly posts: ReadonlyArray<DateTime.Utc>
  readonly conversions: ReadonlyArray<DateTime.Utc>
}

const itemsOf = ({ events, last }: EventLog) =>
  events.length === last ? events.flatMap(({ at, event }) => (event._tag === "NewItem" ? [at] : [])) : undefined

const usedBy = ({ inbox, jobs, workspaces }: MemoryState["Service"]): ReadonlyArray<Used> =>
  Array.from(workspaces.keys(), (workspaceId) => ({
    workspaceId,
    items: itemsOf(logOf(inbox, workspaceId)),
    posts: Array.from(inbox.posts.values(), ({ kept }) => kept.post).flatMap((post) =>
      post.workspaceId === workspaceId ? [post.createdAt] : []
    ),
    conversions: Array.from(jobs.values(), ({ job }) => job).flatMap((job) =>
      job.workspaceId === workspaceId ? [job.createdAt] : []
    )
  }))

/** What is told as used is what came in its window: 30 days from a full hour on, 30 days, 24 hours. */
const checkWindows = Effect.fnUntraced(function* (all: ReadonlyArray<Used>) {
  const [store, now] = [yield* UsageStore, yield* DateTime.now]
  const since = DateTime.subtract(now, { days: 30 })
  const countOf = (times: ReadonlyArray<DateTime.Utc>, from: DateTime.Utc) =>
    times.filter((at) => DateTime.isGreaterThan(at, from)).length
  for (const { conversions, items, posts, workspaceId } of all) {
    const used = Option.getOrThrow(yield* store.read(workspaceId, now))
    const hour = DateTime.subtract(DateTime.startOf(since, "hour"), { milliseconds: 1 })
    assert.deepStrictEqual(
      [used.items, used.posts, used.admission.conversions, used.admission.activeJobs],
      [
        items === undefined ? used.items : countOf(items, hour),
        countOf(posts, since),
        countOf(conversions, DateTime.subtract(now, { hours: 24 })),
        0
      ],
      `what ${workspaceId} has used`
    )
  }
})

/** Nobody does anything for more than a year: a sweep removes what is past its days, and nothing else. */
export const growOld = Effect.fnUntraced(function* <E, R>(
  sweepMedia: Effect.Effect<void>,
  doSomething: Effect.Effect<void, E, R>
) {
  yield* doSomething
  const state = yield* MemoryState
  const used = usedBy(state)
  yield* checkWindows(used)
  const context = yield* Effect.context<Layer.Services<ReturnType<typeof InboxSweeper.layer>>>()
  const begun = yield* DateTime.now
  let days = 0
  const stops = pauses.map((pause) => DateTime.add(begun, { days: (days += pause) }))
  const eves = evesOf(rowsOf(state)).filter((eve) => DateTime.isGreaterThan(eve, begun))
  for (const stop of [...stops, ...eves].toSorted(DateTime.Order)) {
    yield* TestClock.adjust(DateTime.distance(yield* DateTime.now, stop))
    const before = rowsOf(state)
    const now = yield* DateTime.now
    const scope = yield* Scope.make()
    const sweeper = Layer.buildWithScope(Layer.fresh(InboxSweeper.layer({ every: "1 hour" })), scope)
    yield* Effect.provideContext(sweeper, context)
    yield* TestClock.adjust("1 second")
    yield* Scope.close(scope, Exit.void)
    yield* sweepMedia
    yield* checkWindows(used)
    const left = new Set(rowsOf(state).map(({ name }) => name))
    // The sweep begins within a second, and takes what is over at that very moment.
    const early = before.filter(
      (row) => !left.has(row.name) && !isOver(row, DateTime.add(now, { milliseconds: 1_001 }))
    )
    const late = before.filter((row) => left.has(row.name) && isOver(row, now))
    assert.isEmpty(
      early.slice(0, 3).map(({ name }) => name),
      "removed before its time"
    )
    assert.isEmpty(
      late.slice(0, 3).map(({ name }) => name),
      "kept for longer than it may be"
    )
  }
})
