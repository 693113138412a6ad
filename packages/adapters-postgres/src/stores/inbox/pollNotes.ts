import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { IngestOutcome, IngestPoll } from "@loopbox/core/inbox/IngestStore"
import { StoredFeedState, StoredProgress } from "../sync/syncRows.ts"
import { toJson } from "../../rows/text.ts"

const encodeFeeds = Schema.encodeEffect(Schema.Array(StoredFeedState))
const encodeProgress = Schema.encodeEffect(StoredProgress)

/** Notes how far a poll came, in the transaction of the items that it covers; without its lease nothing is stored. */
export const makePollNotes = Effect.gen(function* () {
  const sql = yield* SqlClient

  return Effect.fnUntraced(function* ({ claim, notes }: IngestPoll, outcome: IngestOutcome) {
    const { accountId, token, workspaceId } = claim
    const { backfill, feeds, read } = notes(outcome)
    const rows = (yield* encodeFeeds(feeds)).map((state, i) => ({
      source: feeds[i]?.source,
      feed_id: feeds[i]?.feedId,
      state
    }))
    // New items of a backfill are counted in its own progress.
    const found = Option.isNone(backfill) ? outcome.created : 0
    const held = yield* sql`
      WITH held AS (
        UPDATE account_polls SET read = read + ${read}::int, new_items = new_items + ${found}::int
        WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND lease_token = ${token} RETURNING 1
      ), noted AS (
        INSERT INTO sync_feeds (workspace_id, account_id, source, feed_id, state)
        SELECT ${workspaceId}::text, ${accountId}::text, f.source, f.feed_id, f.state
        FROM jsonb_to_recordset(${toJson(rows)}::jsonb) AS f (source text, feed_id text, state jsonb), held
        ON CONFLICT (workspace_id, account_id, source, feed_id) DO UPDATE SET state = excluded.state
      )
      SELECT 1 FROM held`
    if (held.length === 0) return yield* new LeaseLost({ what: "account", id: accountId })
    if (Option.isNone(backfill)) return
    const progress = yield* encodeProgress(backfill.value.progress)
    yield* sql`UPDATE sync_tasks SET progress = ${toJson(progress)}::jsonb
      WHERE workspace_id = ${workspaceId} AND run_id = ${backfill.value.runId} AND account_id = ${accountId}`
  })
})
