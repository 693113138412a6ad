import type { Blobs } from "../../src/ports/blobs.ts"

/** Files in a Map: what a store of one's own comes to. */
export const mapBlobs = (map = new Map<string, { bytes: Uint8Array; writtenAt: Date }>()): Blobs => ({
  put: async (key, bytes) => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of bytes) chunks.push(chunk)
    map.set(key, { bytes: new Uint8Array(Buffer.concat(chunks)), writtenAt: new Date() })
  },
  get: async (key, range) => {
    const found = map.get(key)
    if (found === undefined) return null
    return range === undefined ? found.bytes : found.bytes.subarray(range.offset, range.offset + range.length)
  },
  size: async (key) => map.get(key)?.bytes.length ?? null,
  remove: async (key) => {
    map.delete(key)
  },
  list: async function* (prefix) {
    for (const [key, { writtenAt }] of map) if (key.startsWith(prefix)) yield { key, writtenAt }
  }
})
