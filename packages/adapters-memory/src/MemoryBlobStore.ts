import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Digest, sha256 } from "effect/crypto/Digest"
import { BlobMissing, BlobStore } from "@loopbox/core/media/BlobStore"

interface Blob {
  readonly bytes: Uint8Array
  readonly writtenAt: DateTime.Utc
}

const joined = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** Chunk size of reads, so that other fibers run between two chunks. */
const chunkSize = 256 * 1024

function* chunked(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
}

/** Bytes in the memory of this process: for tests, and for small files that may be lost. */
export const layer: Layer.Layer<BlobStore, never, Digest> = Layer.effect(
  BlobStore,
  Effect.gen(function* () {
    const digest = yield* Digest
    const blobs = new Map<string, Blob>()
    return BlobStore.of({
      write: Effect.fnUntraced(function* (key, stream) {
        const bytes = joined(yield* Stream.runCollect(stream))
        const hash = yield* digest.digestHex(sha256, bytes)
        blobs.set(key, { bytes, writtenAt: yield* DateTime.now })
        return { sizeBytes: bytes.length, sha256: hash }
      }),
      adopt: Option.none(),
      read: (key, range) =>
        Stream.suspend(() => {
          const blob = blobs.get(key)
          if (blob === undefined) return Stream.fail(new BlobMissing({ key }))
          const from = range?.offset ?? 0
          return Stream.fromIterable(chunked(blob.bytes.subarray(from, from + (range?.length ?? blob.bytes.length))))
        }),
      size: (key) => Effect.sync(() => Option.map(Option.fromUndefinedOr(blobs.get(key)), ({ bytes }) => bytes.length)),
      remove: (key) => Effect.sync(() => void blobs.delete(key)),
      removeAll: (workspaceId) =>
        Effect.sync(() => {
          for (const key of blobs.keys()) if (key.startsWith(`${workspaceId}/`)) blobs.delete(key)
        }),
      listOlder: (before) =>
        Stream.suspend(() =>
          Stream.fromIterable(
            Array.from(blobs)
              .filter(([, { writtenAt }]) => DateTime.isLessThan(writtenAt, before))
              .map(([key]) => key)
          )
        ),
      removeAbandoned: Effect.void,
      probe: Effect.succeed("in memory")
    })
  })
)
