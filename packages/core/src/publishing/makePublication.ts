import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { MediaId } from "../kernel/Ids.ts"
import type { ReadyMedia } from "../media/Media.ts"
import type { NetworkPublish } from "../networks/publishing/NetworkPublish.ts"
import type { Publication, PublishMedia } from "../networks/publishing/Publication.ts"
import { PreparationFailed } from "../networks/publishing/PublishErrors.ts"
import { mediaShape } from "../posts/judging/mediaShape.ts"
import type { Post } from "../posts/Post.ts"
import { mediaIdsOf, textOf } from "../posts/PostInput.ts"
import type { PostTarget } from "../posts/PostTarget.ts"
import type { PublishPorts } from "./publishPorts.ts"
import { networkOf } from "./publishMetrics.ts"

/** A file that was there when the post was accepted: another try would not find it. */
const gone = (target: PostTarget, id: MediaId) =>
  new PreparationFailed({
    network: networkOf(target),
    code: "media_rejected",
    networkCode: Option.none(),
    detail: `the file ${id} is gone`,
    again: "never"
  })

const toPublishMedia = (ports: PublishPorts, target: PostTarget, media: ReadyMedia): PublishMedia => ({
  ...mediaShape(media),
  altText: Option.fromUndefinedOr(target.options.altTexts[media.id]),
  link: ports.links.linkTo(media),
  read: (range) =>
    ports.library
      .read(media, range)
      .pipe(Stream.mapError(() => ports.unavailable(target, "the bytes of a file can't be read")))
})

const findMedia = Effect.fnUntraced(function* (ports: PublishPorts, target: PostTarget, id: MediaId) {
  const absent = () => gone(target, id)
  const find = Effect.gen(function* () {
    const media = yield* ports.library.find(target.workspaceId, id)
    return media._tag === "ReadyMedia" ? yield* ports.library.examined(media) : yield* gone(target, id)
  })
  const media = yield* find.pipe(
    Effect.catchTags({
      MediaNotFound: absent,
      BlobMissing: absent,
      StoreUnavailable: ports.storeAway(target)
    })
  )
  return toPublishMedia(ports, target, media)
})

/** The target as input of its connector, as what it was judged. */
export const makePublication = Effect.fnUntraced(function* (
  ports: PublishPorts,
  publish: NetworkPublish,
  post: Post,
  target: PostTarget
) {
  const text = textOf(post, target)
  const media = yield* Effect.forEach(mediaIdsOf(post, target), (id) => findMedia(ports, target, id))
  const { options } = target
  const publication: Publication = {
    kind: publish.choose({ text, media, options }).kind,
    text,
    media,
    options,
    operationId: target.id
  }
  return publication
})
