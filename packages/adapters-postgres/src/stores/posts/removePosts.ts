import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { PostId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { all } from "../../rows/rows.ts"

const IdRow = Schema.Struct({ id: PostId })

/**
 * Makes what removes the posts and drafts of a managed user who is erased, in the transaction that hides them: also those
 * to accounts that are others' by now, which stay. What of them is being published finds its lease lost.
 */
export const makeRemovePosts = Effect.gen(function* () {
  const sql = yield* SqlClient

  return Effect.fnUntraced(function* (workspaceId: WorkspaceId, user: string) {
    // Before their targets, as whoever settles one locks them.
    const posts = yield* all(IdRow)(sql`SELECT id FROM posts
      WHERE workspace_id = ${workspaceId} AND external_user_id = ${user} ORDER BY id FOR UPDATE`)
    if (posts.length === 0) return
    const ids = posts.map(({ id }) => id)
    yield* sql`DELETE FROM post_targets WHERE workspace_id = ${workspaceId} AND post_id = ANY(${ids}::text[])`
    yield* sql`DELETE FROM posts WHERE workspace_id = ${workspaceId} AND id = ANY(${ids}::text[])`
  })
})
