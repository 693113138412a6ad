import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type {
  NetworkPublish,
  PublicationLook,
  UncertainPublication
} from "@loopbox/core/networks/publishing/NetworkPublish"
import type { Published } from "@loopbox/core/networks/publishing/Publication"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { asArray, Id, optionalPart, optionalParts, reader } from "../../payloads/payload.ts"
import { onlyMatch, postsSince } from "@loopbox/core/networks/publishing/onlyMatch"
import type { OwnPost } from "@loopbox/core/networks/publishing/onlyMatch"
import { readIncludes, readPost } from "../readPost.ts"
import { dataOf, postReader } from "../vocabulary.ts"
import { requireId } from "../XApi.ts"
import { asRefusal } from "../xErrors.ts"
import type { XApi } from "../XApi.ts"
import { permalinkOf, shownText } from "../XPost.ts"
import { xRules } from "./xRules.ts"
import { uploadsOf, xUploads } from "./xUploads.ts"

const readCreated = postReader(reader(Schema.Struct({ id: Id, edit_history_post_ids: optionalParts(Id) })))
const readKeys = reader(
  Schema.Struct({ attachments: optionalPart(Schema.Struct({ media_keys: optionalParts(Schema.String) })) })
)
const readDeleted = reader(Schema.Struct({ data: Schema.Struct({ deleted: Schema.Literal(true) }) }))

const newestPosts = "100"

/** X's documents have times without fractions. */
const wholeSeconds = (time: DateTime.Utc): string => DateTime.formatIso(time).replace(/\.\d+Z$/, "Z")

const publishedAs = ({ networkAccountId, username }: AccountAccess, id: string): Published => {
  const author = { id: Option.some(networkAccountId), name: Option.none(), username, avatarUrl: Option.none() }
  return { externalId: id, url: Option.some(permalinkOf({ id, author })), postIds: [id] }
}

interface OwnTimelinePost extends OwnPost {
  readonly mediaKeys: ReadonlyArray<string>
  readonly isAnswer: boolean
}

const postsIn = (body: unknown): ReadonlyArray<OwnTimelinePost> => {
  const content = Predicate.isObject(body) ? body : {}
  const includes = readIncludes(content["includes"])
  return asArray(content["data"]).flatMap((value) => {
    const post = readPost(value, includes)
    if (Result.isFailure(post) || post.success.isRepost) return []
    const keys = Result.match(readKeys(value), {
      onFailure: () => [],
      onSuccess: ({ attachments }) =>
        Option.match(attachments, { onNone: () => [], onSome: ({ media_keys }) => media_keys })
    })
    const { createdAt, history, repliedToId } = post.success
    return [
      {
        id: history[0],
        text: shownText(post.success),
        at: createdAt,
        url: Option.none(),
        mediaKeys: keys,
        isAnswer: Option.isSome(repliedToId)
      }
    ]
  })
}

/** Links come back with a scheme and a slash at the end, whether they were written so or not. */
const withoutSchemes = (text: string): string => text.replace(/https?:\/\//giu, "").replace(/\/(?=\s|$)/gu, "")

/** The post that this must be: by the keys of its files, which no other post has, or else by its words. */
const match = (
  uncertain: UncertainPublication,
  mediaKeys: ReadonlyArray<string>,
  posts: ReadonlyArray<OwnTimelinePost>
): Option.Option<OwnTimelinePost> => {
  if (uncertain.publication.media.length === 0) {
    return onlyMatch(
      uncertain,
      posts.filter((one) => one.mediaKeys.length === 0 && !one.isAnswer),
      withoutSchemes
    )
  }
  const own = posts.filter((one) => one.mediaKeys.some((key) => mediaKeys.includes(key)))
  return own.length === 1 ? Option.fromUndefinedOr(own[0]) : Option.none()
}

/** How X accounts publish: files are put up first, which shows nothing, and then there is one call. */
export const xPublish = (api: XApi, weightedLength: (text: string) => number): NetworkPublish => {
  const prepare = xUploads(api)
  return {
    ...xRules(weightedLength),
    // X tells what is left with each answer, and the budget of calls keeps to it.
    quota: () => Effect.succeedNone,
    prepare: Effect.fn("XPublish.prepare")((access, publication, preparation) =>
      prepare(access, publication, uploadsOf(preparation))
    ),
    publish: Effect.fn("XPublish.publish")(function* (access, { options, text }, preparation) {
      const { uploads } = uploadsOf(Option.some(preparation))
      const settings = options.values["reply_settings"]
      const json = {
        ...(text === "" ? {} : { text }),
        ...(uploads.length === 0 ? {} : { media: { media_ids: uploads.map(({ id }) => id) } }),
        ...(typeof settings === "string" ? { reply_settings: settings } : {})
      }
      const created = yield* api.write(access, { path: "/tweets", endpoint: "POST tweets", body: { json } }, (body) =>
        readCreated(dataOf(body))
      )
      return publishedAs(access, created.edit_history_post_ids[0] ?? created.id)
    }),
    find: Effect.fn("XPublish.find")(function* (access, uncertain): Effect.fn.Return<PublicationLook, ReadFailed> {
      const mediaKeys = uploadsOf(Option.some(uncertain.preparation)).uploads.flatMap(({ mediaKey }) => mediaKey ?? [])
      const posts = yield* api.read(
        access,
        {
          path: `/users/${access.networkAccountId}/tweets`,
          endpoint: "users/:id/tweets",
          query: ({ published }) => ({
            ...published,
            max_results: newestPosts,
            exclude: "retweets",
            start_time: wholeSeconds(postsSince(uncertain))
          })
        },
        (body) => Result.succeed(postsIn(body))
      )
      return Option.match(match(uncertain, mediaKeys, posts), {
        onNone: (): PublicationLook => ({ _tag: "Nothing" }),
        onSome: ({ id }) => ({ _tag: "Found", published: publishedAs(access, id) })
      })
    }),
    // X charges for each read, and the address can be made without one.
    details: (access, id) => Effect.succeed(publishedAs(access, id)),
    remove: (access) =>
      Option.some(
        Effect.fn("XPublish.remove")((id: string) =>
          requireId(id).pipe(
            Effect.andThen(api.delete(access, { path: `/tweets/${id}`, endpoint: "DELETE tweets/:id" }, readDeleted)),
            Effect.asVoid,
            Effect.catchTag("Rejected", (error) => {
              const refusal = asRefusal(error)
              return refusal.reason === "gone" ? Effect.void : Effect.fail(refusal)
            })
          )
        )
      )
  }
}
