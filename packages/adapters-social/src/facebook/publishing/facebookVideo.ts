import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { Published } from "@loopbox/core/networks/publishing/Publication"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { GraphApi } from "../../meta/graphApi.ts"
import { OptionalFlag, OptionalId, OptionalName, optionalPart, OptionalText, reader } from "../../payloads/payload.ts"
import { facebookKinds } from "../facebookKinds.ts"

const Phase = Schema.Struct({ status: OptionalName, publish_status: OptionalName })

const readVideo = reader(
  Schema.Struct({
    post_id: OptionalId,
    permalink_url: OptionalText,
    published: OptionalFlag,
    status: optionalPart(
      Schema.Struct({
        video_status: OptionalName,
        processing_phase: optionalPart(Phase),
        publishing_phase: optionalPart(Phase)
      })
    )
  })
)

const site = "https://www.facebook.com"

/** Facebook gives the addresses of videos without their host. */
export const wholeAddress = (address: string): Option.Option<string> =>
  URL.canParse(address, site) && new URL(address, site).protocol === "https:"
    ? Option.some(new URL(address, site).href)
    : Option.none()

/**
 * How far a video is.
 *
 * - `published`: people see it
 * - `failed`: it never will be
 * - `waiting`: nobody has told to publish it
 * - `processing`: anything between
 */
export interface VideoState {
  readonly progress: "published" | "failed" | "waiting" | "processing"
  readonly published: Published
}

/** Documents say `completed` where samples say `complete`. */
const isComplete = (status: Option.Option<string>): boolean =>
  Option.exists(status, (one) => one === "complete" || one === "completed")

const broken = new Set(["error", "expired", "upload_failed"])

const progressOf = (video: Extract<ReturnType<typeof readVideo>, { readonly _tag: "Success" }>["success"]) => {
  const { published, status } = video
  const phase = (name: "processing_phase" | "publishing_phase") => Option.flatMap(status, (all) => all[name])
  const processing = Option.flatMap(phase("processing_phase"), (one) => one.status)
  const publishing = Option.flatMap(phase("publishing_phase"), (one) => one.status)
  const isDraft = Option.exists(
    Option.flatMap(phase("publishing_phase"), (one) => one.publish_status),
    (one) => one !== "published"
  )
  const whole = Option.flatMap(status, ({ video_status }) => video_status)
  if (Option.exists(whole, (one) => broken.has(one)) || Option.contains(processing, "error")) return "failed"
  if (!isDraft && (isComplete(publishing) || Option.isSome(published))) return "published"
  const isIdle = Option.contains(publishing, "not_started") && Option.contains(processing, "not_started")
  return isIdle ? "waiting" : "processing"
}

/** Reads a video, and under which ids comments name it: its own and its post's. */
export const readVideoState = (
  graph: GraphApi,
  access: AccountAccess,
  id: string
): Effect.Effect<VideoState, ReadFailed> =>
  graph.readObject({ access, ...facebookKinds.posts, id, fields: "status,post_id,permalink_url,published" }, (value) =>
    Result.map(readVideo(value), (video) => ({
      progress: progressOf(video),
      published: {
        externalId: id,
        url: Option.flatMap(video.permalink_url, wholeAddress),
        postIds: [id, ...Option.toArray(video.post_id).map((post) => ofPage(access, post))]
      }
    }))
  )

/** The post's id as comments have it: with the Page's in front. */
const ofPage = ({ networkAccountId }: AccountAccess, post: string): string =>
  post.includes("_") ? post : `${networkAccountId}_${post}`
