import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Source } from "@loopbox/core/networks/Source"
import type { ExpectedItems } from "@loopbox/core/sync/feedRules"
import type { MissingItems } from "@loopbox/core/inbox/IngestStore"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { all, plain } from "../../rows/rows.ts"
import { storable, toJson } from "../../rows/text.ts"

const MissingRow = Schema.Struct({
  place: Schema.Int,
  source: Source,
  external_id: Schema.String,
  received_at: plain.moment,
  hangs_on: Schema.String,
  count: Schema.Int
})

/** Finds items that a list showed before and that a complete read of it no longer shows. */
export const makeFindMissing = Effect.gen(function* () {
  const sql = yield* SqlClient

  return Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    accountId: SocialAccountId,
    expected: ReadonlyArray<ExpectedItems>,
    limit: number
  ) {
    if (expected.length === 0) return []
    const feeds = expected.map(({ after, before, by, isListed, source, values }, place) => ({
      place,
      source,
      column: by,
      values,
      is_listed: isListed,
      after: Option.getOrNull(Option.map(after, DateTime.formatIso)),
      before: DateTime.formatIso(before)
    }))
    const seen = expected.flatMap((one) => one.seen.map((externalId) => ({ source: one.source, externalId })))
    const young = sql`i.workspace_id = ${workspaceId} AND i.account_id = ${accountId} AND i.kind = 'live'
      AND i.source = f.source AND i.received_at > coalesce(f.after, '-infinity') AND i.received_at < f.before
      AND (i.detail ->> 'isListed')::boolean`
    // Each way of hanging together has an index of its own.
    const rows = yield* all(MissingRow)(sql`
      WITH feeds AS MATERIALIZED (
        SELECT * FROM jsonb_to_recordset(${toJson(feeds)}::jsonb) AS f (place int, source text, "column" text,
          "values" text[], is_listed boolean, after timestamptz, before timestamptz)
      ), expected AS (
        SELECT f.place, i.source, i.external_id, i.received_at, v.value AS hangs_on
        FROM feeds f CROSS JOIN LATERAL unnest(f."values") AS v (value)
        JOIN items i ON ${young} AND i.linked_post_id = v.value
        WHERE f.is_listed AND f."column" = 'linkedPostId'
        UNION ALL
        SELECT f.place, i.source, i.external_id, i.received_at, v.value
        FROM feeds f CROSS JOIN LATERAL unnest(f."values") AS v (value)
        JOIN items i ON ${young} AND i.thread_key = v.value
        WHERE f.is_listed AND f."column" = 'threadKey'
        UNION ALL
        SELECT f.place, i.source, i.external_id, i.received_at,
          CASE f."column" WHEN 'threadKey' THEN i.thread_key ELSE i.linked_post_id END
        FROM feeds f JOIN items i ON ${young}
          AND CASE f."column" WHEN 'threadKey' THEN i.thread_key ELSE i.linked_post_id END <> ALL (f."values")
        WHERE NOT f.is_listed AND (f."column" = 'threadKey' OR i.linked_post_id IS NOT NULL)
      )
      SELECT m.place, m.source, m.external_id, m.received_at, m.hangs_on, m.count FROM (
        SELECT e.*, count(*) OVER (PARTITION BY e.place)::int AS count,
          row_number() OVER (PARTITION BY e.place ORDER BY e.received_at DESC, e.external_id) AS nth
        FROM expected e
        LEFT JOIN unnest(${seen.map(({ source }) => source)}::text[],
          ${seen.map(({ externalId }) => storable(externalId))}::text[]) AS s (source, external_id)
          ON s.source = e.source AND s.external_id = e.external_id
        WHERE s.external_id IS NULL
      ) m WHERE m.nth <= ${limit} ORDER BY m.place, m.nth`)
    return expected.map((_, place): MissingItems => {
      const found = rows.filter((row) => row.place === place)
      return {
        count: found[0]?.count ?? 0,
        items: found.map((row) => ({
          source: row.source,
          externalId: row.external_id,
          receivedAt: DateTime.fromDateUnsafe(row.received_at),
          hangsOn: row.hangs_on
        }))
      }
    })
  })
})
