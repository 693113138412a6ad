import { contentTypes } from "@loopbox/core/media/ContentType"
import { type Media, mediaSources } from "@loopbox/core/media/Media"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Time } from "../DataBody.ts"

/** A media record on the wire (api.md §5). */
export const MediaBody = Schema.Struct({
  id: Schema.String,
  status: Schema.Literals(["pending", "ready"]),
  content_type: Schema.Literals(contentTypes),
  size_bytes: Schema.NullOr(Schema.Int),
  sha256: Schema.NullOr(Schema.String.annotate({ description: "Lower-case hex." })),
  filename: Schema.NullOr(Schema.String),
  width: Schema.NullOr(Schema.Int),
  height: Schema.NullOr(Schema.Int),
  duration_ms: Schema.NullOr(Schema.Int),
  source: Schema.Literals(mediaSources),
  keep_until: Time,
  created_at: Time,
  upload_url: Schema.optionalKey(
    Schema.String.annotate({ description: "Only while pending: PUT the bytes here, without Authorization." })
  ),
  upload_expires_at: Schema.optionalKey(Time),
  download_url: Schema.NullOr(
    Schema.String.annotate({ description: "Signed, valid for one hour from this answer; null while pending." })
  )
}).annotate({
  identifier: "Media",
  examples: [
    {
      id: "med_01k9j8kz7c5r3n1p9h7f5d3b1a",
      status: "ready",
      content_type: "image/gif",
      size_bytes: 48213,
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      filename: "cat.gif",
      width: 480,
      height: 270,
      duration_ms: null,
      source: "upload",
      keep_until: "2026-12-06T07:00:00.000Z",
      created_at: "2026-11-21T07:00:00.000Z",
      download_url:
        "https://loopbox.example/v1/media/med_01k9j8kz7c5r3n1p9h7f5d3b1a/content?expires=1795244400000&sig=…"
    }
  ]
})
export type MediaBody = typeof MediaBody.Type

/** The links that a record carries: to send a pending one's bytes, or to fetch a ready one's. */
export type MediaLink =
  | { readonly _tag: "Upload"; readonly url: string; readonly expiresAt: DateTime.Utc }
  | { readonly _tag: "Download"; readonly url: string | null }

const stored = (media: Media) =>
  media._tag === "PendingMedia"
    ? { size_bytes: Option.getOrNull(media.declaredSize), sha256: null, width: null, height: null, duration_ms: null }
    : {
        size_bytes: media.sizeBytes,
        sha256: media.sha256,
        width: Option.getOrNull(media.width),
        height: Option.getOrNull(media.height),
        duration_ms: Option.getOrNull(media.durationMs)
      }

export const toMediaBody = (media: Media, link: MediaLink): MediaBody => ({
  id: media.id,
  status: media._tag === "PendingMedia" ? "pending" : "ready",
  content_type: media.contentType,
  filename: Option.getOrNull(media.filename),
  ...stored(media),
  source: media._tag === "PendingMedia" ? "upload" : media.source,
  keep_until: DateTime.formatIso(media.keepUntil),
  created_at: DateTime.formatIso(media.createdAt),
  ...(link._tag === "Upload"
    ? { upload_url: link.url, upload_expires_at: DateTime.formatIso(link.expiresAt), download_url: null }
    : { download_url: link.url })
})
