import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MediaLinks } from "@loopbox/core/media/MediaLinks"
import { type PlainMedia, toPlainMedia } from "./facade/plain.ts"

/**
 * Addresses from which networks load files, for `createLoopbox`. Instagram, Threads and Facebook's pictures need them;
 * without this layer such a post, or a reply with a file, is refused with `PublicUrlRequired`.
 *
 * `linkTo` gives a public https address that serves the file for 24 hours, and answers HEAD and ranges. It must not
 * fail.
 */
export const mediaLinks = (linkTo: (media: PlainMedia) => string | Promise<string>): Layer.Layer<MediaLinks> =>
  Layer.succeed(MediaLinks, {
    linkTo: (media) => Effect.promise(async () => linkTo(toPlainMedia(media))),
    isReachableBy: () => true
  })
