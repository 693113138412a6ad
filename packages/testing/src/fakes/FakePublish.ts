import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { NetworkPublish } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { PublicationKind, PublishDraft } from "@loopbox/core/networks/publishing/Publication"
import type { MediaLimits, PublishRule } from "@loopbox/core/networks/publishing/PublishRules"
import type { Network } from "@loopbox/core/networks/Source"

const image: MediaLimits = {
  contentTypes: ["image/jpeg", "image/png"],
  maxBytes: 1_000,
  width: { least: 10, most: 100 },
  ratio: { least: 0.5, most: 2 }
}

const video: MediaLimits = {
  contentTypes: ["video/mp4"],
  maxBytes: 100_000,
  durationMs: { least: 1_000, most: 60_000 },
  frameRate: { least: 20, most: 60 }
}

const none = { least: 0, most: 0 }

/** A network that takes a text, up to four images, one GIF or one video; Instagram takes no text alone and no GIF. */
const rulesOf = (network: Network): ReadonlyArray<PublishRule> => {
  const isVisual = network === "instagram"
  const needed = isVisual ? { least: 1, most: 0 } : none
  const gif: Partial<PublishRule> = isVisual
    ? {}
    : { gif: { contentTypes: ["image/gif"], maxBytes: 10_000, maxFrames: 10 } }
  return [
    { kind: "text", text: "required", media: needed, isMixed: false },
    { kind: "image", text: "optional", media: { least: 1, most: 4 }, isMixed: false, image, ...gif },
    { kind: "gif", text: "optional", media: { least: 1, most: 1 }, isMixed: false, ...gif },
    { kind: "video", text: "optional", media: { least: 1, most: 1 }, isMixed: false, video },
    { kind: "story", text: "ignored", media: { least: 1, most: 1 }, isMixed: false, image, video }
  ]
}

const kindOf = ({ media, options }: PublishDraft): PublicationKind => {
  if (options.values["kind"] === "story") return "story"
  const [first] = media
  if (first === undefined) return "text"
  return first.kind === "other" ? "image" : first.kind
}

/** How the fake networks publish; what is not in the script fails. */
export const fakePublish = (network: Network, script: () => Partial<NetworkPublish>): NetworkPublish => {
  const unscripted = new Unavailable({ network, networkCode: Option.none(), detail: "not scripted", reason: "source" })
  return {
    rules: rulesOf(network),
    text: { length: 100, hashtags: 3, altText: 20, ...(network === "facebook" ? {} : { firstComment: 100 }) },
    options: [
      { name: "kind", value: { type: "choice", of: ["feed", "story"] } },
      { name: "share", value: { type: "flag" } }
    ],
    fetchesMedia: network === "instagram",
    measure: (text) => Array.from(text).length,
    choose: (draft) => ({ kind: kindOf(draft), faults: [], warnings: [] }),
    commentSource: network === "instagram" ? Option.some("ig_comment") : Option.none(),
    quota: (access) => script().quota?.(access) ?? Effect.succeedNone,
    prepare: (access, publication, before) =>
      script().prepare?.(access, publication, before) ?? Effect.succeed({ _tag: "Ready", preparation: "nothing" }),
    publish: (access, publication, preparation) =>
      script().publish?.(access, publication, preparation) ?? Effect.fail(unscripted),
    find: (access, uncertain) => script().find?.(access, uncertain) ?? Effect.fail(unscripted),
    details: (access, externalId) => script().details?.(access, externalId) ?? Effect.fail(unscripted),
    remove: (access) => script().remove?.(access) ?? Option.some(() => Effect.fail(unscripted))
  }
}
