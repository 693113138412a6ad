import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import type { PostStatus, ShownPost } from "@loopbox/core/items/ShownPost"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { showPost } from "@loopbox/core/posts/showPost"

const ends: ReadonlyArray<PostStatus> = ["published", "partial", "failed"]

/** Posts are as their events say: no target was changed without one, and each end is told of as what it is. */
export const checkPostEvents = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
  const { inbox } = yield* MemoryState
  const { events } = yield* (yield* InboxEvents).read(workspaceId, 0, 100_000)
  const told = new Map<string, ShownPost>()
  const ended = new Map<string, PostStatus>()
  for (const { event } of events) {
    if ("post" in event) told.set(event.post.id, event.post)
    if (event._tag === "PostPublished") ended.set(event.post.id, "published")
    if (event._tag === "PostPartial") ended.set(event.post.id, "partial")
    if (event._tag === "PostFailed") ended.set(event.post.id, "failed")
  }
  for (const { kept } of inbox.posts.values()) {
    const { id, status, targets } = showPost(kept)
    if (kept.post.workspaceId !== workspaceId || kept.post.isDraft) continue
    const known = told.get(id)?.targets.map((target) => target.status) ?? targets.map(() => "pending")
    assert.deepStrictEqual(
      targets.map((target) => target.status),
      known,
      `${id} has targets of which no event tells`
    )
    // How a post ends follows from its targets alone.
    const there = targets.filter((target) => target.status === "published").length
    if (status === "published" || status === "partial" || status === "failed")
      assert.strictEqual(
        status,
        there === targets.length ? "published" : there > 0 ? "partial" : "failed",
        `${id}: how it has ended, and its targets`
      )
    if (ends.includes(status)) assert.strictEqual(ended.get(id), status, `${id}: how its events say that it ended`)
  }
})

/** Each job that has ended is told of once, where an endpoint asks for it from the beginning. */
export const checkJobEnds = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
  const { jobs } = yield* MemoryState
  const { jobEnds } = yield* (yield* InboxEvents).read(workspaceId, 0, 100_000)
  const ended = Array.from(jobs.values()).flatMap(({ job }) =>
    job.workspaceId === workspaceId && (job._tag === "SucceededJob" || job._tag === "FailedJob") ? [job.id] : []
  )
  assert.deepStrictEqual(
    jobEnds.map(({ event }) => event.jobId).sort(),
    ended.sort(),
    "jobs that have ended and those that events tell of"
  )
})
