import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { graphError, invalid } from "../graph/graphAnswers.ts"
import { isSelf } from "../graph/instagramNodes.ts"
import { missing } from "../graph/graphRoutes.ts"
import type { AccountScene, Ask, SandboxAnswer } from "../Operation.ts"
import { characterLength } from "../textLimits.ts"
import { asPerson } from "../World.ts"
import type { PostedMedia } from "../Writing.ts"
import { statusOf } from "./Containers.ts"
import type { Container } from "./Containers.ts"
import type { GivenFile } from "./loadFile.ts"

const mostCaption_chars = 2_200
const mostAltText_chars = 1_000
const mostImage_bytes = 8 * 1024 * 1024
const mostContainers = 400
const parts = { least: 2, most: 10 }
/** Width to height. */
const ratios = { least: 4 / 5, most: 1.91 }

const no = (code: number, subcode: number, message: string): SandboxAnswer => graphError(400, code, subcode, message)

/** Why an image is refused when its container is made. */
const imageRefusal = (file: Option.Option<GivenFile>, isStory: boolean): SandboxAnswer | undefined => {
  if (Option.isNone(file) || !/^(?:image|video)\//.test(file.value.contentType)) {
    return no(9004, 2_207_052, "Only photo or video can be accepted as media type.")
  }
  const { contentType, format, height, size_bytes, width } = file.value
  if (!contentType.startsWith("image/jpeg") || format !== "jpeg") {
    return no(36_001, 2_207_005, "The image format is not supported.")
  }
  if (size_bytes > mostImage_bytes) return no(36_000, 2_207_004, "The image size is too large.")
  if (isStory || width === undefined || height === undefined || height === 0) return undefined
  // A pixel more or less is no other ratio.
  const isWithin = width / (height + 1) <= ratios.most && (width + 1) / height >= ratios.least
  return isWithin ? undefined : no(36_003, 2_207_009, "The aspect ratio is not supported.")
}

/** Why a video ends in an error while it is processed, as the subcode of it. */
const videoFailure = (file: Option.Option<GivenFile>, isStory: boolean): Option.Option<string> => {
  if (Option.isNone(file)) return Option.some("2207052")
  const { contentType, duration_s, format, size_bytes } = file.value
  const [most_s, most_bytes] = isStory ? [60, 100_000_000] : [900, 300_000_000]
  const isFine =
    /^video\/(?:mp4|quicktime)/.test(contentType) &&
    format === "mp4" &&
    size_bytes <= most_bytes &&
    (duration_s === undefined || (duration_s >= 3 && duration_s <= most_s))
  return isFine ? Option.none() : Option.some("2207026")
}

interface Asked {
  readonly media: PostedMedia
  readonly isPart: boolean
  readonly refusal: SandboxAnswer | undefined
  readonly failure: Option.Option<string>
  readonly readyAt?: DateTime.Utc | undefined
  readonly children: ReadonlyArray<Container>
}

const single = (ask: Ask, kind: "image" | "video", surface: PostedMedia["surface"]): Asked => {
  const isPart = ask.text("is_carousel_item") === "true"
  const altText = ask.text("alt_text")
  return {
    media: { kind, surface, parts: [], keys: [], altTexts: altText === undefined ? [] : [altText] },
    isPart,
    refusal: kind === "image" ? imageRefusal(ask.loaded, surface === "story") : undefined,
    failure: kind === "video" ? videoFailure(ask.loaded, surface === "story") : Option.none(),
    children: []
  }
}

const carousel = (scene: AccountScene, ask: Ask): Asked | SandboxAnswer => {
  const ids = (ask.text("children") ?? "").split(",").filter((id) => id !== "")
  if (ids.length < parts.least || ids.length > parts.most) {
    return no(100, 2_207_028, `A carousel has ${parts.least} to ${parts.most} children.`)
  }
  const children = ids.flatMap((id) => Option.toArray(scene.containers.ofAccount(scene.account, id)))
  const isWrong = ({ draft, isUsed, ...rest }: Container) =>
    Option.isSome(draft) || isUsed || ["ERROR", "EXPIRED"].includes(statusOf({ draft, isUsed, ...rest }, scene.at))
  if (children.length < ids.length || children.some(isWrong)) return invalid("Param children: a child can't be used")
  const kinds = children.map(({ media }) => (Option.exists(media, ({ kind }) => kind === "video") ? "video" : "image"))
  return {
    media: { kind: "carousel", surface: "feed", parts: kinds, keys: [], altTexts: [] },
    isPart: false,
    refusal: undefined,
    failure: Option.none(),
    readyAt: children.reduce((latest, { readyAt }) => DateTime.max(latest, readyAt), scene.at),
    children
  }
}

