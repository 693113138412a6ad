import { MediaLinks } from "@loopbox/core/media/MediaLinks"
import type { Network } from "@loopbox/core/networks/Source"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MediaLinks as SignedLinks } from "./linkSigning.ts"

/**
 * Addresses from which networks load files: signed `download_url`s, which answer HEAD and ranges without cookies or
 * redirects.
 *
 * @param isReachableBy whether a network can load from the host's public address
 */
export const layer = (isReachableBy: (network: Network) => boolean): Layer.Layer<MediaLinks, never, SignedLinks> =>
  Layer.effect(
    MediaLinks,
    Effect.map(SignedLinks, (links) =>
      MediaLinks.of({
        linkTo: Effect.fn("NetworkLinks.linkTo")(function* (media) {
          return yield* links.sign("download", media.id, DateTime.add(yield* DateTime.now, { hours: 24 }))
        }),
        isReachableBy
      })
    )
  )
