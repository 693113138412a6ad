import { layerMac } from "@loopbox/adapters-http/node/nodeMac"
import { MediaLinks as SignedLinks } from "@loopbox/adapters-http/server/media/linkSigning"
import * as NetworkLinks from "@loopbox/adapters-http/server/media/NetworkLinks"
import { Signer } from "@loopbox/adapters-http/server/media/Signer"
import { HttpSettings } from "@loopbox/adapters-http/server/system/HttpSettings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { HostConfig } from "./hostConfig.ts"
import type { HostSecrets } from "./hostSecrets.ts"
import { isLoopback } from "./publicAddress.ts"
import { signingKeys } from "@loopbox/embedded/presets/signingKeys"

/**
 * Whether a network can load files from here: simulated ones and those at an address of this machine always, live ones
 * unless the public address is this machine's own.
 */
export const isReachableBy = ({
  baseUrls,
  host,
  networks,
  publicUrl
}: Pick<HostConfig, "baseUrls" | "host" | "networks" | "publicUrl">) => {
  const own = Option.getOrElse(publicUrl, () => `http://${host.includes(":") ? `[${host}]` : host}`)
  const isEverywhere = networks === "sandbox" || !isLoopback(own)
  const beside = new Set(
    Object.entries(baseUrls).flatMap(([network, url]) => (url !== undefined && isLoopback(url) ? [network] : []))
  )
  return (network: string): boolean => isEverywhere || beside.has(network)
}

/**
 * What is wrong with the links of a process that publishes, if they are guessed: a worker has no address of its own.
 * Those that also answer requests refuse such posts with `PUBLIC_URL_REQUIRED`.
 */
export const guessedLinks = ({ networks, publicUrl, role }: Pick<HostConfig, "networks" | "publicUrl" | "role">) =>
  role === "worker" && networks === "live" && Option.isNone(publicUrl)
    ? Option.some(
        "LOOPBOX_PUBLIC_URL is not set, and a worker has no address of its own: networks that load files by a link " +
          "(Instagram, Threads; of replies Facebook, too) can't load those that this worker publishes or sends, which fail. Set it to where the " +
          "networks reach the processes that answer requests, the same for all processes."
      )
    : Option.none<string>()

/**
 * Addresses of files for networks.
 *
 * @param address the public address, known once the host listens
 */
export const layerNetworkLinks = (config: HostConfig, secrets: HostSecrets, address: Effect.Effect<string>) =>
  NetworkLinks.layer(isReachableBy(config)).pipe(
    Layer.provide(SignedLinks.layer),
    Layer.provide(Signer.layer),
    Layer.provide(
      Layer.unwrap(Effect.map(signingKeys(secrets.keys), (keys) => HttpSettings.layer({ publicUrl: address, ...keys })))
    ),
    Layer.provide(layerMac)
  )
