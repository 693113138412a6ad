import * as Schema from "effect/Schema"

/** The types that can be stored (api.md §5). */
export const contentTypes = [
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/heic",
  "video/mp4",
  "video/quicktime",
  "video/webm",
  "audio/mpeg",
  "audio/wav",
  "audio/aac",
  "audio/mp4"
] as const

export const ContentType = Schema.Literals(contentTypes)
export type ContentType = typeof ContentType.Type
