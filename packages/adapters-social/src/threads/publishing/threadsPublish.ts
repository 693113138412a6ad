import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { NetworkPublish, UncertainPublication } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { Publication, Published, PublishMedia } from "@loopbox/core/networks/publishing/Publication"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { GraphApi } from "../../meta/graphApi.ts"
import { deleted } from "../../meta/publishing/deleted.ts"
import { lookAtContainer } from "../../meta/publishing/lookAtContainer.ts"
import { containersOf, prepareContainer } from "../../meta/publishing/prepareContainer.ts"
import type { ContainerState, ContainerSteps } from "../../meta/publishing/prepareContainer.ts"
import { publishContainer } from "../../meta/publishing/publishContainer.ts"
import { readPublishingLimit } from "../../meta/publishing/publishingLimit.ts"
import { readGraphPage } from "../../meta/graphPage.ts"
import { Id, OptionalLink, OptionalText, OptionalTime, reader } from "../../payloads/payload.ts"
import { onlyMatch, postsSince } from "@loopbox/core/networks/publishing/onlyMatch"
import type { OwnPost } from "@loopbox/core/networks/publishing/onlyMatch"
import { linkOf } from "../../publishing/preparation.ts"
import { threadsRules } from "./threadsRules.ts"

const readId = reader(Schema.Struct({ id: Id }))
const readState = reader(Schema.Struct({ status: OptionalText, error_message: OptionalText }))
const readThread = reader(
  Schema.Struct({ id: Id, text: OptionalText, timestamp: OptionalTime, permalink: OptionalLink })
)

const kind = { endpoint: "content" as const, scopes: ["threads_basic", "threads_content_publish"] }
const newestPosts = 50

type Form = Readonly<Record<string, string>>

const fileForm = (media: PublishMedia) =>
  Effect.map(linkOf("threads", media), (link): Form => ({
    ...(media.kind === "video" ? { media_type: "VIDEO", video_url: link } : { media_type: "IMAGE", image_url: link }),
    ...Option.match(media.altText, { onNone: () => ({}), onSome: (alt_text) => ({ alt_text }) })
  }))

/** What a post says beside its files. */
const postForm = ({ options, text }: Publication): Form => ({
  ...(text === "" ? {} : { text }),
  ...Object.fromEntries(
    ["reply_control", "topic_tag"].flatMap((name) => {
      const value = options.values[name]
      return typeof value === "string" ? [[name, value]] : []
    })
  )
})

const publishedAs = (id: string, url: Option.Option<string>): Published => ({ externalId: id, url, postIds: [id] })

/** How Threads accounts publish: a container first, which shows nothing, and then that it be published, once. */
export const threadsPublish = (graph: GraphApi): NetworkPublish => {
  // In the body, for addresses of files are signed, and spans have queries.
  const create = (access: AccountAccess, form: Form): Effect.Effect<string, WriteFailed> =>
    Effect.map(graph.write({ access, ...kind, path: ["me", "threads"] }, { form }, readId), ({ id }) => id)

  const readContainer = (access: AccountAccess, id: string): Effect.Effect<ContainerState, ReadFailed> =>
    graph.readObject({ access, ...kind, id, fields: "id,status,error_message" }, (value) =>
      Result.map(readState(value), ({ error_message, status }) => ({
        status: Option.getOrElse(status, () => ""),
        words: Option.getOrElse(error_message, () => "")
      }))
    )

  const stepsOf = (access: AccountAccess, publication: Publication): ContainerSteps => {
    const { kind: postKind, media } = publication
    const shared = { network: "threads", read: (id: string) => readContainer(access, id) } as const
    const part = (one: PublishMedia) => ({
      isProcessed: one.kind === "video",
      create: Effect.flatMap(fileForm(one), (file) => create(access, { ...file, is_carousel_item: "true" }))
    })
    if (postKind === "carousel") {
      return {
        ...shared,
        isProcessed: true,
        parts: media.map(part),
        create: (children) =>
          create(access, { media_type: "CAROUSEL", children: children.join(","), ...postForm(publication) })
      }
    }
    return {
      ...shared,
      isProcessed: true,
      parts: [],
      create: () =>
        Effect.flatMap(Effect.forEach(media.slice(0, 1), fileForm), ([file = { media_type: "TEXT" }]) =>
          create(access, { ...file, ...postForm(publication) })
        )
    }
  }

  const match = (access: AccountAccess, uncertain: UncertainPublication) => {
    const since = String(Math.floor(DateTime.toEpochMillis(postsSince(uncertain)) / 1000))
    const query = { fields: "id,text,timestamp,permalink", limit: String(newestPosts), since }
    const readPosts = (body: unknown) =>
      Result.map(readGraphPage(body), ({ elements }) =>
        elements.flatMap((element): ReadonlyArray<OwnPost> => {
          const thread = readThread(element)
          if (Result.isFailure(thread)) return []
          const { id, permalink, text, timestamp } = thread.success
          return [{ id, text: Option.getOrElse(text, () => ""), at: timestamp, url: permalink }]
        })
      )
    return Effect.map(graph.read({ access, ...kind, path: ["me", "threads"], query }, readPosts), (posts) =>
      Option.map(onlyMatch(uncertain, posts), ({ id, url }) => publishedAs(id, url))
    )
  }

  return {
    ...threadsRules,
    quota: Effect.fn("ThreadsPublish.quota")((access) =>
      graph.read(
        { access, ...kind, path: ["me", "threads_publishing_limit"], query: { fields: "quota_usage,config" } },
        readPublishingLimit
      )
    ),
    prepare: Effect.fn("ThreadsPublish.prepare")((access, publication, preparation) =>
      prepareContainer(stepsOf(access, publication), containersOf(preparation))
    ),
    publish: Effect.fn("ThreadsPublish.publish")((access, _publication, preparation) =>
      publishContainer(
        "threads",
        preparation,
        (creation_id) =>
          Effect.map(
            graph.write(
              { access, ...kind, path: ["me", "threads_publish"], query: { creation_id } },
              { form: {} },
              readId
            ),
            ({ id }) => publishedAs(id, Option.none())
          ),
        (id) => readContainer(access, id)
      )
    ),
    find: Effect.fn("ThreadsPublish.find")((access, uncertain) =>
      lookAtContainer(uncertain, (id) => readContainer(access, id), match(access, uncertain))
    ),
    details: Effect.fn("ThreadsPublish.details")((access, id) =>
      graph.readObject({ access, ...kind, id, fields: "id,permalink" }, (value) =>
        Result.map(readThread(value), ({ permalink }) => publishedAs(id, permalink))
      )
    ),
    remove: (access) =>
      Option.some(
        Effect.fn("ThreadsPublish.remove")((id: string) =>
          deleted(graph, { access, endpoint: "content", scopes: ["threads_basic", "threads_delete"] }, id)
        )
      )
  }
}
