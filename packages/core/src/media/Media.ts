import * as Schema from "effect/Schema"
import { ConversionJobId, MediaId, WorkspaceId } from "../kernel/Ids.ts"
import { ContentType } from "./ContentType.ts"
import { MediaTraits } from "./MediaTraits.ts"

const fields = {
  id: MediaId,
  workspaceId: WorkspaceId,
  filename: Schema.Option(Schema.String),
  contentType: ContentType,
  createdAt: Schema.DateTimeUtc,
  /** The sweeper deletes the file after this time, unless an active job reads it. */
  keepUntil: Schema.DateTimeUtc
}

/** A reserved upload without bytes; `declaredSize` is the reserved number of bytes. */
export class PendingMedia extends Schema.TaggedClass<PendingMedia>()("PendingMedia", {
  ...fields,
  declaredSize: Schema.Option(Schema.Int)
}) {}

/** Facts about stored bytes. `blobKey` is their key in the `BlobStore`. */
export const StoredBytes = Schema.Struct({
  blobKey: Schema.String,
  sizeBytes: Schema.Int,
  /** Lower-case hex. */
  sha256: Schema.String,
  width: Schema.Option(Schema.Int),
  height: Schema.Option(Schema.Int),
  durationMs: Schema.Option(Schema.Int),
  /** `none` while the file was not examined, as those of earlier versions. */
  traits: Schema.Option(MediaTraits)
})
export type StoredBytes = typeof StoredBytes.Type

/** Uploaded, or the kind of job that made it. */
export const mediaSources = ["upload", "gif_conversion", "audio_overlay"] as const
export type MediaSource = (typeof mediaSources)[number]

/** A file, uploaded or made by a job. */
export class ReadyMedia extends Schema.TaggedClass<ReadyMedia>()("ReadyMedia", {
  ...fields,
  ...StoredBytes.fields,
  source: Schema.Literals(mediaSources),
  /** The job that made it; absent for an upload. */
  jobId: Schema.Option(ConversionJobId)
}) {}

export type Media = PendingMedia | ReadyMedia
export const Media = Schema.Union([PendingMedia, ReadyMedia])
