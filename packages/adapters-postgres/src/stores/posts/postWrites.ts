import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { PostId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { KeptPost, Post } from "@loopbox/core/posts/Post"
import type { PostTarget } from "@loopbox/core/posts/PostTarget"
import { filesOf } from "@loopbox/core/posts/showPost"
import { isKeptFile } from "../../rows/oneByOne.ts"
import { PostRow, TargetRow, toPostColumns, toTargetColumns } from "../../rows/PostRow.ts"
import { all, first } from "../../rows/rows.ts"

/** Reads and writes posts with their targets, in transactions of their callers. A post's row is locked before its targets'. */
export const makePostWrites = Effect.gen(function* () {
  const sql = yield* SqlClient

  const targetsOf = (workspaceId: WorkspaceId, id: PostId, lock: Fragment) =>
    Effect.map(
      all(TargetRow)(sql`SELECT target FROM post_targets
        WHERE workspace_id = ${workspaceId} AND post_id = ${id} ORDER BY place ${lock}`),
      (rows) => rows.map(({ target }) => target)
    )

  /** A post that fits a condition on `posts p`; one without targets is being erased. */
  const read = Effect.fnUntraced(function* (workspaceId: WorkspaceId, which: Fragment, lock: Fragment) {
    const row = yield* first(PostRow)(sql`SELECT p.post FROM posts p
      WHERE p.workspace_id = ${workspaceId} AND ${which} ${lock}`)
    if (Option.isNone(row)) return Option.none<KeptPost>()
    const { post } = row.value
    const targets = yield* targetsOf(workspaceId, post.id, lock)
    return targets.length === 0 ? Option.none<KeptPost>() : Option.some<KeptPost>({ post, targets })
  })

  /** Targets of several posts that are locked already, by post. */
  const lockTargets = (workspaceId: WorkspaceId, posts: ReadonlyArray<Pick<Post, "id">>) =>
    Effect.map(
      all(TargetRow)(sql`SELECT target FROM post_targets
        WHERE workspace_id = ${workspaceId} AND post_id = ANY(${posts.map(({ id }) => id)}::text[])
        ORDER BY post_id, place FOR NO KEY UPDATE`),
      (rows) =>
        Map.groupBy(
          rows.map(({ target }) => target),
          ({ postId }) => postId
        )
    )

  const insertTarget = Effect.fnUntraced(function* (kept: KeptPost, target: PostTarget, place: number) {
    yield* sql`INSERT INTO post_targets ${sql.insert({
      workspace_id: target.workspaceId,
      id: target.id,
      post_id: target.postId,
      account_id: target.accountId,
      place,
      ...(yield* toTargetColumns(kept, target))
    })}`
  })

  const insert = Effect.fnUntraced(function* (kept: KeptPost) {
    const { post, targets } = kept
    const added = yield* sql`INSERT INTO posts ${sql.insert({
      workspace_id: post.workspaceId,
      id: post.id,
      idempotency_key: Option.getOrNull(post.idempotencyKey),
      created_at: new Date(post.createdAt.epochMilliseconds),
      ...(yield* toPostColumns(kept))
    })} ON CONFLICT (workspace_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING RETURNING 1`
    if (added.length === 0) return false
    yield* Effect.forEach(targets, (target, place) => insertTarget(kept, target, place), { discard: true })
    return true
  })

  const updatePost = Effect.fnUntraced(function* (kept: KeptPost) {
    const { id, workspaceId } = kept.post
    yield* sql`UPDATE posts SET ${sql.update(yield* toPostColumns(kept))} WHERE workspace_id = ${workspaceId} AND id = ${id}`
  })

  const updateTarget = Effect.fnUntraced(function* (kept: KeptPost, target: PostTarget, lease: Fragment) {
    yield* sql`UPDATE post_targets SET ${sql.update(yield* toTargetColumns(kept, target))} ${lease}
      WHERE workspace_id = ${target.workspaceId} AND id = ${target.id}`
  })

  const noLease = sql.literal("")

  /** Writes a changed post: its own row, new targets, changed ones; those that are gone are deleted. */
  const update = Effect.fnUntraced(function* (before: KeptPost, after: KeptPost) {
    const { id, workspaceId } = after.post
    yield* updatePost(after)
    const kept = after.targets.map((target) => target.id)
    yield* sql`DELETE FROM post_targets
      WHERE workspace_id = ${workspaceId} AND post_id = ${id} AND id <> ALL(${kept}::text[])`
    const known = new Set(before.targets.map((target) => target.id))
    yield* Effect.forEach(
      after.targets,
      (target, place) =>
        known.has(target.id) ? updateTarget(after, target, noLease) : insertTarget(after, target, place),
      { discard: true }
    )
  })

  const remove = Effect.fnUntraced(function* ({ post: { id, workspaceId } }: KeptPost) {
    yield* sql`DELETE FROM post_targets WHERE workspace_id = ${workspaceId} AND post_id = ${id}`
    yield* sql`DELETE FROM posts WHERE workspace_id = ${workspaceId} AND id = ${id}`
  })

  /** Notes of the post's other targets when the post ended, or goes on: they are purged together. */
  const noteEnd = Effect.fnUntraced(function* (before: KeptPost, after: KeptPost) {
    const [was, is] = [(yield* toPostColumns(before)).ended_at, (yield* toPostColumns(after)).ended_at]
    if (was?.getTime() === is?.getTime()) return
    const { id, workspaceId } = after.post
    yield* sql`UPDATE post_targets SET ended_at = ${is} WHERE workspace_id = ${workspaceId} AND post_id = ${id}`
  })

  /** Whether a post that is to go out has all of its accounts and files; they can't be erased before the commit. */
  const isComplete = Effect.fnUntraced(function* (kept: KeptPost) {
    if (kept.post.isDraft) return true
    const { workspaceId } = kept.post
    const accountIds = Array.from(new Set(kept.targets.map(({ accountId }) => accountId)))
    const accounts = yield* sql`SELECT 1 FROM social_accounts
      WHERE workspace_id = ${workspaceId} AND id = ANY(${accountIds}::text[]) AND erased_at IS NULL
      ORDER BY id FOR SHARE`
    const mediaIds = Array.from(filesOf(kept))
    const media = yield* sql`SELECT 1 FROM media
      WHERE workspace_id = ${workspaceId} AND id = ANY(${mediaIds}::text[]) AND ${sql.literal(isKeptFile)}
      ORDER BY id FOR SHARE`
    return accounts.length === accountIds.length && media.length === mediaIds.length
  })

  return { read, lockTargets, insert, update, updatePost, updateTarget, noteEnd, remove, isComplete }
})
