import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { LeaseClock } from "../kernel/LeaseClock.ts"
import { BlobStore } from "../media/BlobStore.ts"
import { orphanHours } from "./Retention.ts"
import { RetentionStore } from "./RetentionStore.ts"

/** Rows of one step: small, so that no lock is held for long. */
const batch = 100

/**
 * Deletes what need not be kept any more: expired files, bytes without a record, half-written bytes of writers that
 * died, old rows. Every step can be cut off anywhere; the next sweep goes on.
 */
export const sweep = Effect.fn("RetentionSweeper.sweep")(function* () {
  const store = yield* RetentionStore
  const blobs = yield* BlobStore
  const now = yield* DateTime.now

  yield* store.expire(now, batch).pipe(Effect.repeat({ while: (expired) => expired >= batch }))
  /** Removes what it can: a file that cannot be removed now keeps no other from going, and is tried again. */
  const removeBlobs = Effect.fnUntraced(function* <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string) {
    const [removed, failures] = yield* Effect.partition(items, (item) => Effect.as(blobs.remove(keyOf(item)), item))
    if (failures.length > 0) yield* Effect.logWarning(`${failures.length} files were not removed`, failures[0])
    return removed
  })
  const removeBytes = Effect.gen(function* () {
    const media = yield* store.listRemovable(batch)
    const removed = yield* removeBlobs(media, ({ blobKey }) => blobKey)
    yield* store.confirmRemoved(removed)
    return media.length >= batch && removed.length > 0
  })
  yield* removeBytes.pipe(Effect.repeat({ while: (mayBeMore) => mayBeMore }))
  yield* store.purgeRows(now, batch).pipe(Effect.repeat({ while: (purged) => purged >= batch }))
  yield* blobs.removeAbandoned
  // A test clock ahead makes all bytes look old; those whose record is just being written must not be taken.
  const settled = DateTime.subtract(yield* yield* LeaseClock, { seconds: 15 })
  yield* blobs.listOlder(DateTime.min(settled, DateTime.subtract(now, { hours: orphanHours }))).pipe(
    Stream.grouped(batch),
    Stream.mapEffect((keys) => store.findOrphans(keys)),
    Stream.runForEach((keys) => removeBlobs(keys, (key) => key))
  )
})

/**
 * Sweeps at the start and then every `every`, as the `Clock` counts: a test clock that is moved past the next sweep
 * brings it at once.
 */
export const layer = (options: {
  readonly every: Duration.Input
}): Layer.Layer<never, never, RetentionStore | BlobStore> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const every = Duration.fromInputUnsafe(options.every)
      let last: DateTime.Utc | undefined
      const sweepIfDue = Effect.gen(function* () {
        const now = yield* DateTime.now
        if (last !== undefined && DateTime.isLessThan(now, DateTime.addDuration(last, every))) return
        yield* sweep()
        last = now
      })
      yield* sweepIfDue.pipe(
        Effect.catchTag("StoreUnavailable", (error) => Effect.logWarning("the sweeper waits", error)),
        // A bug must not end retention for good: it is logged, and the next turn tries again.
        Effect.catchDefect((defect) => Effect.logError("a sweep met a bug", defect)),
        Effect.repeat(Schedule.spaced(Duration.min(every, Duration.seconds(1)))),
        Effect.forkScoped
      )
    })
  )
