/** Bytes after which the buffers that they came in are collected. */
const step_bytes = 8_000_000

/**
 * Has the young generation swept after each 8 MB that pass; gives each chunk on. Bodies come in buffers outside of V8's heap, of which V8 sees
 * small objects only: left alone it collects them after some 80 MB.
 */
export const makeSweep = (): ((chunk: Uint8Array) => Uint8Array) => {
  let passed_bytes = 0
  return (chunk) => {
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
 * Gives the memory of a chunk back at once, for one that nobody reads any more. What was kept for some seconds is collected
 * only by a full collection, which V8 puts off. A small chunk may share its memory with others, and stays.
 */
export const freeChunk = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
