import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { FfmpegEncoder, packagesOf } from "@loopbox/adapters-ffmpeg"
import { PgClock, Pools } from "@loopbox/adapters-postgres"
import * as PooledRandom from "@loopbox/core/kernel/pooledRandom"
import { Access } from "@loopbox/core/access/Access"
import { Administration } from "@loopbox/core/access/Administration"
import { Conversions } from "@loopbox/core/conversions/Conversions"
import * as ConversionWorker from "@loopbox/core/conversions/ConversionWorker"
import * as ImageSizes from "@loopbox/adapters-blobs/pictures/ImageSizes"
import * as MusicMetadata from "@loopbox/adapters-blobs/tracks/MusicMetadata"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { Overlays } from "@loopbox/core/overlays/Overlays"
import * as OverlayWorker from "@loopbox/core/overlays/OverlayWorker"
import { Posts } from "@loopbox/core/posts/Posts"
import * as PublishWorker from "@loopbox/core/publishing/PublishWorker"
import * as RetentionSweeper from "@loopbox/core/retention/RetentionSweeper"
import { Audit } from "@loopbox/core/audit/Audit"
import { ManagedUserExport } from "@loopbox/core/exporting/ManagedUserExport"
import { Usage } from "@loopbox/core/usage/Usage"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { layerBlobLinksAt, layerBlobsAt } from "./blobPlace.ts"
import * as Database from "./database.ts"
import { placesIn } from "./dataFolder.ts"
import type { HostConfig } from "./hostConfig.ts"
import type { HostSecrets } from "./hostSecrets.ts"
import { layerInboxServices, layerInboxWorkers } from "./inboxLayers.ts"
import { layerNetworkLinks } from "./networkLinks.ts"
import type { RunningSandbox } from "./sandbox.ts"

/** Node's own digest: WebCrypto's goes through the thread pool, which costs more than the hash of a key. */
const layerCrypto = Layer.mergeAll(PooledRandom.layer, NodeCrypto.layerDigest)

/** The files, wherever they lie. */
export const layerBlobs = ({ blobs, s3Key }: HostConfig) => layerBlobsAt(blobs, s3Key)

/** Where downloads may be sent to instead. */
export const layerBlobLinks = ({ blobDownloads, blobs, s3Key }: HostConfig) =>
  blobDownloads === "bucket" ? layerBlobLinksAt(blobs, s3Key) : Layer.empty

/** Database with its clock, and randomness. */
export const layerDatabase = (config: HostConfig, options: Database.OpenOptions = { migrate: true }) =>
  PgClock.layer({ testClock: config.hasTestClock }).pipe(
    Layer.provideMerge(Database.layer(config, options)),
    Layer.provideMerge(layerCrypto)
  )

/** Which ffmpeg is taken. */
export const encoderChoice = (config: HostConfig) => ({
  ffmpeg: Option.getOrUndefined(config.ffmpeg),
  // An ffmpeg of 2018 is for trying out, not for what customers send.
  allowFallback: Option.isNone(config.databaseUrl) && !config.isProduction,
  resolvePackage: packagesOf(import.meta.url)
})

export const layerEncoder = (config: HostConfig) =>
  FfmpegEncoder.layer({ ...encoderChoice(config), scratch: placesIn(config.dataFolder).scratch })

/** What answers requests. `address` is the public one, known once the host listens. */
export const layerServices = (
  config: HostConfig,
  secrets: HostSecrets,
  sandbox: Option.Option<RunningSandbox>,
  address: Effect.Effect<string>
) =>
  Layer.mergeAll(
    Administration.layer({ keyMode: config.networks === "sandbox" ? "test" : "live" }),
    Conversions.layer,
    Overlays.layer,
    Posts.layer,
    Usage.layer,
    Audit.layer,
    ManagedUserExport.layer
  ).pipe(
    Layer.provideMerge(MediaLibrary.layer.pipe(Layer.provide(Layer.mergeAll(ImageSizes.layer, MusicMetadata.layer)))),
    Layer.provideMerge(layerInboxServices(config, secrets, sandbox)),
    Layer.provideMerge(layerNetworkLinks(config, secrets, address)),
    Layer.provideMerge(Access.layer)
  )

/** How media jobs of each kind are run. */
const jobOptions = (config: HostConfig) => ({
  atOnce: config.conversionsAtOnce,
  lease: config.lease,
  processingLimit: config.processingLimit,
  drain: config.drain
})

/** What runs jobs. */
export const layerWorkers = (config: HostConfig) =>
  Layer.mergeAll(
    ConversionWorker.layer(jobOptions(config)),
    OverlayWorker.layer(jobOptions(config)),
    RetentionSweeper.layer({ every: config.sweepEvery }),
    PublishWorker.layer({ lease: config.lease }),
    layerInboxWorkers(config)
  ).pipe(Layer.provide(Pools.layerWorkers))
