import { DateTime, Effect, Layer, Stream } from "effect"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { MediaId } from "@loopbox/core/kernel/Ids"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { LeaseLaw } from "./LeaseLaw.ts"
import { isOver, retainedRows } from "./retainedRows.ts"

type State = MemoryState["Service"]

/** Files that are kept, and until when. */
const keptFiles = ({ media }: State): ReadonlyMap<MediaId, DateTime.Utc> =>
  new Map(
    Array.from(media).flatMap(([id, { deletedAt, media: file }]) =>
      deletedAt === undefined ? [[id, file.keepUntil] as const] : []
    )
  )

/** Files that a job which has not ended reads. */
const readByJobs = ({ jobs }: State): ReadonlySet<MediaId> =>
  new Set(Array.from(jobs.values()).flatMap(({ job }) => ("completedAt" in job ? [] : [job.task.gifMediaId])))

const watch = (right: RetentionStore["Service"], { violations }: LeaseLaw["Service"], state: State) =>
  RetentionStore.of({
    ...right,
    expire: (now, limit) =>
      Effect.suspend(() => {
        const [before, read] = [keptFiles(state), readByJobs(state)]
        return Effect.tap(right.expire(now, limit), (expired) =>
          Effect.sync(() => {
            const left = keptFiles(state)
            for (const [id, until] of before) {
              const isPast = DateTime.isLessThan(until, now)
              if (!left.has(id) && read.has(id)) violations.push(`${id} has expired, and a job reads it`)
              if (!left.has(id) && !isPast) violations.push(`${id} has expired before its time`)
              if (left.has(id) && isPast && !read.has(id) && expired < limit)
                violations.push(`${id} is kept for longer than its time`)
            }
          })
        )
      }),
    purgeRows: (now, limit) =>
      Effect.suspend(() => {
        const before = retainedRows(state)
        const records = Array.from(state.media)
        return Effect.tap(right.purgeRows(now, limit), (purged) =>
          Effect.sync(() => {
            const left = new Set(retainedRows(state).map(({ name }) => name))
            for (const [id, { isRemoved, media }] of records)
              if (!state.media.has(id) && !isRemoved && media._tag === "ReadyMedia")
                violations.push(`the record of ${id} was removed before its bytes`)
            for (const row of before) {
              if (!left.has(row.name) && !isOver(row, DateTime.add(now, { milliseconds: 1 })))
                violations.push(`${row.name} was removed before its time`)
              if (left.has(row.name) && isOver(row, now) && purged < limit)
                violations.push(`${row.name} is kept for longer than it may be`)
            }
          })
        )
      })
  })

/** Bytes of which no record is known are left alone for a day: who writes them may be about to tell of them. */
const watchBytes = (right: BlobStore["Service"], { violations }: LeaseLaw["Service"]) =>
  BlobStore.of({
    ...right,
    listOlder: (before) =>
      Stream.unwrap(
        Effect.map(DateTime.now, (now) => {
          // Who looks for all that there is asks for what is older than a time to come.
          const isPast = DateTime.isLessThanOrEqualTo(before, now)
          const isYoung = isPast && DateTime.isGreaterThan(before, DateTime.subtract(now, { hours: 24 }))
          if (isYoung) violations.push("bytes without a record are looked for that are younger than a day")
          return right.listOlder(before)
        })
      )
  })

/** The store of retention under the law of days: what is past its time goes, and nothing else. */
export const watchRetention = Layer.merge(
  Layer.effect(
    RetentionStore,
    Effect.gen(function* () {
      return watch(yield* RetentionStore, yield* LeaseLaw, yield* MemoryState)
    })
  ),
  Layer.effect(BlobStore, Effect.zipWith(BlobStore, LeaseLaw, watchBytes))
)
