import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { Examined } from "@loopbox/core/media/examine"
import { type Media, type PendingMedia, ReadyMedia } from "@loopbox/core/media/Media"
import { MediaInUse, MediaNotFound, UploadAlreadyFinished, WorkspaceErased } from "@loopbox/core/media/MediaErrors"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { isKeptFile } from "../../rows/oneByOne.ts"
import { mediaColumns, MediaRow, toMedia, toTraitsColumn } from "../../rows/MediaRow.ts"
import { pageOf } from "../../rows/readableRows.ts"
import { at, first, newestFirst } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makeSubmitLock } from "../../connection/workspaceLock.ts"
import { storable, toJson } from "../../rows/text.ts"
import { makeFindOverAll } from "../../connection/allWorkspaces.ts"
import { traced } from "@loopbox/core/kernel/traced"

/** A record as its row's columns. */
export const toMediaColumns = (media: Media) => ({
  workspace_id: media.workspaceId,
  id: media.id,
  filename: Option.getOrNull(Option.map(media.filename, storable)),
  content_type: media.contentType,
  keep_until: at(media.keepUntil),
  created_at: at(media.createdAt),
  ...(media._tag === "PendingMedia" ? pendingColumns(media) : readyColumns(media))
})

const pendingColumns = (media: PendingMedia) => ({
  status: "pending",
  source: "upload",
  made_by: null,
  declared_size: Option.getOrNull(media.declaredSize),
  job_id: null,
  blob_key: null,
  size_bytes: null,
  sha256: null,
  width: null,
  height: null,
  duration_ms: null,
  traits: null
})

const examinedColumns = (media: Examined) => ({
  width: Option.getOrNull(media.width),
  height: Option.getOrNull(media.height),
  duration_ms: Option.getOrNull(media.durationMs),
  traits: Option.getOrNull(Option.map(media.traits, (traits) => toJson(toTraitsColumn(traits))))
})

const readyColumns = (media: ReadyMedia) => ({
  status: "ready",
  source: media.source === "upload" ? "upload" : "gif_conversion",
  made_by: media.source === "audio_overlay" ? media.source : null,
  declared_size: null,
  job_id: Option.getOrNull(media.jobId),
  blob_key: media.blobKey,
  size_bytes: media.sizeBytes,
  sha256: media.sha256,
  ...examinedColumns(media)
})

const mediaPage = pageOf("media", MediaRow, toMedia)

