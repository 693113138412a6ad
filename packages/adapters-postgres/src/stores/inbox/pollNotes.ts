import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { IngestOutcome, IngestPoll } from "@loopbox/core/inbox/IngestStore"
import { StoredFeedState, StoredProgress } from "../sync/syncRows.ts"
import { makeInsertRows } from "../../rows/insertRows.ts"
import { toJson } from "../../rows/text.ts"

const encodeFeeds = Schema.encodeEffect(Schema.Array(StoredFeedState))
const encodeProgress = Schema.encodeEffect(StoredProgress)

/** Notes how far a poll came, in the transaction of the items that it covers; without its lease nothing is stored. */
export const makePollNotes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const insertRows = makeInsertRows(sql)

  return Effect.fnUntraced(function* ({ claim, notes }: IngestPoll, outcome: IngestOutcome) {
    const { accountId, token, workspaceId } = claim
    const { backfill, feeds, read } = notes(outcome)
    const rows = (yield* encodeFeeds(feeds)).map((state, i) => ({
      account_id: accountId,
      source: feeds[i]?.source,
      feed_id: feeds[i]?.feedId,
      state
    }))
    // New items of a backfill are counted in its own progress.
    const found = Option.isNone(backfill) ? outcome.created : 0
    const held = yield* sql`UPDATE account_polls
      SET read = read + ${read}::int, new_items = new_items + ${found}::int
      WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND lease_token = ${token} RETURNING 1`
    if (held.length === 0) return yield* new LeaseLost({ what: "account", id: accountId })
    if (rows.length > 0) {
      yield* insertRows({
        workspaceId,
        table: "sync_feeds",
        columns: ["account_id", "source", "feed_id", "state"],
        rows,
        rest: sql`ON CONFLICT (workspace_id, account_id, source, feed_id) DO UPDATE SET state = excluded.state`
      })
    }
    if (Option.isNone(backfill)) return
    const progress = yield* encodeProgress(backfill.value.progress)
    yield* sql`UPDATE sync_tasks SET progress = ${toJson(progress)}::jsonb
      WHERE workspace_id = ${workspaceId} AND run_id = ${backfill.value.runId} AND account_id = ${accountId}`
  })
})
