import { layerNetworks } from "../fixtures/networks.ts"
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { Digest, SecureRandom } from "effect/crypto"
import { Access } from "@loopbox/core/access/Access"
import { Administration } from "@loopbox/core/access/Administration"
import { Conversions } from "@loopbox/core/conversions/Conversions"
import { layerStores } from "@loopbox/adapters-memory/MemoryAdapters"
import * as MemoryBlobStore from "@loopbox/adapters-memory/MemoryBlobStore"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { Connectors } from "@loopbox/core/networks/Connectors"
import { noNetworks } from "@loopbox/core/networks/noNetworks"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { Overlays } from "@loopbox/core/overlays/Overlays"
import { noise } from "../fakes/gifSamples.ts"

const hash = (name: string, data: Uint8Array) => createHash(name.replace("-", "").toLowerCase()).update(data)

/**
 * Synchronous hashes: Web Crypto runs in another thread, independent of the test clock, so a test that moves the clock
 * would race with it.
 */
export const layerDigest = Layer.succeed(
  Digest.Digest,
  Digest.Digest.of({
    digest: ({ name }, data) => Effect.sync(() => Uint8Array.from(hash(name, data).digest())),
    digestHex: ({ name }, data) => Effect.sync(() => hash(name, data).digest("hex"))
  })
)

/** Pseudo-random bytes; the same for the same seed. */
export const layerSeededRandom = (seed: number) =>
  Layer.sync(SecureRandom.SecureRandom, () => {
    const next = noise(seed)
    return SecureRandom.make((size) => Uint8Array.from({ length: size }, next))
  })

const layerQuiet = Logger.layer([])

/** No networks; tests that need some merge scripted ones after it. */
const layerNoNetworks = Layer.succeed(Connectors, noNetworks)

/** Memory adapters with their state, for tests that check what no port returns. */
export const memoryWith = (random: Layer.Layer<SecureRandom.SecureRandom>) =>
  Layer.mergeAll(layerStores, MemoryState.layer, MemoryBlobStore.layer, layerNoNetworks).pipe(
    Layer.provideMerge(Layer.mergeAll(layerDigest, random, layerQuiet, layerNetworks))
  )

/** Every driving service. */
export const layerServices = Layer.mergeAll(
  Access.layer,
  Administration.layer({ keyMode: "live" }),
  MediaLibrary.layer,
  Conversions.layer,
  Overlays.layer
)

export const memory = memoryWith(SecureRandom.layerWebCrypto)

/** The whole of core in memory, separate for each test. */
export const layerTest = layerServices.pipe(Layer.provideMerge(memory))
