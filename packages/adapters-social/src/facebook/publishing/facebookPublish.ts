import { OutcomeUnknown } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type {
  NetworkPublish,
  PublicationLook,
  UncertainPublication
} from "@loopbox/core/networks/publishing/NetworkPublish"
import type { Publication, Published } from "@loopbox/core/networks/publishing/Publication"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { GraphApi } from "../../meta/graphApi.ts"
import { deleted } from "../../meta/publishing/deleted.ts"
import { publishing } from "../../meta/publishing/publishing.ts"
import { Id, OptionalFlag, OptionalText, reader } from "../../payloads/payload.ts"
import { isOver } from "@loopbox/core/networks/publishing/onlyMatch"
import { linkOf } from "../../publishing/preparation.ts"
import { facebookKinds } from "../facebookKinds.ts"
import { matchPost, postsAfter } from "./facebookPosts.ts"
import { facebookRules } from "./facebookRules.ts"
import { facebookUploads, uploadsOf } from "./facebookUploads.ts"
import { readVideoState, wholeAddress } from "./facebookVideo.ts"

const readId = reader(Schema.Struct({ id: Id }))
const readSuccess = reader(Schema.Struct({ success: OptionalFlag }))
const readAddress = reader(Schema.Struct({ permalink_url: OptionalText }))

type Form = Readonly<Record<string, string>>

const words = (name: string, text: string): Form => (text === "" ? {} : { [name]: text })

/** When a reel is looked at after it was told to be published; a look-up goes on from there. */
const looks = ["2 seconds", "4 seconds"] as const

const nothing: PublicationLook = { _tag: "Nothing" }

/** How Pages publish: photos and reels are put up first, which shows nothing, and then there is one call. */
export const facebookPublish = (graph: GraphApi, appId: string | undefined): NetworkPublish => {
  const prepare = facebookUploads(graph)
  const write = <A>(
    access: AccountAccess,
    edge: string,
    form: Form,
    read: (value: unknown) => Result.Result<A, string>
  ) => graph.write({ access, ...facebookKinds.publishing, path: [access.networkAccountId, edge] }, { form }, read)

  const publishPost = (access: AccountAccess, { options, text }: Publication, photos: ReadonlyArray<string>) => {
    const link = options.values["link"]
    const attached = photos.map((id, i) => [`attached_media[${i}]`, JSON.stringify({ media_fbid: id })] as const)
    const form = {
      ...words("message", text),
      ...(typeof link === "string" ? { link } : {}),
      ...Object.fromEntries(attached)
    }
    return Effect.map(write(access, "feed", form, readId), ({ id }): Published => ({
      externalId: id,
      url: wholeAddress(`/${id}`),
      postIds: [id]
    }))
  }

  const titled = ({ options }: Publication): Form => {
    const title = options.values["title"]
    return typeof title === "string" ? { title } : {}
  }

  const publishVideo = Effect.fnUntraced(function* (access: AccountAccess, publication: Publication) {
    const links = yield* Effect.forEach(publication.media.slice(0, 1), (media) => linkOf("facebook", media))
    const form = { ...words("description", publication.text), ...titled(publication), file_url: links.join("") }
    const { id } = yield* write(access, "videos", form, readId)
    const published: Published = { externalId: id, url: Option.none(), postIds: [id] }
    return published
  })

  /** A reel is there when its status says so: what Facebook takes may stay where it is (E8, E9). */
  const publishReel = Effect.fnUntraced(function* (
    access: AccountAccess,
    publication: Publication,
    video_id: string
  ): Effect.fn.Return<Published, WriteFailed> {
    const form = {
      upload_phase: "finish",
      video_id,
      video_state: "PUBLISHED",
      ...words("description", publication.text),
      ...titled(publication)
    }
    yield* write(access, "video_reels", form, readSuccess)
    for (const pause of looks) {
      yield* Effect.sleep(pause)
      const state = yield* Effect.option(readVideoState(graph, access, video_id))
      if (Option.isSome(state) && state.value.progress === "published") return state.value.published
    }
    return yield* new OutcomeUnknown({
      network: "facebook",
      networkCode: Option.none(),
      detail: "the reel was taken and is not shown yet"
    })
  })

  const findReel = Effect.fnUntraced(function* (
    access: AccountAccess,
    uncertain: UncertainPublication,
    id: string
  ): Effect.fn.Return<PublicationLook, ReadFailed> {
    const { progress, published } = yield* readVideoState(graph, access, id)
    if (progress === "published") return { _tag: "Found", published }
    if (progress === "failed") return { _tag: "Void" }
    return progress === "waiting" && isOver(uncertain, yield* DateTime.now) ? { _tag: "NotPublished" } : nothing
  })

  const findPost = (access: AccountAccess, uncertain: UncertainPublication, photos: ReadonlyArray<string>) =>
    Effect.map(postsAfter(graph, access, uncertain), (posts) =>
      Option.match(matchPost(uncertain, photos, appId, posts), {
        onNone: () => nothing,
        onSome: ({ id, targets, url }): PublicationLook => {
          const video = uncertain.publication.kind === "video" ? targets[0] : undefined
          const postIds = video === undefined ? [id] : [video, id]
          return { _tag: "Found", published: { externalId: video ?? id, url, postIds } }
        }
      })
    )

  return {
    ...facebookRules,
    // Facebook tells no quota of posts.
    quota: () => Effect.succeedNone,
    prepare: Effect.fn("FacebookPublish.prepare")((access, publication, preparation) =>
      prepare(access, publication, uploadsOf(preparation))
    ),
    publish: Effect.fn("FacebookPublish.publish")((access, publication, preparation) => {
      const { photos, reel } = uploadsOf(Option.some(preparation))
      if (reel !== null) return publishing(publishReel(access, publication, reel.id))
      return publishing(
        publication.kind === "video" ? publishVideo(access, publication) : publishPost(access, publication, photos)
      )
    }),
    find: Effect.fn("FacebookPublish.find")((access, uncertain) => {
      const { photos, reel } = uploadsOf(Option.some(uncertain.preparation))
      return reel === null ? findPost(access, uncertain, photos) : findReel(access, uncertain, reel.id)
    }),
    details: Effect.fn("FacebookPublish.details")((access, id) =>
      id.includes("_")
        ? graph.readObject({ access, ...facebookKinds.posts, id, fields: "permalink_url" }, (value) =>
            Result.map(readAddress(value), ({ permalink_url }) => ({
              externalId: id,
              url: Option.flatMap(permalink_url, wholeAddress),
              postIds: [id]
            }))
          )
        : Effect.map(readVideoState(graph, access, id), ({ published }) => published)
    ),
    remove: (access) =>
      Option.some(
        Effect.fn("FacebookPublish.remove")((id: string) => deleted(graph, { access, ...facebookKinds.publishing }, id))
      )
  }
}
