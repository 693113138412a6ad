import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { decidePost, type PublishedPosts } from "@loopbox/core/items/ownPost"
import { Networks } from "@loopbox/core/networks/Networks"
import { Source } from "@loopbox/core/networks/Source"
import type { PostTarget } from "@loopbox/core/posts/PostTarget"
import { accountColumnsOf, newestInboundOf, ShownRow, shownWithThread, makeToShown } from "../../rows/ItemRow.ts"
import { isNamedByKey, namedRecords, namedRows } from "../../rows/oneByOne.ts"
import { all } from "../../rows/rows.ts"
import { itemsNamed, threadOfItem } from "../inbox/itemLookUp.ts"
import { makeHoldThreads } from "../inbox/holdThreads.ts"
import { ownTurn } from "../../connection/accountTurn.ts"
import { storable } from "../../rows/text.ts"
import { inWorkspace } from "../../rows/inWorkspace.ts"

/** A post whose outcome was unknown for half an hour may have thousands of comments; each is told in an event. */
export const linkTimeout = Duration.seconds(30)

const HangingRow = Schema.Struct({ source: Source, external_id: Schema.String, thread_key: Schema.String })

/**
 * Gives a post to the items that hang on it and were stored before its ids were known, in the transaction in which they
 * become known. That transaction holds the account, so that no item arrives meanwhile.
 */
export const makeLinkItems = Effect.gen(function* () {
  const sql = yield* SqlClient
  const networks = yield* Networks
  const holdThreads = yield* makeHoldThreads
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

  /**
   * Items that hang on posts and have none of ours yet, each way of hanging looked up by itself: before the first statistics
   * the planner would rather read all items of the account.
   */
  const findHanging = (
    { accountId, workspaceId }: PostTarget,
    sources: ReadonlyArray<Source>,
    ids: ReadonlyArray<string>
  ) =>
    all(HangingRow)(sql`SELECT i.source, i.external_id, i.thread_key FROM ${namedRows(sql, {
      source: sources.flatMap((source) => ids.map(() => source)),
      linked_post_id: sources.flatMap(() => ids)
    })} n CROSS JOIN LATERAL (
      SELECT * FROM items i WHERE i.workspace_id = ${workspaceId} AND i.account_id = ${accountId} AND i.kind = 'live'
        AND ${sql.literal(isNamedByKey("i", "n", ["source", "linked_post_id"]))} OFFSET 0
    ) i WHERE i.post_id IS NULL`)

  /** Locks threads and then items, as everybody does; the threads stay as they are told in the events. */
  const lock = Effect.fnUntraced(function* (target: PostTarget, rows: ReadonlyArray<typeof HangingRow.Type>) {
    yield* sql`SET LOCAL statement_timeout = ${sql.literal(`${Duration.toMillis(linkTimeout)}`)}`
    yield* holdThreads(target, rows)
    yield* sql`SELECT 1 FROM ${itemsNamed(sql, target, rows)} FOR NO KEY UPDATE OF i`
  })

  const linkItems = Effect.fnUntraced(function* (target: PostTarget, gained: PublishedPosts, moment: DateTime.Utc) {
    if (gained.size === 0 || Option.isNone(target.network)) return []
    const { accountId, workspaceId } = target
    const sources = networks.sourcesOf(target.network.value)
    const hanging = yield* findHanging(target, sources, Array.from(gained.keys(), storable))
    if (hanging.length === 0) return []
    yield* lock(target, hanging)
    const rows = yield* all(ShownRow)(sql`SELECT ${columns(workspaceId)} FROM ${itemsNamed(sql, target, hanging)}
      CROSS JOIN LATERAL (${threadOfItem(sql, workspaceId)}) t
      JOIN social_accounts a ON a.workspace_id = ${workspaceId} AND a.id = i.account_id
      WHERE i.kind = 'live' AND i.post_id IS NULL ORDER BY i.received_at, i.id`)
    const { events, items } = decidePost(gained, rows.map(makeToShown(networks, moment)))
    const linked = items.map(({ externalId, postId, source }) => ({
      account_id: accountId,
      source,
      external_id: externalId,
      post_id: Option.getOrNull(postId)
    }))
    yield* sql`UPDATE items i SET post_id = n.post_id
      FROM ${namedRecords(sql, { account_id: "text", source: "text", external_id: "text", post_id: "text" }, linked)} n
      WHERE i.workspace_id = ${workspaceId} AND i.account_id = n.account_id AND i.source = n.source
        AND i.external_id = n.external_id`
    return events
  })

  return { holdAccount, linkItems }
})
