import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { deletedMediaRowDays, jobRowDays, mediaContextDays, replyRowDays } from "@loopbox/core/retention/Retention"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { all, at } from "./internal/rows.ts"
import { makeStoreCall } from "./internal/storeFailure.ts"
import { makeSubmitLock } from "./internal/submitLock.ts"

const ExpiredRow = Schema.Struct({ workspace_id: WorkspaceId, id: MediaId })
const RemovableRow = Schema.Struct({ workspace_id: WorkspaceId, id: MediaId, blob_key: Schema.String })
const PastRow = Schema.Struct({ workspace_id: WorkspaceId, id: Schema.String })
const KeyRow = Schema.Struct({ blob_key: Schema.String })

/** Keys or rows in one statement. */
const batch = 1_000

export const layer: Layer.Layer<RetentionStore, never, SqlClient> = Layer.effect(
  RetentionStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const underSubmitLock = yield* makeSubmitLock(1)

    const isRead = sql`EXISTS (SELECT 1 FROM media_jobs j
      WHERE j.workspace_id = m.workspace_id AND j.input_media_id = m.id AND j.claimable_at IS NOT NULL)`

    /** The queue of the sweep, over all workspaces: only where and which; what follows filters by both. */
    const findExpired = (now: Date, limit: number) =>
      all(ExpiredRow)(sql`SELECT m.workspace_id, m.id FROM media m
        WHERE m.deleted_at IS NULL AND m.keep_until < ${now} AND NOT ${isRead}
        ORDER BY m.keep_until, m.workspace_id, m.id LIMIT ${limit}`).pipe(storeCall("retention.findExpired", "no"))

    const markDeleted = (workspaceId: WorkspaceId, ids: ReadonlyArray<MediaId>, now: Date) =>
      sql`UPDATE media m
        SET deleted_at = ${now}, bytes_removed_at = CASE WHEN blob_key IS NULL THEN ${now}::timestamptz END
        WHERE m.workspace_id = ${workspaceId} AND m.id = ANY(${ids}::text[])
          AND m.deleted_at IS NULL AND m.keep_until < ${now} AND NOT ${isRead}
        RETURNING m.id`.pipe(
        Effect.map((rows) => rows.length),
        underSubmitLock(workspaceId),
        storeCall("retention.expire", "unknown")
      )

    /** With names as an array every plan goes by the primary key; of a subquery a generic plan expects half the table. */
    const unnested = (rows: ReadonlyArray<typeof PastRow.Type>) =>
      sql`unnest(${rows.map((row) => row.workspace_id)}::text[], ${rows.map((row) => row.id)}::text[])
        AS past (workspace_id, id)`

    /** Inner statements of a batch of names, each within the bounds of one call. */
    const inBatches = <A>(items: ReadonlyArray<A>) =>
      Array.from({ length: Math.ceil(items.length / batch) }, (_, i) => items.slice(i * batch, (i + 1) * batch))

    return RetentionStore.of({
      expire: Effect.fn("PgRetentionStore.expire")(function* (moment, limit) {
        const now = at(moment)
        let count = 0
        while (count < limit) {
          const expired = yield* findExpired(now, Math.min(limit - count, batch))
          if (expired.length === 0) break
          const workspaces = Map.groupBy(expired, (row) => row.workspace_id)
          for (const [workspaceId, rows] of workspaces) {
            count += yield* markDeleted(
              workspaceId,
              rows.map((row) => row.id),
              now
            )
          }
        }
        return count
      }),

      listRemovable: Effect.fn("PgRetentionStore.listRemovable")(
        function* (limit) {
          const rows = yield* all(RemovableRow)(sql`SELECT workspace_id, id, blob_key FROM media
            WHERE deleted_at IS NOT NULL AND bytes_removed_at IS NULL
            ORDER BY deleted_at, workspace_id, id LIMIT ${limit}`)
          return rows.map((row) => ({ workspaceId: row.workspace_id, id: row.id, blobKey: row.blob_key }))
        },
        storeCall("retention.listRemovable", "no")
      ),

      confirmRemoved: Effect.fn("PgRetentionStore.confirmRemoved")(function* (media) {
        const now = at(yield* DateTime.now)
        for (const part of inBatches(media)) {
          const gone = unnested(part.map((row) => ({ workspace_id: row.workspaceId, id: row.id })))
          const isGone = sql`m.workspace_id = past.workspace_id AND m.id = past.id
            AND m.deleted_at IS NOT NULL AND m.bytes_removed_at IS NULL`
          // Of an erased workspace nothing is left then.
          yield* sql`DELETE FROM media m USING ${gone} WHERE ${isGone}
            AND NOT EXISTS (SELECT 1 FROM workspaces w WHERE w.id = m.workspace_id)`.pipe(
            storeCall("retention.confirmRemoved", "unknown")
          )
          yield* sql`UPDATE media m SET bytes_removed_at = ${now} FROM ${gone} WHERE ${isGone}`.pipe(
            storeCall("retention.confirmRemoved", "unknown")
          )
        }
      }),

      findOrphans: Effect.fn("PgRetentionStore.findOrphans")(function* (blobKeys) {
        const orphans: Array<string> = []
        for (const part of inBatches(blobKeys)) {
          // A key begins with its workspace, so that one index of the workspace's blobs answers; an output's goes on
          // with its job, which is read by its key; as NOT EXISTS it became a join with all active jobs.
          const rows = yield* all(KeyRow)(sql`
            SELECT k.blob_key FROM unnest(${part.filter((key) => !key.includes("\0"))}::text[]) WITH ORDINALITY
              AS k (blob_key, position)
            WHERE NOT EXISTS (SELECT 1 FROM media m
              WHERE m.workspace_id = split_part(k.blob_key, '/', 1) COLLATE "C" AND m.blob_key = k.blob_key)
            AND (SELECT j.claimable_at FROM media_jobs j
              WHERE j.workspace_id = split_part(k.blob_key, '/', 1) COLLATE "C"
                AND j.id = split_part(split_part(k.blob_key, '/', 2), '-', 1) COLLATE "C") IS NULL
            ORDER BY k.position`).pipe(storeCall("retention.findOrphans", "no"))
          for (const { blob_key } of rows) orphans.push(blob_key)
        }
        return orphans
      }),

      purgeRows: Effect.fn("PgRetentionStore.purgeRows")(
        function* (now, limit) {
          const jobsBefore = at(DateTime.subtract(now, { days: jobRowDays }))
          const jobs = yield* all(PastRow)(sql`SELECT workspace_id, id FROM media_jobs
            WHERE completed_at <= ${jobsBefore} ORDER BY completed_at LIMIT ${limit}`)
          yield* sql`DELETE FROM media_jobs j USING ${unnested(jobs)}
            WHERE j.workspace_id = past.workspace_id AND j.id = past.id AND j.completed_at <= ${jobsBefore}`
          const mediaBefore = at(DateTime.subtract(now, { days: deletedMediaRowDays }))
          const media = yield* all(PastRow)(sql`SELECT workspace_id, id FROM media
            WHERE deleted_at <= ${mediaBefore} AND bytes_removed_at IS NOT NULL ORDER BY deleted_at LIMIT ${limit}`)
          yield* sql`DELETE FROM media m USING ${unnested(media)}
            WHERE m.workspace_id = past.workspace_id AND m.id = past.id AND m.bytes_removed_at IS NOT NULL`
          const repliesBefore = at(DateTime.subtract(now, { days: replyRowDays }))
          const replies = yield* all(PastRow)(sql`SELECT workspace_id, id FROM outbound_operations
            WHERE ended_at <= ${repliesBefore} ORDER BY ended_at LIMIT ${limit}`)
          yield* sql`DELETE FROM outbound_operations o USING ${unnested(replies)}
            WHERE o.workspace_id = past.workspace_id AND o.id = past.id AND o.ended_at <= ${repliesBefore}`
          const contextsBefore = at(DateTime.subtract(now, { days: mediaContextDays }))
          const contexts = yield* sql`DELETE FROM media_contexts c USING (
              SELECT workspace_id, account_id, post_id FROM media_contexts
              WHERE fetched_at <= ${contextsBefore} ORDER BY fetched_at LIMIT ${limit}
            ) past WHERE c.workspace_id = past.workspace_id AND c.account_id = past.account_id
              AND c.post_id = past.post_id AND c.fetched_at <= ${contextsBefore} RETURNING 1`
          return Math.max(jobs.length, media.length, replies.length, contexts.length)
        },
        storeCall("retention.purgeRows", "unknown")
      )
    })
  })
)
