import { layerMac } from "@loopbox/adapters-http/node/nodeMac"
import { MediaLinks as SignedLinks } from "@loopbox/adapters-http/server/media/linkSigning"
import * as NetworkLinks from "@loopbox/adapters-http/server/media/NetworkLinks"
import { Signer } from "@loopbox/adapters-http/server/media/Signer"
import * as Layer from "effect/Layer"

/** Addresses from which networks load files; without a public URL there are none that they could reach. */
export const layerLinks = (publicUrl: string | undefined) =>
  publicUrl === undefined
    ? Layer.empty
    : NetworkLinks.layer(() => true).pipe(
        Layer.provide(SignedLinks.layer),
        Layer.provide(Signer.layer),
        Layer.provide(layerMac)
      )
