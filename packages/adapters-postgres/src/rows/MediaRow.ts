import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ConversionJobId, MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { ContentType } from "@loopbox/core/media/ContentType"
import { type Media, mediaSources, PendingMedia, ReadyMedia } from "@loopbox/core/media/Media"
import type { MediaTraits } from "@loopbox/core/media/MediaTraits"
import { Instant, InstantJson, optional } from "./rows.ts"

/**
 * int8 comes as BigInt; sizes and durations fit a double exactly.
 *
 * `made_by` is there where an older version, which knows two sources only, is to see another one in `source`.
 */
const values: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["workspace_id", "id", "status"].map((name) => [name, name])),
  source: "coalesce(made_by, source)",
  ...Object.fromEntries(["job_id", "filename", "content_type", "blob_key", "sha256"].map((name) => [name, name])),
  declared_size: "declared_size::float8",
  size_bytes: "size_bytes::float8",
  duration_ms: "duration_ms::float8",
  ...Object.fromEntries(["width", "height", "traits"].map((name) => [name, name]))
}

const moments = ["keep_until", "created_at"]

export const mediaColumns = [
  ...Object.entries(values).map(([name, value]) => (name === value ? name : `${value} AS ${name}`)),
  ...moments
].join(", ")

/** The same as one value, for a record that comes with another row. */
export const mediaJson = `jsonb_build_object(${[
  ...Object.entries(values).map(([name, value]) => `'${name}', ${value}`),
  ...moments.map((name) => `'${name}', (extract(epoch FROM ${name}) * 1000)::float8`)
].join(", ")})`

const fields = {
  workspace_id: WorkspaceId,
  id: MediaId,
  filename: optional(Schema.String),
  content_type: ContentType,
  keep_until: Instant,
  created_at: Instant
}

const PendingRow = Schema.Struct({
  ...fields,
  status: Schema.Literal("pending"),
  declared_size: optional(Schema.Int)
})

const TraitsColumn = Schema.Struct({
  frame_rate: optional(Schema.Number),
  frames: optional(Schema.Int),
  video_codec: optional(Schema.String),
  audio_codec: optional(Schema.String)
})

/** What a record's traits are as JSON. */
export const toTraitsColumn = (traits: MediaTraits): typeof TraitsColumn.Encoded => ({
  frame_rate: Option.getOrNull(traits.frameRate),
  frames: Option.getOrNull(traits.frames),
  video_codec: Option.getOrNull(traits.videoCodec),
  audio_codec: Option.getOrNull(traits.audioCodec)
})

const ReadyRow = Schema.Struct({
  ...fields,
  status: Schema.Literal("ready"),
  source: Schema.Literals(mediaSources),
  job_id: optional(ConversionJobId),
  blob_key: Schema.String,
  size_bytes: Schema.Int,
  sha256: Schema.String,
  width: optional(Schema.Int),
  height: optional(Schema.Int),
  duration_ms: optional(Schema.Int),
  traits: optional(TraitsColumn)
})

export const MediaRow = Schema.Union([PendingRow, ReadyRow])

const json = { keep_until: InstantJson, created_at: InstantJson }

/** A row of `mediaJson`. */
export const MediaJson = Schema.Union([
  Schema.Struct({ ...PendingRow.fields, ...json }),
  Schema.Struct({ ...ReadyRow.fields, ...json })
])

const common = (row: typeof MediaRow.Type) => ({
  id: row.id,
  workspaceId: row.workspace_id,
  filename: row.filename,
  contentType: row.content_type,
  createdAt: row.created_at,
  keepUntil: row.keep_until
})

export const toMedia = (row: typeof MediaRow.Type): Media =>
  row.status === "pending"
    ? new PendingMedia({ ...common(row), declaredSize: row.declared_size })
    : new ReadyMedia({
        ...common(row),
        source: row.source,
        jobId: row.job_id,
        blobKey: row.blob_key,
        sizeBytes: row.size_bytes,
        sha256: row.sha256,
        width: row.width,
        height: row.height,
        durationMs: row.duration_ms,
        traits: Option.map(row.traits, (traits) => ({
          frameRate: traits.frame_rate,
          frames: traits.frames,
          videoCodec: traits.video_codec,
          audioCodec: traits.audio_codec
        }))
      })