export const layer: Layer.Layer<MediaStore, never, SqlClient> = Layer.effect(
  MediaStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const findOverAll = yield* makeFindOverAll
    const page = yield* newestFirst
    const underSubmitLock = yield* makeSubmitLock("media")
    const columns = sql.literal(mediaColumns)

    const find = (workspaceId: WorkspaceId, id: MediaId) =>
      Effect.map(
        first(MediaRow)(sql`
          SELECT ${columns} FROM media WHERE workspace_id = ${workspaceId} AND id = ${id} AND ${sql.literal(isKeptFile)}`),
        Option.map(toMedia)
      )

    return MediaStore.of({
      insert: Effect.fn("PgMediaStore.insert")(
        function* (media) {
          // The share of the workspace's row keeps an erasure waiting until this record is there to be marked deleted.
          const workspace = yield* sql`SELECT id FROM workspaces WHERE id = ${media.workspaceId} FOR KEY SHARE`
          if (workspace.length === 0) return yield* new WorkspaceErased()
          yield* sql`INSERT INTO media ${sql.insert(toMediaColumns(media))}`
        },
        sql.withTransaction,
        storeCall("media.insert", "unknown")
      ),

      insertOnce: Effect.fn("PgMediaStore.insertOnce")(
        function* (media, contentHash) {
          const workspace = yield* sql`SELECT id FROM workspaces WHERE id = ${media.workspaceId} FOR KEY SHARE`
          if (workspace.length === 0) return yield* new WorkspaceErased()
          const content_hash = storable(contentHash)
          const insert = sql`INSERT INTO media ${sql.insert({ ...toMediaColumns(media), content_hash })}
            ON CONFLICT (workspace_id, content_hash) WHERE content_hash IS NOT NULL AND deleted_at IS NULL
            DO NOTHING RETURNING ${columns}`
          // One that is deleted in between leaves room for ours.
          while (true) {
            const inserted = yield* first(MediaRow)(insert)
            if (Option.isSome(inserted)) return media
            const known = yield* first(MediaRow)(sql`SELECT ${columns} FROM media
              WHERE workspace_id = ${media.workspaceId} AND content_hash = ${content_hash} AND deleted_at IS NULL`)
            if (Option.isSome(known)) return toMedia(known.value)
          }
        },
        sql.withTransaction,
        storeCall("media.insertOnce", "unknown")
      ),

      find: flow(find, storeCall("media.find", "no"), traced("PgMediaStore.find")),

      findLinked: Effect.fn("PgMediaStore.findLinked")(
        function* (id) {
          const row = yield* findOverAll("media.linked", (among) =>
            first(MediaRow)(sql`SELECT ${columns} FROM media
              WHERE id = ${id} AND deleted_at IS NULL ${among("workspace_id")} LIMIT 1`)
          )
          return Option.map(row, toMedia)
        },
        storeCall("media.findLinked", "no")
      ),

      list: Effect.fn("PgMediaStore.list")(
        function* (workspaceId, request) {
          return yield* mediaPage(
            sql`SELECT ${columns} FROM media WHERE workspace_id = ${workspaceId} AND deleted_at IS NULL ${page(request)}`,
            request.limit
          )
        },
        storeCall("media.list", "no")
      ),

      finish: Effect.fn("PgMediaStore.finish")(
        function* (pending, bytes) {
          const media = new ReadyMedia({
            id: pending.id,
            workspaceId: pending.workspaceId,
            filename: pending.filename,
            createdAt: pending.createdAt,
            source: "upload",
            jobId: Option.none(),
            ...bytes
          })
          const finished = {
            ...readyColumns(media),
            content_type: media.contentType,
            keep_until: at(media.keepUntil)
          }
          const rows = yield* sql`UPDATE media SET ${sql.update(finished)}
            WHERE workspace_id = ${media.workspaceId} AND id = ${media.id} AND status = 'pending' AND ${sql.literal(isKeptFile)}
            RETURNING id`
          if (rows.length > 0) return media
          const found = yield* find(pending.workspaceId, pending.id)
          if (Option.isNone(found)) return yield* new MediaNotFound({ mediaId: pending.id })
          return yield* new UploadAlreadyFinished({ mediaId: pending.id })
        },
        storeCall("media.finish", "unknown")
      ),

      describe: Effect.fn("PgMediaStore.describe")(
        function* ({ id, workspaceId }, examined) {
          yield* sql`UPDATE media SET ${sql.update(examinedColumns(examined))}
            WHERE workspace_id = ${workspaceId} AND id = ${id} AND status = 'ready'`
        },
        storeCall("media.describe", "unknown")
      ),

      remove: Effect.fn("PgMediaStore.remove")(
        function* (workspaceId, id, moment) {
          // A reply that is accepted just now holds the file: what reads it is asked after that.
          const found = yield* sql`SELECT 1 FROM media
            WHERE workspace_id = ${workspaceId} AND id = ${id} AND ${sql.literal(isKeptFile)} FOR UPDATE`
          if (found.length === 0) return yield* new MediaNotFound({ mediaId: id })
          const readers = yield* sql`SELECT id FROM media_jobs
            WHERE workspace_id = ${workspaceId} AND ${id} IN (input_media_id, audio_media_id)
              AND claimable_at IS NOT NULL LIMIT 1`
          const posts = yield* sql`SELECT id FROM posts WHERE workspace_id = ${workspaceId} AND ended_at IS NULL
            AND media_ids @> ${JSON.stringify([id])}::jsonb LIMIT 1`
          const replies = yield* sql`SELECT id FROM outbound_operations
            WHERE workspace_id = ${workspaceId} AND due_at IS NOT NULL
              AND operation -> 'media' @> ${JSON.stringify([{ mediaId: id }])}::jsonb LIMIT 1`
          if (readers.length > 0 || posts.length > 0 || replies.length > 0)
            return yield* new MediaInUse({ mediaId: id })
          const removed = at(moment)
          const marked = yield* sql`UPDATE media
            SET deleted_at = ${removed}, bytes_removed_at = CASE WHEN blob_key IS NULL THEN ${removed}::timestamptz END
            WHERE workspace_id = ${workspaceId} AND id = ${id} AND ${sql.literal(isKeptFile)}
            RETURNING ${columns}`.pipe(first(MediaRow))
          if (Option.isNone(marked)) return yield* new MediaNotFound({ mediaId: id })
          return toMedia(marked.value)
        },
        (self, workspaceId) => underSubmitLock(workspaceId)(self),
        storeCall("media.remove", "unknown")
      )
    })
  })
)
