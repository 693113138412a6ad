import { DateTime } from "effect"
import type { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { ConversionJob } from "@loopbox/core/conversions/ConversionJob"

/** A row that is kept for some days from a moment on; without one it is kept for as long as it has not ended. */
export interface Row {
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

/** The rows that retention removes, as the documents say for how long they are kept. */
export const retainedRows = ({ inbox, jobs, media, workspaces }: MemoryState["Service"]): ReadonlyArray<Row> => [
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
  ...inbox.audit.kept.map(({ createdAt, id }) => ({ name: `the audit's ${id}`, days: 400, from: createdAt }))
]

export const isOver = ({ days, from }: Row, now: DateTime.Utc): boolean =>
  from !== undefined && DateTime.isLessThan(DateTime.add(from, { days }), now)
