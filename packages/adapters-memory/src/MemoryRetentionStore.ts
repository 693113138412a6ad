import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { endOf } from "@loopbox/core/outbound/transitions"
import { endOf as endOfPost } from "@loopbox/core/posts/showPost"
import {
  auditDays,
  deletedMediaRowDays,
  itemHourDays,
  jobRowDays,
  mediaContextDays,
  postRowDays,
  replyRowDays
} from "@loopbox/core/retention/Retention"
import { type RemovableMedia, RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { allJobs, isActive, isInUse, type JobMap, type MediaEntry, MemoryState } from "./MemoryState.ts"

const isPast = (at: DateTime.Utc, days: number, now: DateTime.Utc) =>
  DateTime.isLessThanOrEqualTo(DateTime.add(at, { days }), now)

const removable = ({ deletedAt, isRemoved, media }: MediaEntry): ReadonlyArray<RemovableMedia> =>
  deletedAt === undefined || isRemoved || media._tag === "PendingMedia"
    ? []
    : [{ workspaceId: media.workspaceId, id: media.id, blobKey: media.blobKey }]

const expire = (state: MemoryState["Service"], now: DateTime.Utc, limit: number): number => {
  let expired = 0
  for (const [id, entry] of state.media) {
    if (expired >= limit) break
    if (entry.deletedAt !== undefined || DateTime.isGreaterThanOrEqualTo(entry.media.keepUntil, now)) continue
    if (isInUse(state, id)) continue
    state.media.set(id, { ...entry, deletedAt: now })
    expired++
  }
  return expired
}

const purgeReplies = ({ inbox }: MemoryState["Service"], now: DateTime.Utc, limit: number): number => {
  let replies = 0
  for (const { operations } of inbox.accounts.values()) {
    for (const [id, { operation }] of operations) {
      if (replies >= limit) return replies
      if (Option.exists(endOf(operation), (at) => isPast(at, replyRowDays, now)) && operations.delete(id)) replies++
    }
  }
  return replies
}

const purgeContexts = ({ inbox }: MemoryState["Service"], now: DateTime.Utc, limit: number): number => {
  let contexts = 0
  for (const { mediaContexts } of inbox.accounts.values()) {
    for (const [postId, { fetchedAt }] of mediaContexts) {
      if (contexts >= limit) return contexts
      if (isPast(fetchedAt, mediaContextDays, now) && mediaContexts.delete(postId)) contexts++
    }
  }
  return contexts
}

const purgePosts = ({ inbox }: MemoryState["Service"], now: DateTime.Utc, limit: number): number => {
  let posts = 0
  for (const [id, { kept }] of inbox.posts) {
    if (posts >= limit) return posts
    if (Option.exists(endOfPost(kept), (at) => isPast(at, postRowDays, now)) && inbox.posts.delete(id)) posts++
  }
  return posts
}

const purgeHours = ({ inbox }: MemoryState["Service"], now: DateTime.Utc, limit: number): number => {
  const oldest = DateTime.toEpochMillis(DateTime.subtract(now, { days: itemHourDays }))
  let hours = 0
  for (const { itemHours } of inbox.logs.values()) {
    for (const hour of itemHours.keys()) {
      if (hours >= limit) return hours
      if (hour <= oldest && itemHours.delete(hour)) hours++
    }
  }
  return hours
}

const purgeAudit = ({ inbox }: MemoryState["Service"], now: DateTime.Utc, limit: number): number => {
  const { kept } = inbox.audit
  const old = new Set(kept.filter(({ createdAt }) => isPast(createdAt, auditDays, now)).slice(0, limit))
  inbox.audit.kept = kept.filter((event) => !old.has(event))
  return old.size
}

const purgeJobs = <Task, Code extends string>(all: JobMap<Task, Code>, now: DateTime.Utc, limit: number): number => {
  let jobs = 0
  for (const [id, { job }] of all) {
    if (jobs >= limit || job._tag === "QueuedJob" || job._tag === "ProcessingJob") continue
    if (isPast(job.completedAt, jobRowDays, now) && all.delete(id)) jobs++
  }
  return jobs
}

const purgeRows = (state: MemoryState["Service"], now: DateTime.Utc, limit: number): number => {
  const jobs = purgeJobs(state.jobs, now, limit) + purgeJobs(state.overlays, now, limit)
  let media = 0
  for (const [id, entry] of state.media) {
    if (media >= limit || entry.deletedAt === undefined || removable(entry).length > 0) continue
    const isErased = !state.workspaces.has(entry.media.workspaceId)
    if ((isErased || isPast(entry.deletedAt, deletedMediaRowDays, now)) && state.media.delete(id)) media++
  }
  const rows = [purgeReplies, purgePosts, purgeContexts, purgeHours, purgeAudit].map((purge) =>
    purge(state, now, limit)
  )
  return Math.max(jobs, media, ...rows)
}

/** Whether a worker has written the bytes for a job that is not settled yet: `<workspace>/<job>-<token>`. */
const isOutputToCome = (state: MemoryState["Service"], key: string): boolean => {
  return allJobs(state).some((job) => isActive(job) && key.startsWith(`${job.workspaceId}/${job.id}-`))
}

export const layer: Layer.Layer<RetentionStore, never, MemoryState> = Layer.effect(
  RetentionStore,
  Effect.map(MemoryState, (state) =>
    RetentionStore.of({
      expire: (now, limit) => Effect.sync(() => expire(state, now, limit)),
      listRemovable: (limit) => Effect.sync(() => Array.from(state.media.values()).flatMap(removable).slice(0, limit)),
      confirmRemoved: (media) =>
        Effect.sync(() => {
          for (const { id } of media) {
            const entry = state.media.get(id)
            if (entry !== undefined) state.media.set(id, { ...entry, isRemoved: true })
          }
        }),
      findOrphans: (blobKeys) =>
        Effect.sync(() => {
          const known = new Set(
            Array.from(state.media.values()).map(({ media }) => (media._tag === "ReadyMedia" ? media.blobKey : ""))
          )
          return blobKeys.filter((key) => !known.has(key) && !isOutputToCome(state, key))
        }),
      purgeRows: (now, limit) => Effect.sync(() => purgeRows(state, now, limit))
    })
  )
)
