import type { PublishDescription } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { MediaShape, PublicationKind, PublishDraft } from "@loopbox/core/networks/publishing/Publication"
import type {
  MediaLimits,
  PublishChoice,
  PublishFault,
  PublishRule,
  PublishWarning
} from "@loopbox/core/networks/publishing/PublishRules"
import * as Option from "effect/Option"

const none = { least: 0, most: 0 }
const one = { least: 1, most: 1 }

const photoLimits = { maxBytes: 10_000_000 }

const image: MediaLimits = {
  contentTypes: ["image/jpeg", "image/png", "image/bmp", "image/tiff"],
  ...photoLimits
}

/** A Page takes a GIF for a photo. */
const gif: MediaLimits = { contentTypes: ["image/gif"], ...photoLimits }

const video: MediaLimits = {
  contentTypes: ["video/mp4"],
  maxBytes: 1_000_000_000,
  durationMs: { least: 1, most: 20 * 60_000 }
}

/** 9:16, a pixel more or less. */
const reel: MediaLimits = {
  contentTypes: ["video/mp4"],
  maxBytes: 1_000_000_000,
  width: { least: 540, most: Infinity },
  height: { least: 960, most: Infinity },
  ratio: { least: 0.55, most: 0.575 },
  durationMs: { least: 3_000, most: 90_000 },
  frameRate: { least: 24, most: 60 }
}

/** social-networks-write.md B0, B2. */
const rules: ReadonlyArray<PublishRule> = [
  { kind: "text", text: "required", media: none, isMixed: false },
  { kind: "link", text: "optional", media: none, isMixed: false },
  { kind: "image", text: "optional", media: one, isMixed: false, image, gif },
  // A GIF is a photo there, too.
  { kind: "photos", text: "optional", media: { least: 2, most: 30 }, isMixed: true, image, gif },
  { kind: "video", text: "optional", media: one, isMixed: false, video },
  { kind: "reel", text: "optional", media: one, isMixed: false, video: reel }
]

const isVertical = ({ height, width }: MediaShape): boolean =>
  Option.isSome(width) && Option.isSome(height) && height.value > width.value

const isLandscape = ({ height, width }: MediaShape): boolean =>
  Option.isSome(width) && Option.isSome(height) && height.value <= width.value

const linkFaults = ({ media, options }: PublishDraft): ReadonlyArray<PublishFault> =>
  options.values["link"] === undefined || media.length === 0
    ? []
    : [
        {
          path: "options.link",
          code: "link_with_media",
          message: "A post of a Page has a link or files, not both."
        }
      ]

const kindOf = ({ media, options }: PublishDraft): PublicationKind => {
  const [first] = media
  if (options.values["kind"] === "reel") return "reel"
  if (first === undefined) return options.values["link"] === undefined ? "text" : "link"
  const firstVideo = media.find(({ kind }) => kind === "video")
  if (firstVideo !== undefined) return isVertical(firstVideo) ? "reel" : "video"
  return media.length === 1 ? "image" : "photos"
}

/** A vertical video that is sent as a plain one stays a draft; so it goes out as a reel (B2, E8). */
const choose = (draft: PublishDraft): PublishChoice => {
  const kind = kindOf(draft)
  const [first] = draft.media
  const isAsked = draft.options.values["kind"] === "reel"
  const isFlat = isAsked && first?.kind === "video" && isLandscape(first)
  const flat: PublishFault = {
    path: "options.kind",
    code: "reel_not_vertical",
    message: "A reel is a vertical video, 9:16."
  }
  const reel: PublishWarning = {
    path: "media_ids[0]",
    code: "published_as_reel",
    message: "A Page publishes a vertical video as a reel."
  }
  return {
    kind,
    faults: [...linkFaults(draft), ...(isFlat ? [flat] : [])],
    warnings: kind === "reel" && !isAsked ? [reel] : []
  }
}

/** What a Page takes. */
export const facebookRules: PublishDescription = {
  rules,
  text: { length: 63_206, altText: 1_000, firstComment: 8_000 },
  options: [
    { name: "kind", value: { type: "choice", of: ["feed", "reel"] } },
    { name: "link", value: { type: "address" } },
    { name: "title", value: { type: "text", most: 255 } }
  ],
  fetchesMedia: true,
  measure: (text) => Array.from(text).length,
  choose,
  commentSource: Option.some("fb_comment")
}
