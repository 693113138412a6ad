import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ConversionJobId, MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { ContentType } from "@loopbox/core/media/ContentType"
import { type Media, mediaSources, PendingMedia, ReadyMedia } from "@loopbox/core/media/Media"
import type { MediaTraits } from "@loopbox/core/media/MediaTraits"
import { plain } from "./rows.ts"

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
  filename: plain.text,
  content_type: ContentType,
  keep_until: plain.moment,
  created_at: plain.moment
}

const PendingRow = Schema.Struct({
  ...fields,
  status: Schema.Literal("pending"),
  declared_size: Schema.NullOr(Schema.Int)
})

const TraitsColumn = Schema.Struct({
  frame_rate: Schema.NullOr(Schema.Number),
  frames: Schema.NullOr(Schema.Int),
  video_codec: plain.text,
  audio_codec: plain.text
})

/** What a record's traits are as JSON. */
export const toTraitsColumn = (traits: MediaTraits): typeof TraitsColumn.Type => ({
  frame_rate: Option.getOrNull(traits.frameRate),
  frames: Option.getOrNull(traits.frames),
  video_codec: Option.getOrNull(traits.videoCodec),
  audio_codec: Option.getOrNull(traits.audioCodec)
})

const ReadyRow = Schema.Struct({
  ...fields,
  status: Schema.Literal("ready"),
  source: Schema.Literals(mediaSources),
  job_id: Schema.NullOr(ConversionJobId),
  blob_key: Schema.String,
  size_bytes: Schema.Int,
  sha256: Schema.String,
  width: Schema.NullOr(Schema.Int),
  height: Schema.NullOr(Schema.Int),
  duration_ms: Schema.NullOr(Schema.Int),
  traits: Schema.NullOr(TraitsColumn)
})

/** Of plain fields, for a submit reads two of them: a record is decoded in a fifth of the time. */
export const MediaRow = Schema.Union([PendingRow, ReadyRow])

/** Milliseconds. */
const json = { keep_until: Schema.Finite, created_at: Schema.Finite }

/** A row of `mediaJson`. */
export const MediaJson = Schema.Union([
  Schema.Struct({ ...PendingRow.fields, ...json }),
  Schema.Struct({ ...ReadyRow.fields, ...json })
])

/** A record, as a row of its own or as JSON beside another. */
type Read = typeof MediaRow.Type | typeof MediaJson.Type

const common = (row: Read) => ({
  id: row.id,
  workspaceId: row.workspace_id,
  filename: Option.fromNullOr(row.filename),
  contentType: row.content_type,
  createdAt: DateTime.makeUnsafe(row.created_at),
  keepUntil: DateTime.makeUnsafe(row.keep_until)
})

export const toMedia = (row: Read): Media =>
  row.status === "pending"
    ? new PendingMedia({ ...common(row), declaredSize: Option.fromNullOr(row.declared_size) })
    : new ReadyMedia({
        ...common(row),
        source: row.source,
        jobId: Option.fromNullOr(row.job_id),
        blobKey: row.blob_key,
        sizeBytes: row.size_bytes,
        sha256: row.sha256,
        width: Option.fromNullOr(row.width),
        height: Option.fromNullOr(row.height),
        durationMs: Option.fromNullOr(row.duration_ms),
        traits: Option.map(Option.fromNullOr(row.traits), (traits) => ({
          frameRate: Option.fromNullOr(traits.frame_rate),
          frames: Option.fromNullOr(traits.frames),
          videoCodec: Option.fromNullOr(traits.video_codec),
          audioCodec: Option.fromNullOr(traits.audio_codec)
        }))
      })
