import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MediaLinks } from "@loopbox/core/media/MediaLinks"

/** Addresses that nothing answers, and a host that every network can reach. */
export const layer: Layer.Layer<MediaLinks> = Layer.succeed(
  MediaLinks,
  MediaLinks.of({
    linkTo: ({ id }) => Effect.succeed(`https://media.test/${id}`),
    isReachableBy: () => true
  })
)
