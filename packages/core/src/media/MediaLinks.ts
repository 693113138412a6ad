import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Network } from "../networks/Source.ts"
import type { ReadyMedia } from "./Media.ts"

/** Port: addresses from which networks load files. */
export class MediaLinks extends Context.Service<
  MediaLinks,
  {
    /** A signed address, valid 24 hours from now. */
    readonly linkTo: (media: ReadyMedia) => Effect.Effect<string>
    /** Whether a network can load from here: not if the public address is a loopback one and the network is live. */
    readonly isReachableBy: (network: Network) => boolean
  }
>()("@loopbox/core/media/MediaLinks") {}
