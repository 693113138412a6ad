import type * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { all, at } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makeSubmitLock } from "../../connection/workspaceLock.ts"
import { type Table, tables } from "../../tables.ts"

const ExpiredRow = Schema.Struct({ workspace_id: WorkspaceId, id: MediaId })
const RemovableRow = Schema.Struct({ workspace_id: WorkspaceId, id: MediaId, blob_key: Schema.String })
const KeyRow = Schema.Struct({ blob_key: Schema.String })

const NamedRow = Schema.Struct({ name: Schema.Array(Schema.String) })

type PurgedTable = Table & { readonly kept: Exclude<Table["kept"], string> }

const isPurged = (table: Table): table is PurgedTable => typeof table.kept !== "string"

const allTables: ReadonlyArray<Table> = tables
const purged = allTables.filter(isPurged)

/** Keys or rows in one statement. */
const batch = 1_000

export const layer: Layer.Layer<RetentionStore, never, SqlClient> = Layer.effect(
  RetentionStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const underSubmitLock = yield* makeSubmitLock("retention")

    const isRead = sql`(EXISTS (SELECT 1 FROM media_jobs j
      WHERE j.workspace_id = m.workspace_id AND j.input_media_id = m.id AND j.claimable_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM media_jobs j
      WHERE j.workspace_id = m.workspace_id AND j.audio_media_id = m.id AND j.claimable_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM posts p
      WHERE p.workspace_id = m.workspace_id AND p.ended_at IS NULL AND p.media_ids @> jsonb_build_array(m.id))
      OR EXISTS (SELECT 1 FROM outbound_operations o
      WHERE o.workspace_id = m.workspace_id AND o.due_at IS NOT NULL
        AND o.operation -> 'media' @> jsonb_build_array(jsonb_build_object('mediaId', m.id))))`

    /** Waits for replies that are accepted just now with these files; what reads them is asked after that. */
    const lockFiles = (workspaceId: WorkspaceId, ids: ReadonlyArray<MediaId>) =>
      sql`SELECT 1 FROM media WHERE workspace_id = ${workspaceId} AND id = ANY(${ids}::text[]) ORDER BY id FOR UPDATE`

    /** The queue of the sweep, over all workspaces: only where and which; what follows filters by both. */
    const findExpired = (now: Date, limit: number) =>
      all(ExpiredRow)(sql`SELECT m.workspace_id, m.id FROM media m
        WHERE m.deleted_at IS NULL AND m.keep_until < ${now} AND NOT ${isRead}
        ORDER BY m.keep_until, m.workspace_id, m.id LIMIT ${limit}`).pipe(storeCall("retention.findExpired", "no"))

    const markDeleted = (workspaceId: WorkspaceId, ids: ReadonlyArray<MediaId>, now: Date) =>
      lockFiles(workspaceId, ids).pipe(
        Effect.andThen(sql`UPDATE media m
        SET deleted_at = ${now}, bytes_removed_at = CASE WHEN blob_key IS NULL THEN ${now}::timestamptz END
        WHERE m.workspace_id = ${workspaceId} AND m.id = ANY(${ids}::text[])
          AND m.deleted_at IS NULL AND m.keep_until < ${now} AND NOT ${isRead}
        RETURNING m.id`),
        Effect.map((rows) => rows.length),
        underSubmitLock(workspaceId),
        storeCall("retention.expire", "unknown")
      )

    /** With names as an array every plan goes by the primary key; of a subquery a generic plan expects half the table. */
    const unnested = (rows: ReadonlyArray<{ readonly workspace_id: string; readonly id: string }>) =>
      sql`unnest(${rows.map((row) => row.workspace_id)}::text[], ${rows.map((row) => row.id)}::text[])
        AS past (workspace_id, id)`

    /** Removes rows of one table by their names, so that every plan goes by the primary key. */
    const purgeTable = Effect.fnUntraced(
      function* ({ kept, name: table }: PurgedTable, now: DateTime.Utc, limit: number) {
        const columns = ["workspace_id", ...kept.key]
        const isPast = sql`${sql(kept.since)} <= ${at(DateTime.subtract(now, { days: kept.days }))}
          ${sql.literal(kept.only === undefined ? "" : `AND ${kept.only}`)}`
        const rows = yield* all(NamedRow)(sql`SELECT ARRAY[${sql.literal(columns.join(", "))}]::text[] AS name
          FROM ${sql(table)} WHERE ${isPast} ORDER BY ${sql(kept.since)} LIMIT ${limit}`)
        const names = columns.map((_, n) => sql`${rows.map(({ name }) => name[n] ?? "")}::text[]`)
        const isNamed = columns.map((column) => sql`t.${sql(column)} = past.${sql(column)}`)
        yield* sql`DELETE FROM ${sql(table)} t
          USING unnest(${sql.csv(names)}) AS past (${sql.literal(columns.join(", "))})
          WHERE ${sql.and(isNamed)} AND ${isPast}`
        return rows.length
      },
      (self, { name }) =>
        storeCall(
          "retention.purgeRows",
          "unknown"
        )(self).pipe(
          Effect.tapCause((cause) =>
            Effect.logWarning("old rows of a table were not removed", cause).pipe(Effect.annotateLogs({ table: name }))
          )
        )
    )

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

      purgeRows: Effect.fn("PgRetentionStore.purgeRows")(function* (now, limit) {
        let longest = 0
        const failures: Array<Cause.Cause<StoreUnavailable>> = []
        for (const table of purged) {
          const exit = yield* Effect.exit(purgeTable(table, now, limit))
          if (Exit.isSuccess(exit)) longest = Math.max(longest, exit.value)
          else failures.push(exit.cause)
        }
        // The other tables were purged all the same.
        const [failure] = failures
        return failure === undefined ? longest : yield* Effect.failCause(failure)
      })
    })
  })
)
