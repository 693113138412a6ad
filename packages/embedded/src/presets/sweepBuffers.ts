import type { BlobStore } from "@loopbox/core/media/BlobStore"
import * as Stream from "effect/Stream"

/** Bytes of media after which the buffers that they came in are collected. */
const step_bytes = 8_000_000

const makeSweep = () => {
  let passed_bytes = 0
  return (chunk: Uint8Array): Uint8Array => {
    passed_bytes += chunk.length
    if (passed_bytes >= step_bytes) {
      passed_bytes = 0
      // Half a millisecond. Absent where the process was started without `--expose-gc`, which then uses more memory.
      globalThis.gc?.({ type: "minor" })
    }
    return chunk
  }
}

/**
 * Bounds the memory of media on their way. A file of 50 MB comes in a thousand buffers outside of V8's heap, of which V8
 * sees small objects only: left alone it collects them after some 80 MB.
 */
export const sweepBuffers = (store: BlobStore["Service"]): BlobStore["Service"] => {
  const sweep = makeSweep()
  return {
    ...store,
    write: (key, bytes) => store.write(key, Stream.map(bytes, sweep)),
    read: (key, range) => Stream.map(store.read(key, range), sweep)
  }
}
