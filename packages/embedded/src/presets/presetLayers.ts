import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as ImageSizes from "@loopbox/adapters-blobs/pictures/ImageSizes"
import * as MusicMetadata from "@loopbox/adapters-blobs/tracks/MusicMetadata"
import { FfmpegEncoder, packagesOf } from "@loopbox/adapters-ffmpeg"
import * as DashboardTokens from "@loopbox/adapters-http/server/access/dashboardTokens"
import { HttpSettings } from "@loopbox/adapters-http/server/system/HttpSettings"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import * as MemoryBlobStore from "@loopbox/adapters-memory/MemoryBlobStore"
import * as MemoryCredentialVault from "@loopbox/adapters-memory/MemoryCredentialVault"
import { PgAdapters, PgClock, PgCredentialVault, Pools } from "@loopbox/adapters-postgres"
import * as PooledRandom from "@loopbox/core/kernel/pooledRandom"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { requestAddress } from "../mounts/requestAddress.ts"
import { blobStore } from "../ports/blobs.ts"
import { isS3Address, readS3Address } from "./s3Address.ts"
import { layerIdentify } from "../ports/identity.ts"
import { layerPlans } from "../ports/plans.ts"
import * as bucketFiles from "./bucketFiles.ts"
import { databaseUnavailable } from "./DatabaseUnavailable.ts"
import { findSecretKeys } from "./findSecretKeys.ts"
import { judgeOptions } from "./judgeOptions.ts"
import { layerLinks } from "./layerLinks.ts"
import { layerLive, layerSandbox } from "./layerNetworks.ts"
import * as localFiles from "./localFiles.ts"
import type { LoopboxOptions } from "./LoopboxOptions.ts"
import { cannotOpen, cannotUse, makeDataFolder } from "./makeDataFolder.ts"
import { OptionsInvalid } from "./OptionsInvalid.ts"
import type { SecretKeys } from "./secretKeys.ts"
import { signingKeys } from "./signingKeys.ts"
import { WorkerPlace } from "./WorkerPlace.ts"

/** Node's own digest: WebCrypto's goes through the thread pool, which costs more than the hash of a key. */
const layerCrypto = Layer.mergeAll(PooledRandom.layer, NodeCrypto.layerDigest)

const layerStores = (options: LoopboxOptions, keys: Redacted.Redacted<SecretKeys>) => {
  const { data, databaseUrl, listenerUrl } = options
  if (databaseUrl === undefined && data === undefined) {
    return Layer.merge(MemoryAdapters.layerStores, MemoryCredentialVault.layer)
  }
  const stores =
    databaseUrl === undefined
      ? PgAdapters.layerEmbedded({ folder: join(data ?? "", "database") })
      : PgAdapters.layer({
          url: Redacted.make(databaseUrl),
          listenerUrl: listenerUrl === undefined ? undefined : Redacted.make(listenerUrl)
        })
  const opened = PgClock.layer().pipe(
    Layer.provideMerge(stores),
    Layer.catchTag("SqlError", (error) => Layer.effectContext(Effect.fail(databaseUnavailable(options)(error)))),
    Layer.catchTag("EmbeddedPostgresError", (error) => Layer.effectContext(Effect.fail(cannotOpen(error))))
  )
  return Layer.merge(opened, PgCredentialVault.layer(keys))
}

/** Of an address that was judged. Credentials are looked for where AWS' own tools look. */
const layerS3 = (address: string) =>
  Layer.unwrap(Effect.map(Effect.orDie(Effect.fromResult(readS3Address(address))), bucketFiles.layer))

const layerBlobs = ({ blobs, data, timeouts = {} }: LoopboxOptions) => {
  if (typeof blobs === "object") return blobStore(blobs, { timeout: timeouts.blobs })
  if (blobs !== undefined && isS3Address(blobs)) return layerS3(blobs)
  const folder = blobs ?? (data === undefined ? undefined : join(data, "blobs"))
  if (folder === undefined) return MemoryBlobStore.layer
  const failure = cannotUse(blobs === undefined ? "data" : "blobs", folder)
  return Layer.catchTag(localFiles.layer(folder), "StoreUnavailable", (error) =>
    Layer.effect(BlobStore, Effect.fail(failure(error)))
  )
}

const layerEncoder = ({ data, databaseUrl, ffmpeg = true, workers = true }: LoopboxOptions) =>
  ffmpeg === false || !workers
    ? Layer.empty
    : FfmpegEncoder.layer({
        ffmpeg: typeof ffmpeg === "string" ? ffmpeg : undefined,
        // An ffmpeg of 2018 is for trying out, not for what customers send.
        allowFallback: databaseUrl === undefined,
        resolvePackage: packagesOf(import.meta.url),
        scratch: data === undefined ? join(tmpdir(), "loopbox-scratch") : join(data, "scratch")
      })

const layerNetworks = ({ networks = "none", publicUrl }: LoopboxOptions) => {
  if (networks === "none") return Layer.empty
  if (networks === "sandbox") return layerSandbox(publicUrl)
  return layerLive(networks === "live" ? {} : networks, publicUrl)
}

const layerIdentity = ({ identity, timeouts = {} }: LoopboxOptions): Layer.Layer<never> => {
  if (identity === undefined) return Layer.empty
  return typeof identity === "function"
    ? layerIdentify(identity, { timeout: timeouts.identity })
    : DashboardTokens.layerJwks(identity)
}

const layerSettings = ({ api = {}, publicUrl }: LoopboxOptions, keys: Redacted.Redacted<SecretKeys>) =>
  Layer.unwrap(
    Effect.map(signingKeys(keys), (signing) =>
      HttpSettings.layer({
        ...signing,
        publicUrl: publicUrl ?? requestAddress,
        adminToken: api.adminToken === undefined ? undefined : Redacted.make(api.adminToken),
        corsOrigins: api.corsOrigins,
        rateLimit: api.rateLimit
      })
    )
  )

const layerWorkers = ({ workers = true }: LoopboxOptions) =>
  Layer.succeed(WorkerPlace, { isHere: workers, around: Pools.layerWorkers })

/** What plain options come to. Fails with `OptionsInvalid`, which names all of them that cannot work. */
export const presetLayers = (options: LoopboxOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const problems = judgeOptions(options)
      if (problems.length > 0) return yield* new OptionsInvalid({ problems })
      yield* makeDataFolder(options)
      const keys = yield* findSecretKeys(options)
      return Layer.mergeAll(
        layerStores(options, keys),
        layerBlobs(options),
        layerEncoder(options),
        layerNetworks(options),
        layerIdentity(options),
        layerWorkers(options),
        layerPlans(options.plans ?? {}),
        Layer.provideMerge(layerLinks(options.publicUrl), layerSettings(options, keys)),
        Layer.merge(ImageSizes.layer, MusicMetadata.layer)
      )
    })
  ).pipe(Layer.provideMerge(layerCrypto), Layer.provide(NodeServices.layer))
