import { createReadStream } from "node:fs"
import { open, writeFile } from "node:fs/promises"
import { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import type { ByteRange } from "@loopbox/core/encoding/EncodedVideo"
import { mp4HeadLength_bytes } from "@loopbox/core/conversions/mp4/readMp4"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** The files of one work. */

const machineFailed = (what: string) => (cause: unknown) =>
  new EncodeFailed({ reason: "MachineFailed", detail: `${what}: ${String(cause)}` })

const opened = (path: string, flags: "r" | "w", catchOpen: (cause: unknown) => EncodeFailed) =>
  Effect.acquireRelease(Effect.tryPromise({ try: () => open(path, flags), catch: catchOpen }), (file) =>
    Effect.tryPromise(() => file.close()).pipe(Effect.ignore)
  )

/** Writes a stream to a new file. The stream's own failure stays what it is. */
export const writeStream = Effect.fnUntraced(function* <E>(path: string, bytes: Stream.Stream<Uint8Array, E>) {
  const catchWrite = machineFailed("the GIF could not be written")
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

/** Length and beginning of a file. */
export const readHead = Effect.fnUntraced(function* (path: string) {
  const catchRead = machineFailed("the video could not be read")
  const file = yield* opened(path, "r", catchRead)
  return yield* Effect.tryPromise({
    try: async () => {
      const { size } = await file.stat()
      const head = new Uint8Array(Math.min(size, mp4HeadLength_bytes))
      const { bytesRead } = await file.read(head, 0, head.length, 0)
      return { size_bytes: size, head: head.subarray(0, bytesRead) }
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
      machineFailed("the video could not be read")
    )
  )
}
