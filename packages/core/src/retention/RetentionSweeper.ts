import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { LeaseClock } from "../kernel/lease/LeaseClock.ts"
import { sweepInTurn } from "../kernel/lease/sweepInTurn.ts"
import { noteSwept } from "../kernel/sweepMetrics.ts"
import { supervised } from "../kernel/lease/supervised.ts"
import { BlobStore } from "../media/BlobStore.ts"
import { orphanHours } from "./Retention.ts"
import { RetentionStore } from "./RetentionStore.ts"

/** Rows per transaction: few, so that no lock is held for long. */
const batch = 100

/** Looking for bytes without a record reads the names of all files, so that is done once a day, by one process. */
const orphansEvery = Duration.days(1)

/** A sweep skips files that it cannot remove, and stops after this many. */
const maxStuck = 10_000

/** Pause after a sweep that failed: 1 minute, 2, 4 … at most the ordinary pause. */
const retryAfter = (failures: number, every: Duration.Duration): Duration.Duration =>
  Duration.min(every, Duration.minutes(2 ** Math.min(failures - 1, 10)))

/**
 * Deletes expired files, bytes without a record, incomplete files of crashed writers, and old rows. Every step can be
 * interrupted; the next sweep continues.
 *
 * A failed step does not stop the others; the sweep fails with the error of the first failed step.
 */
export const sweep = Effect.fn("RetentionSweeper.sweep")(function* () {
  const store = yield* RetentionStore
  const blobs = yield* BlobStore
  const now = yield* DateTime.now

  /** Removes files. One that cannot be removed now does not stop the others, and is retried by the next sweep. */
  const removeBlobs = Effect.fnUntraced(function* <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string) {
    const [removed, failures] = yield* Effect.partition(items, (item) => Effect.as(blobs.remove(keyOf(item)), item))
    if (failures.length > 0) yield* Effect.logWarning(`${failures.length} files were not removed`, failures[0])
    return removed
  })
  const stuck = new Set<string>()
  const removeBytes = Effect.gen(function* () {
    const listed = yield* store.listRemovable(batch + stuck.size)
    const media = listed.filter(({ blobKey }) => !stuck.has(blobKey))
    const removed = yield* removeBlobs(media, ({ blobKey }) => blobKey)
    yield* store.confirmRemoved(removed)
    const gone = new Set(removed)
    for (const one of media) if (!gone.has(one)) stuck.add(one.blobKey)
    return media.length >= batch && stuck.size < maxStuck
  })
  const removeOrphans = Effect.gen(function* () {
    // With a test clock in the future all bytes look old; bytes whose record is being written now must not be removed.
    const settled = DateTime.subtract(yield* yield* LeaseClock, { seconds: 15 })
    yield* blobs.listOlder(DateTime.min(settled, DateTime.subtract(now, { hours: orphanHours }))).pipe(
      Stream.grouped(batch),
      Stream.mapEffect((keys) => store.findOrphans(keys)),
      Stream.runForEach((keys) => removeBlobs(keys, (key) => key))
    )
  })
  const steps = [
    store.expire(now, batch).pipe(Effect.repeat({ while: (expired) => expired >= batch })),
    removeBytes.pipe(Effect.repeat({ while: (mayBeMore) => mayBeMore })),
    store.purgeRows(now, batch).pipe(Effect.repeat({ while: (purged) => purged >= batch })),
    blobs.removeAbandoned,
    sweepInTurn("orphans", orphansEvery, removeOrphans)
  ]
  const [, [failed]] = yield* Effect.partition(steps, (step) => step)
  if (failed !== undefined) return yield* failed
})

/**
 * Sweeps every `every` by the `Clock`, so that moving a test clock triggers a sweep, unless another process has (`SweepTurns`). A failed
 * sweep is retried sooner, but not at once: with an unreadable folder the whole store would be listed every second.
 */
export const layer = (options: {
  readonly every: Duration.Input
}): Layer.Layer<never, never, RetentionStore | BlobStore> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const every = Duration.fromInputUnsafe(options.every)
      let due: DateTime.Utc | undefined
      let failures = 0
      const sweepIfDue = Effect.gen(function* () {
        const now = yield* DateTime.now
        if (due !== undefined && DateTime.isLessThan(now, due)) return
        due = DateTime.addDuration(now, retryAfter(failures + 1, every))
        failures += 1
        if (yield* sweepInTurn("media", every, sweep())) yield* noteSwept("media")
        due = DateTime.addDuration(now, every)
        failures = 0
      })
      yield* supervised("media.sweep", sweepIfDue, { every: Duration.min(every, Duration.seconds(1)) })
    })
  )
