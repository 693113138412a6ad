import type { MediaLimits, PublishRule } from "@loopbox/core/networks/publishing/PublishRules"
import type { PublishChoice } from "@loopbox/core/networks/publishing/PublishRules"
import type { PublishDescription } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { PublishDraft, PublicationKind } from "@loopbox/core/networks/publishing/Publication"
import * as Option from "effect/Option"

const one = { least: 1, most: 1 }

/** Images of other widths than 320 to 1,440 are scaled. */
const image: MediaLimits = {
  contentTypes: ["image/jpeg"],
  maxBytes: 8 * 1024 * 1024,
  ratio: { least: 4 / 5, most: 1.91 }
}

const video: MediaLimits = {
  contentTypes: ["video/mp4", "video/quicktime"],
  maxBytes: 300_000_000,
  width: { least: 1, most: 1_920 },
  ratio: { least: 0.01, most: 10 },
  durationMs: { least: 3_000, most: 15 * 60_000 },
  frameRate: { least: 23, most: 60 },
  videoCodecs: ["avc1", "avc3", "hvc1", "hev1"]
}

/** A story may have any sides. */
const storyImage: MediaLimits = { contentTypes: image.contentTypes, maxBytes: image.maxBytes }
const storyVideo: MediaLimits = { ...video, maxBytes: 100_000_000, durationMs: { least: 3_000, most: 60_000 } }

/** social-networks-write.md B0, B1. */
const rules: ReadonlyArray<PublishRule> = [
  { kind: "image", text: "optional", media: one, isMixed: false, image },
  { kind: "reel", text: "optional", media: one, isMixed: false, video },
  { kind: "carousel", text: "optional", media: { least: 2, most: 10 }, isMixed: true, image, video },
  { kind: "story", text: "ignored", media: one, isMixed: false, image: storyImage, video: storyVideo }
]

const kindOf = ({ media, options }: PublishDraft): PublicationKind => {
  const asked = options.values["kind"]
  if (asked === "story" || asked === "reel") return asked
  if (media.length > 1) return "carousel"
  // Every single video is a reel.
  return media[0]?.kind === "video" ? "reel" : "image"
}

const choose = (draft: PublishDraft): PublishChoice => ({ kind: kindOf(draft), faults: [], warnings: [] })

/** What Instagram takes. */
export const instagramRules: PublishDescription = {
  rules,
  text: { length: 2_200, hashtags: 30, mentions: 20, altText: 1_000, firstComment: 2_200 },
  options: [
    { name: "kind", value: { type: "choice", of: ["feed", "reel", "story"] } },
    { name: "share_to_feed", value: { type: "flag" } }
  ],
  fetchesMedia: true,
  measure: (text) => Array.from(text).length,
  choose,
  commentSource: Option.some("ig_comment")
}
