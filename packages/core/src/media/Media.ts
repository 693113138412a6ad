import * as Schema from "effect/Schema"
import { ConversionJobId, MediaId, WorkspaceId } from "../kernel/Ids.ts"
import { ContentType } from "./ContentType.ts"

const fields = {
  id: MediaId,
  workspaceId: WorkspaceId,
  filename: Schema.Option(Schema.String),
  contentType: ContentType,
  createdAt: Schema.DateTimeUtc,
  /** The sweeper deletes after this moment, unless an active job reads the file. */
  keepUntil: Schema.DateTimeUtc
}

/** A reserved upload whose bytes have not come; `declaredSize` is what the reservation said, in bytes. */
export class PendingMedia extends Schema.TaggedClass<PendingMedia>()("PendingMedia", {
  ...fields,
  declaredSize: Schema.Option(Schema.Int)
}) {}

/** What is known of stored bytes. `blobKey` names them in the `BlobStore`. */
export const StoredBytes = Schema.Struct({
  blobKey: Schema.String,
  sizeBytes: Schema.Int,
  /** Lower-case hex. */
  sha256: Schema.String,
  width: Schema.Option(Schema.Int),
  height: Schema.Option(Schema.Int),
  durationMs: Schema.Option(Schema.Int)
})
export type StoredBytes = typeof StoredBytes.Type

/** A file, uploaded or made by a conversion. */
export class ReadyMedia extends Schema.TaggedClass<ReadyMedia>()("ReadyMedia", {
  ...fields,
  ...StoredBytes.fields,
  source: Schema.Literals(["upload", "gif_conversion"]),
  /** The job that made it; absent for an upload. */
  jobId: Schema.Option(ConversionJobId)
}) {}

export type Media = PendingMedia | ReadyMedia
export const Media = Schema.Union([PendingMedia, ReadyMedia])
