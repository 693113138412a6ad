import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { SqlClient } from "effect/sql/SqlClient"
import { storeCallWithin } from "../connection/storeFailure.ts"
import { all } from "../rows/rows.ts"

/** A file that a record names. */
export interface StoredBlob {
  readonly workspaceId: WorkspaceId
  readonly mediaId: MediaId
  readonly key: string
  readonly sizeBytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

const Row = Schema.Struct({
  workspace_id: WorkspaceId,
  id: MediaId,
  blob_key: Schema.String,
  size_bytes: Schema.Int,
  sha256: Schema.String
})

/** Records of one statement. */
const batch = 1_000

const storeCall = storeCallWithin(Duration.seconds(30))

/** Every file that a record which is not deleted names, in the order of the records' names. */
export const storedBlobs = Stream.unwrap(
  Effect.map(SqlClient, (sql) =>
    Stream.paginate({ workspaceId: "", id: "" }, ({ id, workspaceId }) =>
      all(Row)(sql`SELECT workspace_id, id, blob_key, size_bytes::float8 AS size_bytes, sha256
        FROM media
        WHERE (workspace_id, id) > (${workspaceId}, ${id}) AND blob_key IS NOT NULL AND deleted_at IS NULL
        ORDER BY workspace_id, id LIMIT ${batch}`).pipe(
        storeCall("media.storedBlobs", "no"),
        Effect.map((rows) => {
          const last = rows.length < batch ? undefined : rows.at(-1)
          const blobs = rows.map((row): StoredBlob => ({
            workspaceId: row.workspace_id,
            mediaId: row.id,
            key: row.blob_key,
            sizeBytes: row.size_bytes,
            sha256: row.sha256
          }))
          return [
            blobs,
            Option.fromUndefinedOr(last && { workspaceId: String(last.workspace_id), id: String(last.id) })
          ] as const
        })
      )
    )
  )
)
