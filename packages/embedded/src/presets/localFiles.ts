import * as FileBlobStore from "@loopbox/adapters-blobs/files/FileBlobStore"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { createHash } from "node:crypto"
import { isProcessGone, processName } from "./processName.ts"
import { sweepBuffers } from "./sweepBuffers.ts"

/** Files of a folder that processes share, whose half-written ones carry this process's name. */
export const layer = (folder: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const layerFiles = FileBlobStore.layer({
        folder,
        createSha256: () => createHash("sha256"),
        writer: yield* processName,
        isWriterGone: (name) => Effect.provideService(isProcessGone(name), FileSystem.FileSystem, fs)
      })
      return Layer.effect(BlobStore, Effect.map(BlobStore, sweepBuffers)).pipe(Layer.provide(layerFiles))
    })
  )
