import * as Schema from "effect/Schema"

export const mediaTypes = ["image", "video", "carousel", "text", "unknown"] as const

/** The post that an item belongs to (api.md §3). URLs come from the network and are never fetched by Loopbox. */
export const MediaContext = Schema.Struct({
  id: Schema.String,
  caption: Schema.Option(Schema.String),
  /** The preview image, if it is a video. */
  mediaUrl: Schema.Option(Schema.String),
  timestamp: Schema.Option(Schema.DateTimeUtc),
  mediaType: Schema.Literals(mediaTypes),
  permalink: Schema.Option(Schema.String)
})
export type MediaContext = typeof MediaContext.Type
