import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AccountScene, Operation } from "../Operation.ts"
import { createPhoto, createPost } from "../publishing/pagePosts.ts"
import { createReel, createVideo, receiveVideo } from "../publishing/pageVideos.ts"
import { videoStatus } from "../publishing/PageMedia.ts"
import type { PageVideo } from "../publishing/PageMedia.ts"
import { isVisible } from "../World.ts"
import { GraphNode } from "./graphFields.ts"
import { missing, reading } from "./graphRoutes.ts"

const network = "facebook"
const scope = "pages_manage_posts"

const phase = (isDone: boolean, isBegun: boolean) => (isDone ? "complete" : isBegun ? "in_progress" : "not_started")

/** The phases as they are told; samples say `complete` where the documents say `completed`. */
const phasesOf = (video: PageVideo, at: DateTime.Utc) => {
  const status = videoStatus(video, at)
  const isUploaded = video.size_bytes !== undefined
  const isReady = status === "ready"
  const isPublished = isReady && Option.isSome(video.postId)
  const error = Option.match(video.failure, { onNone: () => ({}), onSome: (message) => ({ error: { message } }) })
  return {
    video_status: status,
    uploading_phase: { status: phase(isUploaded, false), bytes_transfered: video.size_bytes ?? 0 },
    processing_phase:
      status === "error" ? { status: "error", ...error } : { status: phase(isReady, status === "processing") },
    publishing_phase: {
      status: phase(isPublished, false),
      ...(isPublished ? { publish_status: "published" } : video.isDraft ? { publish_status: "draft" } : {})
    }
  }
}

const videoNode = ({ at }: AccountScene, video: PageVideo): GraphNode => {
  const isPublished = videoStatus(video, at) === "ready" && Option.isSome(video.postId)
  return new GraphNode("Video", ["id"], {
    id: video.id,
    status: phasesOf(video, at),
    published: isPublished,
    post_id: isPublished ? Option.getOrUndefined(video.postId) : undefined,
    permalink_url: video.isReel ? `/reel/${video.id}/` : `/watch/?v=${video.id}`,
    description: video.text === "" ? undefined : video.text,
    title: undefined,
    length: undefined
  })
}

const video = reading("video", "pages_read_engagement", (scene, ask) =>
  Result.map(
    Result.fromOption(scene.pageMedia.findVideo(scene.account.accountId, ask.param("id")), () =>
      missing(scene, ask.param("id"))
    ),
    (one) => videoNode(scene, one)
  )
)

/** `DELETE /{post}`, or of a video. */
const removePost: Operation = {
  name: "delete_post",
  scope,
  answer: (scene, ask) => {
    const id = ask.param("id")
    const found = scene.world.findWriting(network, id)
    const isOurs =
      Option.isSome(found) &&
      found.value.kind === "post" &&
      found.value.account.accountId === scene.account.accountId &&
      isVisible(found.value, scene.at)
    if (!isOurs) return missing(scene, id)
    const happened = scene.world.change("deleted", { ...found.value, isDeleted: true }, scene.at)
    return { status: 200, body: { success: true }, happened }
  }
}

/** What Facebook is asked where a Page publishes. */
export const facebookPublishing = {
  video,
  removePost,
  createPost: { name: "create_post", scope, answer: createPost },
  createPhoto: { name: "create_photo", scope, answer: createPhoto },
  createVideo: { name: "create_video", scope, answer: createVideo },
  createReel: { name: "create_reel", scope, answer: createReel },
  receiveVideo: { name: "upload_video", scope, answer: receiveVideo }
} satisfies Record<string, Operation>
