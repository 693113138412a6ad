import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { BlobRange } from "../BlobStore.ts"
import { boxesIn } from "./boxes.ts"

/** How many bytes are read at a place where a box begins. */
const window_bytes = 4096

/** How often the search reads: a whole file has a few boxes on its highest level. */
const maxReads = 64

/** Largest index that is read into memory. Hours of video need less. */
export const maxMovie_bytes = 16 * 1024 * 1024

/**
 * Finds the payload of the `moov` box of a file, wherever it lies, and reads it; the samples are not read.
 *
 * Absent if there is none among the first boxes, if it is cut off, or if it is longer than `maxMovie_bytes`. Reads at
 * most `maxReads` times, whatever the bytes are.
 *
 * @param read the bytes of a part, fewer if the file is shorter
 */
export const findMovie = Effect.fnUntraced(function* <E>(
  size_bytes: number,
  read: (range: BlobRange) => Effect.Effect<Uint8Array, E>
): Effect.fn.Return<Option.Option<Uint8Array>, E> {
  let at = 0
  for (let reads = 0; reads < maxReads && at + 8 <= size_bytes; reads++) {
    const part = yield* read({ offset: at, length: Math.min(window_bytes, size_bytes - at) })
    const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
    const boxes = boxesIn(view, 0, size_bytes - at)
    const moov = boxes.find((box) => box.type === "moov")
    if (moov !== undefined) {
      const length = moov.end - moov.start
      if (length > maxMovie_bytes || at + moov.end > size_bytes) return Option.none()
      return Option.some(yield* read({ offset: at + moov.start, length }))
    }
    // The last box may be named by bytes that lie behind the window, so the search goes on at its end.
    const last = boxes.at(-1)
    if (last === undefined) return Option.none()
    at += last.end
  }
  return Option.none()
})