const askedFor = (scene: AccountScene, ask: Ask): Asked | SandboxAnswer => {
  const [type, image, video] = ["media_type", "image_url", "video_url"].map(ask.text)
  if (type === "CAROUSEL") return carousel(scene, ask)
  if (type === "STORIES" && (image === undefined) !== (video === undefined)) {
    return single(ask, video === undefined ? "image" : "video", "story")
  }
  if (type === "REELS" && video !== undefined) return single(ask, "video", "reel")
  // Every single video is a reel; a plain one is only part of a carousel.
  if (type === "VIDEO" && video !== undefined && ask.text("is_carousel_item") === "true") {
    return single(ask, "video", "feed")
  }
  if ((type === undefined || type === "IMAGE") && image !== undefined) return single(ask, "image", "feed")
  return no(100, 2_207_023, `The media type ${type ?? "of nothing"} is unknown.`)
}

/** `POST /{ig}/media`: something to be published. It shows nothing to anybody. */
export const createContainer = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const { account, at, containers, failsLater, settings, world } = scene
  if (!isSelf(scene, ask.param("id"))) return missing(scene, ask.param("id"))
  if (containers.countSince(account, DateTime.subtract(at, { hours: 24 })) >= mostContainers) {
    return no(9, 2_207_042, `An account makes at most ${mostContainers} containers in 24 hours.`)
  }
  const asked = askedFor(scene, ask)
  if ("status" in asked) return asked
  const { children, failure, isPart, media, readyAt, refusal } = asked
  const caption = isPart || media.surface === "story" ? "" : (ask.text("caption") ?? "")
  if (characterLength(caption) > mostCaption_chars) return no(36_004, 2_207_010, "The caption is too long.")
  if ((ask.text("alt_text") ?? "").length > mostAltText_chars) return invalid("Param alt_text is too long")
  if (refusal !== undefined) return refusal
  const id = world.ids.next("instagram", "container", account, Option.none())
  const draft = {
    account,
    author: asPerson(account),
    kind: "post",
    text: caption,
    isOwn: true,
    posted: Option.some(media),
    sent: Option.some({ metadata: Option.none() })
  } as const
  for (const child of children) containers.use(child)
  containers.add(
    {
      id,
      account,
      draft: isPart ? Option.none() : Option.some(draft),
      media: Option.some(media),
      failure: Option.orElse(failsLater, () => failure),
      readyAt
    },
    settings.container_delay_ms,
    at
  )
  return { status: 200, body: { id } }
}

/** How many posts over the API count for the quota now. */
export const postsOfDay = ({ account, at, world }: AccountScene): number =>
  world
    .ofAccount(account)
    .filter(
      ({ kind, sent, writtenAt }) =>
        kind === "post" &&
        Option.isSome(sent) &&
        DateTime.isGreaterThan(writtenAt, DateTime.subtract(at, { hours: 24 }))
    ).length

/** `POST /{ig}/media_publish`: once, and not before the container is ready. */
export const publishContainer = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const { account, at, containers, settings, world } = scene
  const id = ask.text("creation_id")
  if (id === undefined) return invalid("Param creation_id is required")
  const container = containers.ofAccount(account, id)
  if (Option.isNone(container)) return no(24, 2_207_006, "The media can't be found.")
  const { draft } = container.value
  if (Option.isNone(draft)) return invalid("A child of a carousel can't be published")
  switch (statusOf(container.value, at)) {
    case "IN_PROGRESS":
      return no(9007, 2_207_027, "The media is not ready for publishing, please wait for a moment.")
    case "PUBLISHED":
      return invalid("The media container was published before")
    case "EXPIRED":
      return no(24, 2_207_008, "The media builder with this creation id has expired.")
    case "ERROR":
      return no(9007, 2_207_027, "The media is not ready for publishing.")
    case "FINISHED": {
      if (postsOfDay(scene) >= settings.instagram_posts) {
        return no(9, 2_207_042, "The maximum number of posts that is allowed within 24 hours is reached.")
      }
      containers.use(container.value)
      const happened = world.write(draft.value, at)
      return { status: 200, body: { id: happened.writing.id }, happened }
    }
  }
}
