import { type MediaContext, mediaTypes } from "@loopbox/core/networks/MediaContext"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Time } from "../DataBody.ts"

/** The post that an item belongs to, on the wire (api.md §3); null where unknown. */
export const MediaContextBody = Schema.Struct({
  id: Schema.String.annotate({ description: "The network's id." }),
  caption: Schema.NullOr(Schema.String),
  media_url: Schema.NullOr(Schema.String).annotate({ description: "Of a video its preview; it may expire." }),
  timestamp: Schema.NullOr(Time),
  media_type: Schema.Literals(mediaTypes),
  permalink: Schema.NullOr(Schema.String)
}).annotate({
  identifier: "MediaContext",
  examples: [
    {
      id: "17895695668004000",
      caption: "Back in stock.",
      media_url: "https://cdn.example/p.jpg",
      timestamp: "2026-11-20T18:00:00.000Z",
      media_type: "image",
      permalink: "https://www.example/p/1/"
    }
  ]
})
export type MediaContextBody = typeof MediaContextBody.Type

export const toMediaContextBody = (context: MediaContext): MediaContextBody => ({
  id: context.id,
  caption: Option.getOrNull(context.caption),
  media_url: Option.getOrNull(context.mediaUrl),
  timestamp: Option.getOrNull(Option.map(context.timestamp, DateTime.formatIso)),
  media_type: context.mediaType,
  permalink: Option.getOrNull(context.permalink)
})
