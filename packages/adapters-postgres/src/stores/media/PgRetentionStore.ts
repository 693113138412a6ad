import type * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { type Among, anywhere, byWorkspace, makeOverAll } from "../../connection/allWorkspaces.ts"
import { isKeptFile } from "../../rows/oneByOne.ts"
import { all, at, Instant, one } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makeSubmitLock } from "../../connection/workspaceLock.ts"
import { type Table, tables } from "../../tables.ts"

const ExpiredRow = Schema.Struct({ workspace_id: WorkspaceId, id: MediaId })
const RemovableRow = Schema.Struct({ workspace_id: WorkspaceId, id: MediaId, blob_key: Schema.String })
const KeyRow = Schema.Struct({ blob_key: Schema.String })

const NamedRow = Schema.Struct({ workspace_id: WorkspaceId, name: Schema.Array(Schema.String) })
const MomentRow = Schema.Struct({ moment: Instant })

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

    const overAll = yield* makeOverAll
    const momentOf = (expression: string) =>
      Effect.map(one(MomentRow)(sql`SELECT ${sql.literal(expression)} AS moment`), ({ moment }) => moment)

    const isReadIn = (workspaceId: Fragment, within: Among) => sql`(EXISTS (SELECT 1 FROM media_jobs j
      WHERE j.workspace_id = ${workspaceId} AND j.input_media_id = m.id AND j.claimable_at IS NOT NULL ${within("j.workspace_id")})
      OR EXISTS (SELECT 1 FROM media_jobs j
      WHERE j.workspace_id = ${workspaceId} AND j.audio_media_id = m.id AND j.claimable_at IS NOT NULL ${within("j.workspace_id")})
      OR EXISTS (SELECT 1 FROM posts p
      WHERE p.workspace_id = ${workspaceId} AND p.ended_at IS NULL AND p.media_ids @> jsonb_build_array(m.id) ${within("p.workspace_id")})
      OR EXISTS (SELECT 1 FROM outbound_operations o
      WHERE o.workspace_id = ${workspaceId} AND o.due_at IS NOT NULL
        AND o.operation -> 'media' @> jsonb_build_array(jsonb_build_object('mediaId', m.id)) ${within("o.workspace_id")}))`

    /** Waits for replies that are accepted just now with these files; what reads them is asked after that. */
    const lockFiles = (workspaceId: WorkspaceId, ids: ReadonlyArray<MediaId>) =>
      sql`SELECT 1 FROM media WHERE workspace_id = ${workspaceId} AND id = ANY(${ids}::text[]) ORDER BY id FOR UPDATE`

    /** The queue of the sweep, over all workspaces: only where and which; what follows filters by both. */
    const findExpired = (now: Date, limit: number) =>
      overAll("retention.expire", (among, within) =>
        all(ExpiredRow)(sql`SELECT m.workspace_id, m.id FROM media m
          WHERE m.deleted_at IS NULL AND m.keep_until < ${now}
            AND NOT ${isReadIn(sql.literal("m.workspace_id"), within)} ${among("m.workspace_id")}
          ORDER BY m.keep_until, m.workspace_id, m.id LIMIT ${limit}`)
      ).pipe(storeCall("retention.findExpired", "no"))

    const markDeleted = (workspaceId: WorkspaceId, ids: ReadonlyArray<MediaId>, now: Date) =>
      lockFiles(workspaceId, ids).pipe(
        Effect.andThen(sql`UPDATE media m
        SET deleted_at = ${now}, bytes_removed_at = CASE WHEN blob_key IS NULL THEN ${now}::timestamptz END
        WHERE m.workspace_id = ${workspaceId} AND m.id = ANY(${ids}::text[])
          AND ${sql.literal(isKeptFile)} AND m.keep_until < ${now} AND NOT ${isReadIn(sql`${workspaceId}`, anywhere(sql))}
        RETURNING m.id`),
        Effect.map((rows) => rows.length),
        underSubmitLock(workspaceId),
        storeCall("retention.expire", "unknown")
      )

    /** Removes rows of one table by their names, so that every plan goes by the primary key. */
    const purgeTable = Effect.fnUntraced(
      function* ({ kept, name: table }: PurgedTable, now: DateTime.Utc, limit: number) {
        const columns = ["workspace_id", ...kept.key]
        const { before } = kept
        // By itself, for a node that has rows to remove cannot ask for it.
        const bound =
          before === undefined ? sql.literal("") : sql`AND ${sql(kept.since)} < ${at(yield* momentOf(before))}`
        const isPast = sql`${sql(kept.since)} <= ${at(DateTime.subtract(now, { days: kept.days }))} ${bound}
          ${sql.literal(kept.only === undefined ? "" : `AND ${kept.only}`)}`
        const rows = yield* overAll("retention.purge", (among) =>
          all(NamedRow)(sql`SELECT workspace_id, ARRAY[${sql.literal(columns.join(", "))}]::text[] AS name
            FROM ${sql(table)} WHERE ${isPast} ${among("workspace_id")} ORDER BY ${sql(kept.since)} LIMIT ${limit}`)
        )
        const isNamed = columns.map((column) => sql`t.${sql(column)} = past.${sql(column)}`)
        for (const [workspaceId, old] of byWorkspace(rows)) {
          const names = columns.map((_, n) => sql`${old.map(({ name }) => name[n] ?? "")}::text[]`)
          yield* sql`DELETE FROM ${sql(table)} t
            USING unnest(${sql.csv(names)}) AS past (${sql.literal(columns.join(", "))})
            WHERE t.workspace_id = ${workspaceId} AND ${sql.and(isNamed)} AND ${isPast}`
        }
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

    /** What is named, by workspace, in batches that each stay within the bounds of one call. */
    const batchesOf = <A>(items: ReadonlyArray<A>, workspaceOf: (item: A) => string) =>
      Array.from(Map.groupBy(items, workspaceOf)).flatMap(([workspaceId, own]) =>
        Array.from(
          { length: Math.ceil(own.length / batch) },
          (_, i) => [workspaceId, own.slice(i * batch, (i + 1) * batch)] as const
        )
      )

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
          const rows = yield* overAll("retention.removable", (among) =>
            all(RemovableRow)(sql`SELECT workspace_id, id, blob_key FROM media
              WHERE deleted_at IS NOT NULL AND bytes_removed_at IS NULL ${among("workspace_id")}
              ORDER BY deleted_at, workspace_id, id LIMIT ${limit}`)
          )
          return rows.map((row) => ({ workspaceId: row.workspace_id, id: row.id, blobKey: row.blob_key }))
        },
        storeCall("retention.listRemovable", "no")
      ),

      confirmRemoved: Effect.fn("PgRetentionStore.confirmRemoved")(function* (media) {
        const now = at(yield* DateTime.now)
        for (const [workspaceId, part] of batchesOf(media, (row) => row.workspaceId)) {
          // With names as an array every plan goes by the primary key; of a subquery a generic plan expects half the table.
          const isGone = sql`m.workspace_id = ${workspaceId} AND m.id = ANY(${part.map(({ id }) => id)}::text[])
            AND m.deleted_at IS NOT NULL AND m.bytes_removed_at IS NULL`
          // Of an erased workspace nothing is left then.
          yield* sql`DELETE FROM media m WHERE ${isGone}
            AND NOT EXISTS (SELECT 1 FROM workspaces w WHERE w.id = ${workspaceId})`.pipe(
            storeCall("retention.confirmRemoved", "unknown")
          )
          yield* sql`UPDATE media m SET bytes_removed_at = ${now} WHERE ${isGone}`.pipe(
            storeCall("retention.confirmRemoved", "unknown")
          )
        }
      }),

      findOrphans: Effect.fn("PgRetentionStore.findOrphans")(function* (blobKeys) {
        const orphans = new Set<string>()
        const keys = blobKeys.filter((key) => !key.includes("\0"))
        // A key begins with its workspace, so that one index of the workspace's blobs answers.
        for (const [workspaceId, part] of batchesOf(keys, (key) => key.split("/")[0] ?? "")) {
          // An output's goes on with its job, which is read by its key; as NOT EXISTS it became a join with all active jobs.
          const rows = yield* all(KeyRow)(sql`
            SELECT k.blob_key FROM unnest(${part}::text[]) AS k (blob_key)
            WHERE NOT EXISTS (SELECT 1 FROM media m WHERE m.workspace_id = ${workspaceId} AND m.blob_key = k.blob_key)
            AND (SELECT j.claimable_at FROM media_jobs j
              WHERE j.workspace_id = ${workspaceId}
                AND j.id = split_part(split_part(k.blob_key, '/', 2), '-', 1) COLLATE "C") IS NULL`).pipe(
            storeCall("retention.findOrphans", "no")
          )
          for (const { blob_key } of rows) orphans.add(blob_key)
        }
        return keys.filter((key) => orphans.has(key))
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
