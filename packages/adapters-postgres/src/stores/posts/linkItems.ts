import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { decidePost, type PublishedPosts } from "@loopbox/core/items/ownPost"
import { Networks } from "@loopbox/core/networks/Networks"
import { Source } from "@loopbox/core/networks/Source"
import type { PostTarget } from "@loopbox/core/posts/PostTarget"
import {
  accountColumnsOf,
  isThreadOf,
  newestInboundOf,
  ShownRow,
  shownWithThread,
  makeToShown
} from "../../rows/ItemRow.ts"
import { all } from "../../rows/rows.ts"
import { ownTurn } from "../../connection/accountTurn.ts"
import { storable, toJson } from "../../rows/text.ts"
import { inWorkspace } from "../../rows/inWorkspace.ts"

/** A post whose outcome was unknown for half an hour may have thousands of comments; each is told in an event. */
export const linkTimeout = Duration.seconds(30)

const HangingRow = Schema.Struct({ source: Source, thread_key: Schema.String })

/**
 * Gives a post to the items that hang on it and were stored before its ids were known, in the transaction in which they
 * become known. That transaction holds the account, so that no item arrives meanwhile.
 */
export const makeLinkItems = Effect.gen(function* () {
  const sql = yield* SqlClient
  const networks = yield* Networks
  const columns = inWorkspace(
    sql,
    `${shownWithThread("i")}, ${newestInboundOf(networks, "i")}, ${accountColumnsOf("a")}`
  )

  /** Holds an account against ingest, if the target may become known as published, or under other ids. */
  const holdAccount = ({ accountId, id, workspaceId }: PostTarget) =>
    sql`SELECT 1 FROM social_accounts a
      WHERE a.workspace_id = ${workspaceId} AND a.id = ${accountId} AND EXISTS (
        SELECT 1 FROM post_targets t WHERE t.workspace_id = ${workspaceId} AND t.id = ${id}
          AND t.status IN ('publishing', 'outcome_unknown', 'published'))
        AND ${sql.literal(ownTurn("a"))}
      FOR NO KEY UPDATE OF a`

  /** Locks threads and then items, as everybody does; the threads stay as they are told in the events. */
  const lock = Effect.fnUntraced(function* ({ accountId, workspaceId }: PostTarget, isHanging: Fragment) {
    const rows = yield* all(HangingRow)(sql`SELECT DISTINCT i.source, i.thread_key FROM items i WHERE ${isHanging}`)
    if (rows.length === 0) return false
    yield* sql`SET LOCAL statement_timeout = ${sql.literal(`${Duration.toMillis(linkTimeout)}`)}`
    yield* sql`SELECT 1 FROM threads t WHERE t.workspace_id = ${workspaceId} AND t.account_id = ${accountId}
        AND (t.source, t.thread_key) IN (SELECT source, thread_key
          FROM unnest(${rows.map((row) => row.source)}::text[], ${rows.map((row) => row.thread_key)}::text[])
            AS n (source, thread_key))
      ORDER BY t.source, t.thread_key FOR SHARE`
    yield* sql`SELECT 1 FROM items i WHERE ${isHanging} ORDER BY i.source, i.external_id FOR NO KEY UPDATE`
    return true
  })

  const linkItems = Effect.fnUntraced(function* (target: PostTarget, gained: PublishedPosts, moment: DateTime.Utc) {
    if (gained.size === 0 || Option.isNone(target.network)) return []
    const { accountId, workspaceId } = target
    const sources = networks.sourcesOf(target.network.value)
    const isHanging = sql`i.workspace_id = ${workspaceId} AND i.account_id = ${accountId} AND i.kind = 'live'
      AND i.source = ANY(${sources}::text[]) AND i.linked_post_id = ANY(${Array.from(gained.keys(), storable)}::text[])
      AND i.post_id IS NULL`
    if (!(yield* lock(target, isHanging))) return []
    const rows = yield* all(ShownRow)(sql`SELECT ${columns(workspaceId)} FROM items i
      JOIN threads t ON ${sql.literal(isThreadOf("i"))}
      JOIN social_accounts a ON a.workspace_id = i.workspace_id AND a.id = i.account_id
      WHERE ${isHanging} ORDER BY i.received_at, i.id`)
    const { events, items } = decidePost(gained, rows.map(makeToShown(networks, moment)))
    const linked = items.map(({ externalId, postId, source }) => ({
      source,
      external_id: externalId,
      post_id: Option.getOrNull(postId)
    }))
    yield* sql`UPDATE items i SET post_id = n.post_id
      FROM jsonb_to_recordset(${toJson(linked)}::jsonb) AS n (source text, external_id text, post_id text)
      WHERE i.workspace_id = ${workspaceId} AND i.account_id = ${accountId} AND i.source = n.source
        AND i.external_id = n.external_id`
    return events
  })

  return { holdAccount, linkItems }
})
