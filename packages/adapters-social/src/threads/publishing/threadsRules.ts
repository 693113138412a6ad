import type { PublishDescription } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { PublicationKind, PublishDraft } from "@loopbox/core/networks/publishing/Publication"
import type { MediaLimits, PublishRule } from "@loopbox/core/networks/publishing/PublishRules"
import * as Option from "effect/Option"
import { maxCharacters, threadsLength } from "../threadsLength.ts"

const one = { least: 1, most: 1 }

/** Images of other widths than 320 to 1,440 are scaled. */
const image: MediaLimits = {
  contentTypes: ["image/jpeg", "image/png"],
  maxBytes: 8_000_000,
  ratio: { least: 1 / 10, most: 10 }
}

const video: MediaLimits = {
  contentTypes: ["video/mp4", "video/quicktime"],
  maxBytes: 1_000_000_000,
  width: { least: 1, most: 1_920 },
  ratio: { least: 0.01, most: 10 },
  durationMs: { least: 1, most: 5 * 60_000 },
  frameRate: { least: 23, most: 60 }
}

/** social-networks-write.md B0, B3. */
const rules: ReadonlyArray<PublishRule> = [
  { kind: "text", text: "required", media: { least: 0, most: 0 }, isMixed: false },
  { kind: "image", text: "optional", media: one, isMixed: false, image },
  { kind: "video", text: "optional", media: one, isMixed: false, video },
  { kind: "carousel", text: "optional", media: { least: 2, most: 20 }, isMixed: true, image, video }
]

const kindOf = ({ media }: PublishDraft): PublicationKind => {
  const [first] = media
  if (first === undefined) return "text"
  if (media.length > 1) return "carousel"
  return first.kind === "video" ? "video" : "image"
}

/** What Threads takes. */
export const threadsRules: PublishDescription = {
  rules,
  text: { length: maxCharacters, links: 5, altText: 1_000, firstComment: maxCharacters },
  options: [
    {
      name: "reply_control",
      value: {
        type: "choice",
        of: ["everyone", "accounts_you_follow", "mentioned_only", "parent_post_author_only", "followers_only"]
      }
    },
    { name: "topic_tag", value: { type: "text", most: 50 } }
  ],
  fetchesMedia: true,
  measure: threadsLength,
  choose: (draft) => ({ kind: kindOf(draft), faults: [], warnings: [] }),
  commentSource: Option.some("threads_reply")
}
