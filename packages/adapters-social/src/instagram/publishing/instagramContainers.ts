import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { Publication, PublishMedia } from "@loopbox/core/networks/publishing/Publication"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { GraphApi } from "../../meta/graphApi.ts"
import type { ContainerState, ContainerSteps } from "../../meta/publishing/prepareContainer.ts"
import { Id, OptionalText, reader } from "../../payloads/payload.ts"
import { linkOf } from "../../publishing/preparation.ts"
import { instagramKinds } from "../instagramKinds.ts"

export const readId = reader(Schema.Struct({ id: Id }))
const readState = reader(Schema.Struct({ status_code: OptionalText, status: OptionalText }))

type Form = Readonly<Record<string, string>>

/** What a container says of itself. */
export const readContainer = (
  graph: GraphApi,
  access: AccountAccess,
  id: string
): Effect.Effect<ContainerState, ReadFailed> =>
  graph.readObject({ access, ...instagramKinds(graph, access).publishing, id, fields: "status_code,status" }, (value) =>
    Result.map(readState(value), ({ status, status_code }) => ({
      status: Option.getOrElse(status_code, () => ""),
      words: Option.getOrElse(status, () => "")
    }))
  )

const create = (graph: GraphApi, access: AccountAccess, form: Form): Effect.Effect<string, WriteFailed> =>
  Effect.map(
    graph.write(
      { access, ...instagramKinds(graph, access).publishing, path: [access.networkAccountId, "media"] },
      { form },
      readId
    ),
    ({ id }) => id
  )

/** The form for one file: where it is, and what a screen reader says of it. */
const fileForm = (media: PublishMedia) =>
  Effect.map(linkOf("instagram", media), (link): Form => {
    if (media.kind === "video") return { video_url: link }
    return {
      image_url: link,
      ...Option.match(media.altText, { onNone: () => ({}), onSome: (alt_text) => ({ alt_text }) })
    }
  })

const captionForm = (text: string): Form => (text === "" ? {} : { caption: text })

/** What a post of one file says beside the file. */
const singleForm = ({ kind, options, text }: Publication): Form => {
  if (kind === "story") return { media_type: "STORIES" }
  if (kind !== "reel") return captionForm(text)
  const shared = options.values["share_to_feed"]
  return {
    media_type: "REELS",
    ...captionForm(text),
    ...(typeof shared === "boolean" ? { share_to_feed: String(shared) } : {})
  }
}

/** The containers of a post: one for each part of a carousel, and the post's. */
export const instagramSteps = (graph: GraphApi, access: AccountAccess, publication: Publication): ContainerSteps => {
  const { kind, media, text } = publication
  const shared = {
    network: "instagram",
    isProcessed: true,
    read: (id: string) => readContainer(graph, access, id)
  } as const
  if (kind === "carousel") {
    return {
      ...shared,
      parts: media.map((part) => ({
        isProcessed: part.kind === "video",
        create: Effect.flatMap(fileForm(part), (file) =>
          create(graph, access, {
            ...file,
            is_carousel_item: "true",
            ...(part.kind === "video" ? { media_type: "VIDEO" } : {})
          })
        )
      })),
      create: (children) =>
        create(graph, access, { media_type: "CAROUSEL", children: children.join(","), ...captionForm(text) })
    }
  }
  return {
    ...shared,
    parts: [],
    create: () =>
      Effect.flatMap(Effect.forEach(media.slice(0, 1), fileForm), ([file = {}]) =>
        create(graph, access, { ...singleForm(publication), ...file })
      )
  }
}
