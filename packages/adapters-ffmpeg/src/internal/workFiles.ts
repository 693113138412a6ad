import { createReadStream } from "node:fs"
import { open, stat, writeFile } from "node:fs/promises"
import { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import type { ByteRange } from "@loopbox/core/encoding/EncodedVideo"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** The files of one work. */

/** The failure of something that a file system does. */
export const machineFailed = (what: string) => (cause: unknown) =>
  new EncodeFailed({ reason: "MachineFailed", detail: `${what}: ${String(cause)}` })

/** An open file, closed with the scope. */
export const opened = (path: string, flags: "r" | "r+" | "w", catchOpen: (cause: unknown) => EncodeFailed) =>
  Effect.acquireRelease(Effect.tryPromise({ try: () => open(path, flags), catch: catchOpen }), (file) =>
    Effect.tryPromise(() => file.close()).pipe(Effect.ignore)
  )

/** Writes a stream to a new file. The stream's own failure stays what it is. */
export const writeStream = Effect.fnUntraced(function* <E>(path: string, bytes: Stream.Stream<Uint8Array, E>) {
  const catchWrite = machineFailed("an input could not be written")
  const file = yield* opened(path, "w", catchWrite)
  yield* Stream.runForEachArray(bytes, (chunks) =>
    Effect.tryPromise({
      // One write for all chunks that are at hand; a lone one is not copied.
      try: () => file.writeFile(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)),
      catch: catchWrite
    })
  )
}, Effect.scoped)

export const writeText = (path: string, text: string): Effect.Effect<void, EncodeFailed> =>
  Effect.tryPromise({ try: () => writeFile(path, text), catch: machineFailed("the list could not be written") })

const catchRead = machineFailed("a file could not be read")

export const lengthOf = (path: string): Effect.Effect<number, EncodeFailed> =>
  Effect.tryPromise({ try: () => stat(path).then(({ size }) => size), catch: catchRead })

/** A part of a file in memory, fewer bytes if the file is shorter. */
export const readPart = Effect.fnUntraced(function* (path: string, range: { offset: number; length: number }) {
  const file = yield* opened(path, "r", catchRead)
  return yield* Effect.tryPromise({
    try: async () => {
      const { size } = await file.stat()
      const part = new Uint8Array(Math.max(0, Math.min(range.length, size - range.offset)))
      const { bytesRead } = await file.read(part, 0, part.length, range.offset)
      return part.subarray(0, bytesRead)
    },
    catch: catchRead
  })
}, Effect.scoped)

/** The bytes of a file, or a range of them. */
export const readBytes = (path: string, range: ByteRange = { offset: 0 }): Stream.Stream<Uint8Array, EncodeFailed> => {
  const { length, offset } = range
  if (length === 0) return Stream.empty
  return Stream.suspend(() =>
    Stream.fromAsyncIterable<Uint8Array, EncodeFailed>(
      createReadStream(path, { start: offset, ...(length === undefined ? {} : { end: offset + length - 1 }) }),
      catchRead
    )
  )
}
