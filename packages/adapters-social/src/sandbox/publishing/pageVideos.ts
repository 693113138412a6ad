import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { graphError, invalid } from "../graph/graphAnswers.ts"
import { hostOf } from "../graph/graphPages.ts"
import { missing } from "../graph/graphRoutes.ts"
import type { AccountScene, Ask, SandboxAnswer } from "../Operation.ts"
import type { Happening } from "../Writing.ts"
import type { GivenFile } from "./loadFile.ts"
import type { PageVideo } from "./PageMedia.ts"
import { ownPost } from "./pagePosts.ts"

const reel_s = { least: 3, most: 90 }
const leastReel = { width: 540, height: 960 }

const isOfPage = ({ account }: AccountScene, ask: Ask): boolean =>
  ask.param("id") === "me" || ask.param("id") === account.accountId

const isVertical = ({ height = 0, width = 0 }: GivenFile): boolean => height > width

/** Words of a failure of a reel; none if it is fine. */
const reelFailure = ({ duration_s = reel_s.least, format, height, width }: GivenFile): Option.Option<string> => {
  if (format !== "mp4") return Option.some("The video file you selected is in a format that we don't support.")
  if (duration_s < reel_s.least || duration_s > reel_s.most) return Option.some("1363128: the video's length")
  if (width === undefined || height === undefined) return Option.none()
  if (width < leastReel.width || height < leastReel.height) return Option.some("1363127: the video's resolution")
  return Math.abs(width / height - 9 / 16) > 0.02 ? Option.some("1363040: the video's aspect ratio") : Option.none()
}

const fresh = (scene: AccountScene, isReel: boolean, text: string): PageVideo => ({
  id: scene.world.ids.next("facebook", "container", scene.account, Option.none()),
  accountId: scene.account.accountId,
  isReel,
  size_bytes: undefined,
  postId: Option.none(),
  readyAt: Option.none(),
  failure: Option.none(),
  isDraft: false,
  text
})

/** From now on it is processed, and shown when that is done, unless it fails or stays a draft. */
const process = (scene: AccountScene, video: PageVideo): Happening | undefined => {
  const { at, pageMedia, settings, world } = scene
  const readyAt = DateTime.add(at, { milliseconds: settings.container_delay_ms })
  const failure = Option.orElse(scene.failsLater, () => video.failure)
  if (video.isDraft || Option.isSome(failure)) {
    pageMedia.setVideo({ ...video, readyAt: Option.some(readyAt), failure })
    return undefined
  }
  const posted = {
    kind: "video",
    surface: video.isReel ? "reel" : "feed",
    parts: [],
    keys: [video.id],
    altTexts: []
  } as const
  const post = { ...ownPost(scene, video.text, Option.some(posted)), otherId: video.id, visibleFrom: readyAt }
  const happened = world.write(post, at)
  pageMedia.setVideo({ ...video, readyAt: Option.some(readyAt), postId: Option.some(happened.writing.id) })
  return happened
}

/** `POST /{page}/videos`: a video from an address, or with the request. A vertical one stays a draft of a reel. */
export const createVideo = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  if (!isOfPage(scene, ask)) return missing(scene, ask.param("id"))
  if (ask.text("upload_phase") !== undefined) return invalid("upload_phase is not simulated")
  const file = ask.text("file_url") === undefined ? ask.file : ask.loaded
  if (Option.isNone(file)) return graphError(400, 389, undefined, "Unable to fetch video file from URL.")
  if (file.value.format !== "mp4") {
    return graphError(400, 352, undefined, "The video file you selected is in a format that we don't support.")
  }
  const isDraft = isVertical(file.value)
  const video = { ...fresh(scene, isDraft, ask.text("description") ?? ""), size_bytes: file.value.size_bytes, isDraft }
  const happened = process(scene, video)
  return { status: 200, body: { id: video.id }, happened }
}

const versionOf = (ask: Ask): string => ask.param("version")

/** `POST /{page}/video_reels`: where to send the bytes, and later that it be published. */
export const createReel = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  if (!isOfPage(scene, ask)) return missing(scene, ask.param("id"))
  const { account, pageMedia } = scene
  const phase = ask.text("upload_phase")
  if (phase === "start") {
    const video = fresh(scene, true, "")
    pageMedia.setVideo(video)
    const upload_url = `${ask.baseUrl}/${hostOf(ask)}/video-upload/${versionOf(ask)}/${video.id}`
    return { status: 200, body: { video_id: video.id, upload_url } }
  }
  if (phase !== "finish") return invalid("Param upload_phase must be one of {START, FINISH}")
  const video = pageMedia.findVideo(account.accountId, ask.text("video_id") ?? "")
  if (Option.isNone(video)) return invalid("Param video_id: no such video")
  if (video.value.size_bytes === undefined) {
    return graphError(400, 6000, 1_363_130, "There was a problem uploading your video file. Please try again.")
  }
  if (Option.isSome(video.value.readyAt)) return invalid("The video was published before")
  const isDraft = ask.text("video_state") !== "PUBLISHED"
  const happened = process(scene, { ...video.value, isDraft, text: ask.text("description") ?? "" })
  return { status: 200, body: { success: true }, happened }
}

const malformed = (message: string): SandboxAnswer => ({
  status: 400,
  body: { debug_info: { retriable: false, type: "ParameterValidationError", message } }
})

const count = (text: string | undefined): number => (text !== undefined && /^\d+$/.test(text) ? Number(text) : -1)

/** The host of uploads: the whole of a video's bytes, which `offset` and `file_size` describe. */
export const receiveVideo = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const video = scene.pageMedia.findVideo(scene.account.accountId, ask.param("id"))
  if (Option.isNone(video)) return malformed("The upload session is unknown.")
  const [offset, size] = [count(ask.header("offset")), count(ask.header("file_size"))]
  if (offset < 0) return malformed("Header Offset not convertable to unsigned long")
  if (size < 0) return malformed("Header file_size is missing")
  if (ask.header("content-length") === undefined) return malformed("Header Content-Length is missing")
  const given = Option.getOrUndefined(ask.file)
  if (given === undefined || offset !== 0 || given.size_bytes !== size) {
    return malformed(`The request body has ${given?.size_bytes ?? 0} bytes from ${offset}, and file_size is ${size}`)
  }
  scene.pageMedia.setVideo({ ...video.value, size_bytes: size, failure: reelFailure(given) })
  return { status: 200, body: { success: true } }
}
