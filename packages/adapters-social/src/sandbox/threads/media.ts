import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { graphError, invalid } from "../graph/graphAnswers.ts"
import type { AccountScene, Ask, SandboxAnswer } from "../Operation.ts"
import { statusOf } from "../publishing/Containers.ts"
import type { Container } from "../publishing/Containers.ts"
import type { GivenFile } from "../publishing/loadFile.ts"
import type { PostedMedia } from "../Writing.ts"

const mostImage_bytes = 8_000_000
const mostVideo_bytes = 1_000_000_000
const mostVideo_s = 300
const mostAltText_chars = 1_000
const parts = { least: 2, most: 20 }

/** What a container shows, if it is not words alone. */
export interface ReadMedia {
  readonly media: Option.Option<PostedMedia>
  /** It is a part of a carousel, and no post. */
  readonly isPart: boolean
  /** Why it ends in an error, in Threads' words. */
  readonly failure: Option.Option<string>
  readonly readyAt?: DateTime.Utc | undefined
  readonly children: ReadonlyArray<Container>
}

const notLoaded = graphError(
  400,
  1,
  2_207_052,
  "Media download has failed. The media URI doesn't meet our requirements."
)

const imageRefusal = (file: Option.Option<GivenFile>): SandboxAnswer | undefined => {
  if (Option.isNone(file)) return notLoaded
  const { format, size_bytes } = file.value
  if (format !== "jpeg" && format !== "png")
    return graphError(400, 36_001, 2_207_005, "The image format is not supported.")
  return size_bytes > mostImage_bytes ? graphError(400, 36_000, 2_207_004, "The image is too large.") : undefined
}

const videoFailure = (file: Option.Option<GivenFile>): Option.Option<string> => {
  if (Option.isNone(file)) return Option.some("FAILED_DOWNLOADING_VIDEO")
  const { duration_s = 1, format, size_bytes } = file.value
  if (format !== "mp4" || size_bytes > mostVideo_bytes) return Option.some("FAILED_PROCESSING_VIDEO")
  return duration_s > mostVideo_s ? Option.some("INVALID_DURATION") : Option.none()
}

const isBroken = (container: Container, at: DateTime.Utc): boolean =>
  Option.isSome(container.draft) || container.isUsed || ["ERROR", "EXPIRED"].includes(statusOf(container, at))

const carousel = ({ account, at, containers }: AccountScene, ask: Ask): ReadMedia | SandboxAnswer => {
  const ids = (ask.text("children") ?? "").split(",").filter((id) => id !== "")
  if (ids.length < parts.least || ids.length > parts.most) {
    return invalid(`Param children: a carousel has ${parts.least} to ${parts.most} items`)
  }
  const children = ids.flatMap((id) => Option.toArray(containers.ofAccount(account, id)))
  if (children.length < ids.length || children.some((child) => isBroken(child, at))) {
    return invalid("Param children: an item can't be used")
  }
  const kinds = children.map(({ media }) => (Option.exists(media, ({ kind }) => kind === "video") ? "video" : "image"))
  return {
    media: Option.some({ kind: "carousel", surface: "feed", parts: kinds, keys: [], altTexts: [] }),
    isPart: false,
    failure: Option.none(),
    readyAt: children.reduce((latest, { readyAt }) => DateTime.max(latest, readyAt), at),
    children
  }
}

/** What `media_type` asks for, or why it can't be had. */
export const readMedia = (scene: AccountScene, ask: Ask): ReadMedia | SandboxAnswer => {
  const type = ask.text("media_type")
  if (type === "CAROUSEL") return carousel(scene, ask)
  const isPart = ask.text("is_carousel_item") === "true"
  const shared = { isPart, children: [], failure: Option.none<string>() }
  if (type === "TEXT" && !isPart) return { ...shared, media: Option.none() }
  const kind = type === "IMAGE" ? "image" : "video"
  if (type === undefined || ask.text(`${kind}_url`) === undefined || (kind === "video" && type !== "VIDEO")) {
    return invalid("Param media_type must be TEXT, IMAGE, VIDEO or CAROUSEL, with what belongs to it")
  }
  const altText = ask.text("alt_text")
  if ((altText ?? "").length > mostAltText_chars) return invalid("Param alt_text is too long")
  const refusal = kind === "image" ? imageRefusal(ask.loaded) : undefined
  if (refusal !== undefined) return refusal
  return {
    ...shared,
    failure: kind === "video" ? videoFailure(ask.loaded) : Option.none(),
    media: Option.some({
      kind,
      surface: "feed",
      parts: [],
      keys: [],
      altTexts: altText === undefined ? [] : [altText]
    })
  }
}
