import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { NetworkPublish, UncertainPublication } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { Published } from "@loopbox/core/networks/publishing/Publication"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { GraphApi } from "../../meta/graphApi.ts"
import { deleted } from "../../meta/publishing/deleted.ts"
import { lookAtContainer } from "../../meta/publishing/lookAtContainer.ts"
import { containersOf, prepareContainer } from "../../meta/publishing/prepareContainer.ts"
import { publishContainer } from "../../meta/publishing/publishContainer.ts"
import { readPublishingLimit } from "../../meta/publishing/publishingLimit.ts"
import { readGraphPage } from "../../meta/graphPage.ts"
import { Id, OptionalLink, OptionalText, OptionalTime, reader } from "../../payloads/payload.ts"
import { onlyMatch } from "@loopbox/core/networks/publishing/onlyMatch"
import type { OwnPost } from "@loopbox/core/networks/publishing/onlyMatch"
import { instagramKinds } from "../instagramKinds.ts"
import { instagramSteps, readContainer, readId } from "./instagramContainers.ts"
import { instagramRules } from "./instagramRules.ts"

const readMedia = reader(
  Schema.Struct({
    id: Id,
    caption: OptionalText,
    timestamp: OptionalTime,
    permalink: OptionalLink,
    media_product_type: OptionalText
  })
)

const publishedAs = (id: string, url: Option.Option<string>): Published => ({ externalId: id, url, postIds: [id] })

const newestPosts = 25

interface OwnMedia extends OwnPost {
  readonly isStory: boolean
}

/** How Instagram accounts publish: a container first, which shows nothing, and then that it be published, once. */
export const instagramPublish = (graph: GraphApi): NetworkPublish => {
  const kind = (access: AccountAccess) => instagramKinds(graph, access).publishing

  const listed = (access: AccountAccess, edge: "media" | "stories") =>
    graph.read(
      {
        access,
        ...instagramKinds(graph, access).media,
        path: [access.networkAccountId, edge],
        query: { fields: "id,caption,timestamp,media_product_type,permalink", limit: String(newestPosts) }
      },
      (body) =>
        Result.map(readGraphPage(body), ({ elements }) =>
          elements.flatMap((element): ReadonlyArray<OwnMedia> => {
            const media = readMedia(element)
            if (Result.isFailure(media)) return []
            const { caption, id, media_product_type, permalink, timestamp } = media.success
            const isStory = edge === "stories" || Option.contains(media_product_type, "STORY")
            return [{ id, text: Option.getOrElse(caption, () => ""), at: timestamp, url: permalink, isStory }]
          })
        )
    )

  /** The post in the account's list that this must be. Stories have a list of their own, and no words. */
  const match = Effect.fnUntraced(function* (
    access: AccountAccess,
    uncertain: UncertainPublication
  ): Effect.fn.Return<Option.Option<Published>, ReadFailed> {
    const isStory = uncertain.publication.kind === "story"
    const posts = listed(access, "media")
    const all = yield* isStory ? Effect.catchTag(listed(access, "stories"), "Rejected", () => posts) : posts
    const found = onlyMatch(
      uncertain,
      all.filter((one) => one.isStory === isStory),
      (text) => (isStory ? "" : text)
    )
    return Option.map(found, ({ id, url }) => publishedAs(id, url))
  })

  return {
    ...instagramRules,
    quota: Effect.fn("InstagramPublish.quota")((access) =>
      graph.read(
        {
          access,
          ...kind(access),
          path: [access.networkAccountId, "content_publishing_limit"],
          query: { fields: "quota_usage,config" }
        },
        readPublishingLimit
      )
    ),
    prepare: Effect.fn("InstagramPublish.prepare")((access, publication, preparation) =>
      prepareContainer(instagramSteps(graph, access, publication), containersOf(preparation))
    ),
    publish: Effect.fn("InstagramPublish.publish")((access, _publication, preparation) =>
      publishContainer(
        "instagram",
        preparation,
        (creation_id) =>
          Effect.map(
            graph.write(
              { access, ...kind(access), path: [access.networkAccountId, "media_publish"] },
              { form: { creation_id } },
              readId
            ),
            ({ id }) => publishedAs(id, Option.none())
          ),
        (id) => readContainer(graph, access, id)
      )
    ),
    find: Effect.fn("InstagramPublish.find")((access, uncertain) =>
      lookAtContainer(uncertain, (id) => readContainer(graph, access, id), match(access, uncertain))
    ),
    details: Effect.fn("InstagramPublish.details")((access, id) =>
      graph.readObject({ access, ...instagramKinds(graph, access).media, id, fields: "permalink" }, (value) =>
        Result.map(readMedia(value), ({ permalink }) => publishedAs(id, permalink))
      )
    ),
    // Accounts that were connected by Instagram's own login can't delete posts.
    remove: (access) =>
      graph.isAtFacebook(access)
        ? Option.some(
            Effect.fn("InstagramPublish.remove")((id: string) =>
              deleted(
                graph,
                { access, endpoint: "content", scopes: ["instagram_basic", "instagram_manage_contents"] },
                id
              )
            )
          )
        : Option.none()
  }
}
