import { assert, describe, layer } from "@effect/vitest"
import { pictureHead_bytes, PictureSizes, type SizedPicture } from "@loopbox/core/media/PictureSizes"
import { Effect, Option } from "effect"
import * as fc from "fast-check"
import * as ImageSizes from "../../src/pictures/ImageSizes.ts"

const u16 = (value: number) => [(value >> 8) & 255, value & 255]
const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0))

const segment = (marker: number, payload: ReadonlyArray<number>) => [
  0xff,
  marker,
  ...u16(payload.length + 2),
  ...payload
]
const exif = (orientation: number) =>
  segment(0xe1, [
    ...letters("Exif"),
    ...[0, 0],
    ...letters("MM"),
    ...[0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1],
    ...u16(orientation),
    ...[0, 0, 0, 0, 0, 0]
  ])
const jpeg = (width: number, height: number, ...before: ReadonlyArray<ReadonlyArray<number>>) =>
  Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xe0, [...letters("JFIF"), 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...before.flat(),
    ...segment(0xc0, [8, ...u16(height), ...u16(width), 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
  ])
const png = Uint8Array.from([
  ...[0x89, ...letters("PNG"), 13, 10, 26, 10, 0, 0, 0, 13],
  ...letters("IHDR"),
  ...[0, 0, ...u16(1080), 0, 0, ...u16(1350), 8, 6, 0, 0, 0]
])
const webp = Uint8Array.from([
  ...[...letters("RIFF"), 30, 0, 0, 0, ...letters("WEBPVP8X"), 10, 0, 0, 0, 0, 0, 0, 0],
  ...[0x7f, 2, 0, 0x67, 1, 0]
])

const sizes = (contentType: SizedPicture, bytes: Uint8Array) =>
  Effect.map(PictureSizes, (sizeOf) =>
    Option.getOrUndefined(Option.map(sizeOf(contentType, bytes), ({ height, width }) => [width, height]))
  )

describe("ImageSizes", () => {
  layer(ImageSizes.layer)((it) => {
    it.effect("reads JPEG, PNG and WebP", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* sizes("image/jpeg", jpeg(1080, 566)), [1080, 566])
        assert.deepStrictEqual(yield* sizes("image/png", png), [1080, 1350])
        assert.deepStrictEqual(yield* sizes("image/webp", webp), [640, 360])
      })
    )

    it.effect("finds the size behind what a camera wrote, and turns the picture as the camera noted", () =>
      Effect.gen(function* () {
        const profile = segment(
          0xe2,
          Array.from({ length: 60_000 }, (_, at) => at & 127)
        )
        assert.deepStrictEqual(yield* sizes("image/jpeg", jpeg(4000, 3000, profile, profile)), [4000, 3000])
        assert.deepStrictEqual(yield* sizes("image/jpeg", jpeg(4000, 3000, exif(3))), [4000, 3000])
        for (const orientation of [5, 6, 7, 8]) {
          assert.deepStrictEqual(yield* sizes("image/jpeg", jpeg(4000, 3000, exif(orientation))), [3000, 4000])
        }
      })
    )

    it.effect("has no size where none is, or none that can be", () =>
      Effect.gen(function* () {
        assert.isUndefined(yield* sizes("image/jpeg", jpeg(1080, 566).subarray(0, 24)))
        assert.isUndefined(yield* sizes("image/jpeg", jpeg(0, 566)))
        assert.isUndefined(yield* sizes("image/png", jpeg(1080, 566)))
        assert.isUndefined(yield* sizes("image/webp", new Uint8Array()))
      })
    )

    it.effect("never throws, for any bytes", () =>
      Effect.map(PictureSizes, (sizeOf) => {
        const good = jpeg(1080, 566, exif(6))
        const change = fc.tuple(fc.nat(good.length - 1), fc.nat(255))
        fc.assert(
          fc.property(fc.array(change), fc.uint8Array({ maxLength: 200 }), (changes, bytes) => {
            const changed = good.slice()
            for (const [at, value] of changes) changed[at] = value
            for (const type of ["image/jpeg", "image/png", "image/webp"] as const) {
              sizeOf(type, changed)
              sizeOf(type, bytes)
            }
          })
        )
      })
    )

    it.effect("takes time linear in the bytes, also for the worst of them", () =>
      Effect.map(PictureSizes, (sizeOf) => {
        const worst = new Uint8Array(pictureHead_bytes)
        worst.set([0xff, 0xd8, 0xff])
        // The processor's time: a machine may have other work for longer than all of this takes.
        const begun = process.cpuUsage()
        assert.isTrue(Option.isNone(sizeOf("image/jpeg", worst)))
        const { system, user } = process.cpuUsage(begun)
        assert.isBelow((system + user) / 1000, 2_000)
      })
    )
  })
})
