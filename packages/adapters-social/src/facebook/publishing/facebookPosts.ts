import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { UncertainPublication } from "@loopbox/core/networks/publishing/NetworkPublish"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { GraphApi } from "../../meta/graphApi.ts"
import { readGraphPage } from "../../meta/graphPage.ts"
import {
  Id,
  OptionalId,
  OptionalLink,
  OptionalName,
  optionalPart,
  optionalParts,
  OptionalText,
  OptionalTime,
  reader
} from "../../payloads/payload.ts"
import { onlyMatch, postsSince } from "@loopbox/core/networks/publishing/onlyMatch"
import type { OwnPost } from "@loopbox/core/networks/publishing/onlyMatch"
import { facebookKinds } from "../facebookKinds.ts"

const Target = Schema.Struct({ target: optionalPart(Schema.Struct({ id: OptionalId })) })
const Attachment = Schema.Struct({
  ...Target.fields,
  media_type: OptionalName,
  subattachments: optionalPart(Schema.Struct({ data: optionalParts(Target) }))
})

const readPost = reader(
  Schema.Struct({
    id: Id,
    message: OptionalText,
    created_time: OptionalTime,
    permalink_url: OptionalLink,
    application: optionalPart(Schema.Struct({ id: OptionalId })),
    attachments: optionalPart(Schema.Struct({ data: optionalParts(Attachment) }))
  })
)

const fields =
  "id,message,created_time,permalink_url,application{id},attachments{media_type,target{id},subattachments{target{id}}}"
const newestPosts = 50

/** A post of the Page. */
export interface PagePost extends OwnPost {
  /** Photos and videos that it shows. */
  readonly targets: ReadonlyArray<string>
  readonly hasVideo: boolean
  /** Which app made it. */
  readonly appId: Option.Option<string>
}

const targetIn = ({ target }: typeof Target.Type): ReadonlyArray<string> =>
  Option.toArray(Option.flatMap(target, ({ id }) => id))

const asPost = (element: unknown): ReadonlyArray<PagePost> => {
  const read = readPost(element)
  if (Result.isFailure(read)) return []
  const { application, attachments, created_time, id, message, permalink_url } = read.success
  const shown = Option.match(attachments, { onNone: () => [], onSome: ({ data }) => data })
  return [
    {
      id,
      text: Option.getOrElse(message, () => ""),
      at: created_time,
      url: permalink_url,
      appId: Option.flatMap(application, ({ id }) => id),
      hasVideo: shown.some(({ media_type }) => Option.exists(media_type, (type) => type.startsWith("video"))),
      targets: shown.flatMap((one) => [
        ...targetIn(one),
        ...Option.match(one.subattachments, { onNone: () => [], onSome: ({ data }) => data.flatMap(targetIn) })
      ])
    }
  ]
}

/** The Page's posts since shortly before an uncertain attempt. */
export const postsAfter = (
  graph: GraphApi,
  access: AccountAccess,
  uncertain: UncertainPublication
): Effect.Effect<ReadonlyArray<PagePost>, ReadFailed> =>
  graph.read(
    {
      access,
      ...facebookKinds.posts,
      path: [access.networkAccountId, "published_posts"],
      query: {
        fields,
        limit: String(newestPosts),
        since: String(Math.floor(DateTime.toEpochMillis(postsSince(uncertain)) / 1000))
      }
    },
    (body) => Result.map(readGraphPage(body), ({ elements }) => elements.flatMap(asPost))
  )

/**
 * The post that an uncertain publication must be: the one that shows its photos, or else the only one with its words
 * that our app made. Without words nothing but the app's name tells it from what a person posted by hand.
 */
export const matchPost = (
  uncertain: UncertainPublication,
  photos: ReadonlyArray<string>,
  appId: string | undefined,
  posts: ReadonlyArray<PagePost>
): Option.Option<PagePost> => {
  const showing = posts.filter(({ targets }) => targets.some((id) => photos.includes(id)))
  if (photos.length > 0 && showing.length > 0) {
    return showing.length === 1 ? Option.fromUndefinedOr(showing[0]) : Option.none()
  }
  const isVideo = uncertain.publication.kind === "video"
  const hasWords = uncertain.publication.text.trim() !== ""
  const isByUs = ({ appId: by }: PagePost) =>
    hasWords ? appId === undefined || Option.isNone(by) || by.value === appId : Option.contains(by, appId)
  // One that shows something shows other photos than ours.
  const showsOthers = ({ targets }: PagePost) => photos.length > 0 && targets.length > 0
  const isOurs = (post: PagePost) => post.hasVideo === isVideo && isByUs(post) && !showsOthers(post)
  // Known ids of a video are its own, not its post's.
  const isUnknown = ({ targets }: PagePost) => !targets.some((id) => uncertain.knownIds.has(id))
  return onlyMatch(
    uncertain,
    posts.filter((post) => isOurs(post) && isUnknown(post))
  )
}
