import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { createContainer, postsOfDay, publishContainer } from "../publishing/instagramContainers.ts"
import { statusOf } from "../publishing/Containers.ts"
import type { Container } from "../publishing/Containers.ts"
import type { AccountScene, Ask, Operation, SandboxAnswer } from "../Operation.ts"
import { isVisible } from "../World.ts"
import { graphError } from "./graphAnswers.ts"
import { GraphNode } from "./graphFields.ts"
import { hostOf } from "./graphPages.ts"
import { listing, missing, reading } from "./graphRoutes.ts"
import { isSelf, mediaOf } from "./instagramNodes.ts"

const network = "instagram"
const scope = "instagram_business_content_publish"
const day_s = 86_400

const statusTexts = {
  IN_PROGRESS: "In Progress: Media is still being processed.",
  FINISHED: "Finished: Media has been uploaded and it is ready to be published.",
  PUBLISHED: "Published: Media has been successfully published.",
  EXPIRED: "Expired: Media was not published within 24 hours.",
  ERROR: ""
}

const statusText = ({ failure }: Container, code: keyof typeof statusTexts): string =>
  code === "ERROR"
    ? `Error: Media upload has failed with error code ${Option.getOrElse(failure, () => "")}`
    : statusTexts[code]

const container = reading("container", scope, (scene, ask) =>
  Result.map(
    Result.fromOption(scene.containers.ofAccount(scene.account, ask.param("id")), () =>
      missing(scene, ask.param("id"))
    ),
    (one) => {
      const status_code = statusOf(one, scene.at)
      return new GraphNode("IGContainer", ["id"], { id: one.id, status_code, status: statusText(one, status_code) })
    }
  )
)

const limit: Operation = {
  name: "publishing_limit",
  scope,
  answer: (scene) => {
    const config = { quota_total: scene.settings.instagram_posts, quota_duration: day_s }
    return { status: 200, body: { data: [{ quota_usage: postsOfDay(scene), config }] } }
  }
}

/** Stories that can still be seen; they are on no other list. */
const stories = listing("stories", "instagram_business_basic", (scene, ask) =>
  isSelf(scene, ask.param("id"))
    ? Result.succeed(mediaOf(scene, ask, true))
    : Result.fail(missing(scene, ask.param("id")))
)

/** Only by Facebook's login. */
const removeMedia: Operation = {
  name: "delete_media",
  scope: "instagram_manage_contents",
  answer: (scene: AccountScene, ask: Ask): SandboxAnswer => {
    const id = ask.param("id")
    const found = scene.world.findWriting(network, id)
    if (hostOf(ask) === network) return graphError(400, 3, undefined, "(#3) Application does not have the capability")
    if (Option.isNone(found) || found.value.kind !== "post" || !isVisible(found.value, scene.at)) {
      return missing(scene, id)
    }
    const happened = scene.world.change("deleted", { ...found.value, isDeleted: true }, scene.at)
    return { status: 200, body: { success: true, deleted_id: id }, happened }
  }
}

/** What Instagram is asked where the account publishes. */
export const instagramPublishing = {
  container,
  limit,
  stories,
  removeMedia,
  create: { name: "create_container", scope, answer: createContainer },
  publish: { name: "publish", scope, answer: publishContainer }
} satisfies Record<string, Operation>

/** What names the file of a container. */
export const fileInputs = ["image_url", "video_url"]
