import type { PublishDescription } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { PublicationKind, PublishDraft } from "@loopbox/core/networks/publishing/Publication"
import type { MediaLimits, PublishRule } from "@loopbox/core/networks/publishing/PublishRules"
import * as Option from "effect/Option"
import { maxWeight } from "../weightedLength.ts"

const one = { least: 1, most: 1 }

const image: MediaLimits = { contentTypes: ["image/jpeg", "image/png", "image/webp"], maxBytes: 5_000_000 }

const gif: MediaLimits = {
  contentTypes: ["image/gif"],
  maxBytes: 15_000_000,
  width: { least: 1, most: 1_280 },
  height: { least: 1, most: 1_080 },
  maxFrames: 350,
  maxFramePixels: 300_000_000
}

const video: MediaLimits = {
  contentTypes: ["video/mp4", "video/quicktime", "video/webm"],
  maxBytes: 512_000_000,
  // 32×32 to 1280×1024, lying or standing: 720×1280 is a size that X itself recommends.
  longerSide: { least: 32, most: 1_280 },
  shorterSide: { least: 32, most: 1_024 },
  ratio: { least: 1 / 3, most: 3 },
  durationMs: { least: 500, most: 140_000 },
  frameRate: { least: 0, most: 60 },
  // AAC in MP4 and QuickTime; WebM has none but these two.
  audioCodecs: ["mp4a", "A_OPUS", "A_VORBIS"]
}

/** social-networks-write.md B0, B4. Images, a GIF and a video never stand together. */
const rules: ReadonlyArray<PublishRule> = [
  { kind: "text", text: "required", media: { least: 0, most: 0 }, isMixed: false },
  { kind: "image", text: "optional", media: one, isMixed: false, image },
  { kind: "photos", text: "optional", media: { least: 2, most: 4 }, isMixed: false, image },
  { kind: "gif", text: "optional", media: one, isMixed: false, gif },
  { kind: "video", text: "optional", media: one, isMixed: false, video }
]

const kindOf = ({ media }: PublishDraft): PublicationKind => {
  const kinds = media.map(({ kind }) => kind)
  if (kinds.length === 0) return "text"
  if (kinds.includes("video")) return "video"
  if (kinds.includes("gif")) return "gif"
  return kinds.length === 1 ? "image" : "photos"
}

/** What X takes. */
export const xRules = (weightedLength: (text: string) => number): PublishDescription => ({
  rules,
  text: { length: maxWeight, altText: 1_000, firstComment: maxWeight },
  options: [
    {
      name: "reply_settings",
      value: { type: "choice", of: ["following", "mentionedUsers", "subscribers", "verified"] }
    }
  ],
  fetchesMedia: false,
  measure: weightedLength,
  choose: (draft) => ({ kind: kindOf(draft), faults: [], warnings: [] }),
  commentSource: Option.some("x_reply")
})
