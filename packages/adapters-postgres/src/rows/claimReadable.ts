import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Schema from "effect/Schema"

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

export interface Claiming<A, I, E, R> {
  readonly queue: string
  readonly limit: number
  readonly leaseNow: DateTime.Utc
  readonly schema: Schema.Codec<A, I>
  /** Whether a row that can be read is for this process. */
  readonly isKnown?: (row: A) => boolean
  /** Takes at most so many rows, under the token of the claim. */
  readonly take: (limit: number) => Effect.Effect<ReadonlyArray<unknown>, E, R>
  /** Gives back what was taken under the token, but for the rows that could be read; nothing of it counts. */
  readonly putBack: (read: ReadonlyArray<A>, until: DateTime.Utc) => Effect.Effect<unknown, E, R>
}

/**
 * Claims rows of a queue and decodes them one by one.
 *
 * During an upgrade the version before meets rows of the newer one. Such a row must not fail the claim, or nothing behind
 * it is ever worked on: it is logged once, counted, given back for a minute, and others are taken in its place.
 */
export const claimReadable = Effect.fnUntraced(function* <A, I, E, R>(claiming: Claiming<A, I, E, R>) {
  const { isKnown, leaseNow, limit, putBack, queue, schema, take } = claiming
  const decode = Schema.decodeUnknownExit(schema)
  const read: Array<A> = []
  for (let round = 0; round < maxRounds && read.length < limit; round++) {
    const rows = yield* take(limit - read.length)
    let unreadable = 0
    for (const row of rows) {
      const exit = decode(row)
      if (Exit.isSuccess(exit) && (isKnown === undefined || isKnown(exit.value))) {
        read.push(exit.value)
        continue
      }
      unreadable += 1
      yield* tell(queue, Exit.isSuccess(exit) ? "unknown" : exit.cause).pipe(Effect.annotateLogs({ queue }))
    }
    if (unreadable === 0) break
    yield* Metric.update(Metric.withAttributes(unreadableRows, { queue }), unreadable)
    yield* putBack(read, DateTime.add(leaseNow, pause))
  }
  return read
})
