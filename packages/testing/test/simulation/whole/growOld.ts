import { assert } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Scope, Exit } from "effect"
import { TestClock } from "effect/testing"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { ConversionJob } from "@loopbox/core/conversions/ConversionJob"
import * as InboxSweeper from "@loopbox/core/sweeping/InboxSweeper"

/** A row that is kept for some days from a moment on; without one it is kept for as long as it has not ended. */
interface Row {
  readonly name: string
  readonly days: number
  readonly from: DateTime.Utc | undefined
  /** When it was made, where its days do not begin then. */
  readonly made?: DateTime.Utc
}

/** When nothing more happens to what has these states; nothing while one of them is open. */
const endOf = (states: ReadonlyArray<object>): DateTime.Utc | undefined => {
  const ends = states.flatMap((state) =>
    "endedAt" in state && DateTime.isDateTime(state.endedAt) ? [DateTime.toUtc(state.endedAt)] : []
  )
  return ends.length === states.length ? ends.reduce(DateTime.max) : undefined
}

const endOfJob = (job: ConversionJob): DateTime.Utc | undefined => ("completedAt" in job ? job.completedAt : undefined)

/** Everything that is kept for a time, as the documents say for how long. */
const rowsOf = ({ inbox, jobs, media, workspaces }: MemoryState["Service"]): ReadonlyArray<Row> => [
  ...Array.from(jobs.values(), ({ job }) => ({ name: `the job ${job.id}`, days: 90, from: endOfJob(job) })),
  // What an erased workspace had goes with its bytes; a record that has bytes stays until they are removed.
  ...Array.from(media.values()).flatMap(({ deletedAt, isRemoved, media: { _tag, id, workspaceId } }) =>
    workspaces.has(workspaceId)
      ? [{ name: `the record of ${id}`, days: 30, from: isRemoved || _tag === "PendingMedia" ? deletedAt : undefined }]
      : []
  ),
  ...Array.from(inbox.logs).flatMap(([workspaceId, { itemHours }]) =>
    Array.from(itemHours.keys(), (hour) => ({
      name: `how many items ${workspaceId} had in hour ${hour}`,
      days: 31,
      from: DateTime.makeUnsafe(hour)
    }))
  ),
  ...Array.from(inbox.accounts.values()).flatMap(({ operations }) =>
    Array.from(operations.values(), ({ operation }) => ({
      name: `the reply ${operation.id}`,
      days: 90,
      made: operation.createdAt,
      from: endOf([operation.state])
    }))
  ),
  ...Array.from(inbox.posts.values(), ({ kept }) => ({
    name: `the post ${kept.post.id}`,
    days: 365,
    made: kept.post.createdAt,
    from: kept.post.isDraft ? undefined : endOf(kept.targets.map(({ state }) => state))
  })),
  ...Array.from(inbox.deliveries.values(), ({ delivery, endedAt, state }) => ({
    name: `what came in as ${delivery.id}`,
    days: state === "failed" ? 30 : 7,
    from: state === "pending" ? undefined : endedAt
  })),
  ...Array.from(inbox.outgoing.deliveries.values(), ({ delivery }) => ({
    name: `the webhook ${delivery.messageId}`,
    days: 30,
    from: delivery.status === "pending" ? undefined : delivery.createdAt
  })),
  ...Array.from(inbox.logs).flatMap(([workspaceId, { events }]) =>
    events.map(({ at, seq }) => ({ name: `event ${seq} of ${workspaceId}`, days: 1, from: at }))
  ),
  ...inbox.audit.kept.map(({ createdAt, id }) => ({ name: `the audit's ${id}`, days: 400, from: createdAt }))
]

const isOver = ({ days, from }: Row, now: DateTime.Utc): boolean =>
  from !== undefined && DateTime.isLessThan(DateTime.add(from, { days }), now)

/** Days that pass between two sweeps: on both sides of each time for which something is kept. */
const pauses = [2, 2, 20, 4, 40, 25, 35, 230, 20, 30, 20]

/**
 * Shortly before the days of some rows are over: of each number of days, of the row that took the longest from when it was
 * made to its end. Whoever counts from when it was made removes it by then.
 */
const evesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<DateTime.Utc> => {
  const tookOf = ({ from, made }: Row) =>
    from === undefined || made === undefined ? Duration.zero : DateTime.distance(made, from)
  const ended = rows.filter((row) => Duration.isGreaterThan(tookOf(row), Duration.zero))
  return Array.from(Map.groupBy(ended, ({ days }) => days).values()).flatMap((alike) => {
    const [slowest] = alike.toSorted((a, b) => Duration.toMillis(tookOf(b)) - Duration.toMillis(tookOf(a)))
    if (slowest?.from === undefined) return []
    return [DateTime.subtract(DateTime.add(slowest.from, { days: slowest.days }), { seconds: 5 })]
  })
}

/** Nobody does anything for more than a year: a sweep removes what is past its days, and nothing else. */
export const growOld = Effect.fnUntraced(function* (sweepMedia: Effect.Effect<void>) {
  const state = yield* MemoryState
  const context = yield* Effect.context<Layer.Services<ReturnType<typeof InboxSweeper.layer>>>()
  const begun = yield* DateTime.now
  let days = 0
  const stops = pauses.map((pause) => DateTime.add(begun, { days: (days += pause) }))
  for (const stop of [...stops, ...evesOf(rowsOf(state))].toSorted(DateTime.Order)) {
    yield* TestClock.adjust(DateTime.distance(yield* DateTime.now, stop))
    const before = rowsOf(state)
    const now = yield* DateTime.now
    const scope = yield* Scope.make()
    const sweeper = Layer.buildWithScope(Layer.fresh(InboxSweeper.layer({ every: "1 hour" })), scope)
    yield* Effect.provideContext(sweeper, context)
    yield* TestClock.adjust("1 second")
    yield* Scope.close(scope, Exit.void)
    yield* sweepMedia
    const left = new Set(rowsOf(state).map(({ name }) => name))
    const early = before.filter((row) => !left.has(row.name) && !isOver(row, DateTime.add(now, { seconds: 1 })))
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
