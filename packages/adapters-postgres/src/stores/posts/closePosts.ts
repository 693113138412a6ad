import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { PostId, type SocialAccountId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { PostRow, toPostColumns } from "../../rows/PostRow.ts"
import { all } from "../../rows/rows.ts"
import { makePostWrites } from "./postWrites.ts"

const IdRow = Schema.Struct({ id: PostId })

type Columns = Effect.Success<ReturnType<typeof toPostColumns>>

/** Whether a post's row stays as it is without some of its targets. */
const isAlike = (one: Columns, other: Columns): boolean =>
  one.status === other.status &&
  one.media_ids === other.media_ids &&
  one.ended_at?.getTime() === other.ended_at?.getTime()

/**
 * Makes what takes accounts that are erased out of posts, in the transaction that hides them: posts that went to nobody
 * else are deleted, and those that may still be published to others go on without them. The targets of ended posts go
 * with the rest of the account.
 */
export const makeClosePosts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const writes = yield* makePostWrites

  return Effect.fnUntraced(function* (workspaceId: WorkspaceId, ids: ReadonlyArray<SocialAccountId>) {
    const ofThem = sql`t.workspace_id = ${workspaceId} AND t.account_id = ANY(${ids}::text[])`
    // Locked by a statement of its own: the next ones see the targets that a change has written for which it waited.
    const theirs = (yield* all(IdRow)(sql`SELECT p.id FROM posts p
      WHERE p.workspace_id = ${workspaceId} AND p.id IN (SELECT t.post_id FROM post_targets t WHERE ${ofThem})
      ORDER BY p.id FOR UPDATE`)).map(({ id }) => id)
    if (theirs.length === 0) return
    const isTheirs = sql`p.workspace_id = ${workspaceId} AND p.id = ANY(${theirs}::text[])`
    yield* sql`DELETE FROM posts p WHERE ${isTheirs} AND NOT EXISTS (
      SELECT 1 FROM post_targets o WHERE o.workspace_id = p.workspace_id AND o.post_id = p.id
        AND o.account_id <> ALL(${ids}::text[]))`
    const open = (yield* all(PostRow)(sql`SELECT p.post FROM posts p
      WHERE ${isTheirs} AND p.ended_at IS NULL ORDER BY p.id`)).map(({ post }) => post)
    const targets = yield* writes.lockTargets(workspaceId, open)
    const ofOpen = sql`t.workspace_id = ${workspaceId} AND t.post_id = ANY(${open.map(({ id }) => id)}::text[])`
    yield* sql`DELETE FROM post_targets t WHERE ${ofOpen} AND t.account_id = ANY(${ids}::text[])`
    // There may be thousands of drafts, and a statement for each would take longer than the transaction may.
    for (const post of open) {
      const before = { post, targets: targets.get(post.id) ?? [] }
      const after = { post, targets: before.targets.filter(({ accountId }) => !ids.includes(accountId)) }
      if (after.targets.length > 0 && !isAlike(yield* toPostColumns(before), yield* toPostColumns(after))) {
        yield* writes.updatePost(after)
        yield* writes.noteEnd(before, after)
      }
    }
  })
})
