import * as S3BlobStore from "@loopbox/adapters-blobs/s3/S3BlobStore"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createHash } from "node:crypto"
import { sweepBuffers } from "./sweepBuffers.ts"

/** Files of a bucket. */
export const layer = (options: Omit<S3BlobStore.S3BlobStoreOptions, "createSha256">) =>
  Layer.effect(BlobStore, Effect.map(BlobStore, sweepBuffers)).pipe(
    Layer.provide(S3BlobStore.layer({ ...options, createSha256: () => createHash("sha256") }))
  )
