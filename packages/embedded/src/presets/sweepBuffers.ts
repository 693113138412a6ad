import { makeSweep } from "@loopbox/adapters-http/server/edge/bodyChunks"
import type { BlobStore } from "@loopbox/core/media/BlobStore"
import * as Stream from "effect/Stream"

/** Bounds the memory of media on their way: a file of 50 MB comes in a thousand buffers. */
export const sweepBuffers = (store: BlobStore["Service"]): BlobStore["Service"] => {
  const sweep = makeSweep()
  return {
    ...store,
    write: (key, bytes) => store.write(key, Stream.map(bytes, sweep)),
    read: (key, range) => Stream.map(store.read(key, range), sweep)
  }
}
