import { createHash } from "node:crypto"
import { Effect, Layer, Logger } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Access } from "../../src/access/Access.ts"
import { Administration } from "../../src/access/Administration.ts"
import { Conversions } from "../../src/conversions/Conversions.ts"
import { layerStores } from "../../src/local/MemoryAdapters.ts"
import * as MemoryBlobStore from "../../src/local/MemoryBlobStore.ts"
import { MemoryState } from "../../src/local/MemoryState.ts"
import { MediaLibrary } from "../../src/media/MediaLibrary.ts"
import { noise } from "../../src/testing/gifSamples.ts"

const hash = (name: string, data: Uint8Array) => createHash(name.replace("-", "").toLowerCase()).update(data)

/**
 * Hashes without a pause: Web Crypto answers from another thread, at a moment that no test clock knows, so a test
 * that moves the clock would race with it.
 */
export const layerDigest = Layer.succeed(
  Digest.Digest,
  Digest.Digest.of({
    digest: ({ name }, data) => Effect.sync(() => Uint8Array.from(hash(name, data).digest())),
    digestHex: ({ name }, data) => Effect.sync(() => hash(name, data).digest("hex"))
  })
)

/** The same "random" bytes for the same seed. */
export const layerSeededRandom = (seed: number) =>
  Layer.sync(SecureRandom.SecureRandom, () => {
    const next = noise(seed)
    return SecureRandom.make((size) => Uint8Array.from({ length: size }, next))
  })

const layerQuiet = Logger.layer([])

/** Memory adapters with the state beneath them, for tests that look at what no port tells. */
export const memoryWith = (random: Layer.Layer<SecureRandom.SecureRandom>) =>
  Layer.mergeAll(layerStores, MemoryState.layer, MemoryBlobStore.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(layerDigest, random, layerQuiet))
  )

/** Every driving service, over the ports that are given. */
export const layerServices = Layer.mergeAll(
  Access.layer,
  Administration.layer({ keyMode: "live" }),
  MediaLibrary.layer,
  Conversions.layer
)

export const memory = memoryWith(SecureRandom.layerWebCrypto)

/** The whole of core in memory; each test that is provided with it has its own. */
export const layerTest = layerServices.pipe(Layer.provideMerge(memory))
