import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
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

/** For a process from which no network can load files: a post, or a reply with a file, that needs it is refused. */
export const noMediaLinks: MediaLinks["Service"] = {
  linkTo: () => Effect.die(new Error("no network can load files from this process")),
  isReachableBy: () => false
}
