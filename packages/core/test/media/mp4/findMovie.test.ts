import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as fc from "fast-check"
import { findMovie, maxMovie_bytes } from "../../../src/media/mp4/findMovie.ts"
import { box, fileType, longBox, movieHeader, toBytes, videoTrack } from "./movieBytes.ts"

const payload = [...movieHeader(4000), ...videoTrack()]
const moov = box("moov", payload)
const noise = (count: number) => Array.from({ length: count }, (_, at) => at & 255)

/** What was found in these bytes, and how often and how much was read. */
const search = (bytes: Uint8Array, size = bytes.length) => {
  const seen = { reads: 0, bytes: 0 }
  const found = findMovie(size, ({ length, offset }) =>
    Effect.sync(() => {
      assert.isTrue(offset >= 0 && length > 0 && offset + length <= size, `${offset} and ${length} of ${size}`)
      seen.reads++
      seen.bytes += length
      return bytes.subarray(offset, offset + length)
    })
  )
  return Effect.map(found, (movie) => ({ ...seen, movie: Option.map(movie, (part) => Array.from(part)) }))
}

describe("findMovie", () => {
  it.effect("finds the index in front of the samples and behind them", () =>
    Effect.gen(function* () {
      const samples = box("mdat", noise(50_000))
      const found = Option.some(payload)
      assert.deepStrictEqual((yield* search(toBytes(fileType(), moov, samples))).movie, found)
      assert.deepStrictEqual((yield* search(toBytes(fileType(), box("free", []), samples, moov))).movie, found)
      assert.deepStrictEqual((yield* search(toBytes(fileType(), longBox("mdat", noise(50_000)), moov))).movie, found)
    })
  )

  it.effect("does not read the samples", () =>
    Effect.gen(function* () {
      const { bytes, reads } = yield* search(toBytes(fileType(), box("mdat", noise(200_000)), moov))
      assert.strictEqual(reads, 3)
      assert.isBelow(bytes, 10_000)
    })
  )

  it.effect("has none of a file without index, with a cut off one, or with one that is too long", () =>
    Effect.gen(function* () {
      const none = Option.none()
      assert.deepStrictEqual((yield* search(toBytes(fileType(), box("mdat", noise(9000))))).movie, none)
      assert.deepStrictEqual((yield* search(toBytes(fileType(), moov).slice(0, -1))).movie, none)
      const long = toBytes(fileType(), [1, 0, 0, 16, ...moov.slice(4)])
      const read = yield* search(long, maxMovie_bytes * 4)
      assert.deepStrictEqual([read.movie, read.reads], [none, 1])
    })
  )

  it.effect("gives up in a file of very many boxes", () =>
    Effect.gen(function* () {
      const many = toBytes(fileType(), Array.from({ length: 70 }, () => box("mdat", noise(5000))).flat(), moov)
      const { movie, reads } = yield* search(many)
      assert.deepStrictEqual([movie, reads], [Option.none(), 64])
    })
  )

  it.effect("reads a bounded number of parts inside the file, whatever the bytes are", () =>
    Effect.sync(() =>
      fc.assert(
        fc.property(fc.uint8Array({ minLength: 8, maxLength: 9000 }), fc.nat(300), (bytes, at) => {
          const file = bytes.slice()
          file.set(moov.slice(0, 8), Math.min(at, file.length - 8))
          assert.isAtMost(Effect.runSync(search(file)).reads, 65)
        })
      )
    )
  )
})
