import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Stream } from "effect"
import { BlobStore } from "../../src/media/BlobStore.ts"
import type { ContentType } from "../../src/media/ContentType.ts"
import { ReadyMedia } from "../../src/media/Media.ts"
import { MediaLibrary } from "../../src/media/MediaLibrary.ts"
import { MediaStore } from "../../src/media/MediaStore.ts"
import { pictureHead_bytes, type PictureSizer, PictureSizes } from "../../src/media/PictureSizes.ts"
import { MediaId } from "../../src/kernel/Ids.ts"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { faultyBlobStore, failing } from "@loopbox/testing/fakes/faults"
import { away, findMedia, makeWorkspace, smallGif, textBytes, upload } from "@loopbox/testing/fixtures/mediaFixtures"
import { layerServices, layerTest, memory } from "@loopbox/testing/layers/testLayers"
import { audioTrack, box, fileType, movieHeader, toBytes, videoTrack } from "./mp4/movieBytes.ts"

const none = Option.none()
const noTraits = { frameRate: none, frames: none, videoCodec: none, audioCodec: none }
const film = toBytes(
  fileType(),
  box("mdat", [1, 2, 3]),
  box("moov", [...movieHeader(4000), ...videoTrack(), ...audioTrack()])
)
const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, ...textBytes("JFIF"))

/** A record as a version before wrote it. */
const older = Effect.fnUntraced(function* (contentType: ContentType, bytes: Uint8Array) {
  const workspace = yield* makeWorkspace()
  const id = MediaId.make("med_01k9j8kz7c5r3n1p9h7f5d3b1a")
  const blobKey = `${workspace.id}/${id}`
  const stored = yield* (yield* BlobStore).write(blobKey, Stream.make(bytes))
  const now = yield* DateTime.now
  const media = new ReadyMedia({
    ...stored,
    id,
    workspaceId: workspace.id,
    filename: none,
    contentType,
    createdAt: now,
    keepUntil: DateTime.add(now, { days: 1 }),
    blobKey,
    width: Option.some(3),
    height: none,
    durationMs: none,
    traits: none,
    source: "upload",
    jobId: none
  })
  yield* (yield* MediaStore).insert(media)
  return { workspace, media }
})

/** The world with this reader of pictures. */
const withSizes = (sizeOf: PictureSizer) =>
  layerServices.pipe(Layer.provideMerge(memory), Layer.provide(Layer.succeed(PictureSizes, sizeOf)))

describe("the facts of a file (api-2.md §12)", () => {
  it.effect("are read from a video when it is uploaded", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const media = yield* upload(workspace, film)
      assert.deepStrictEqual(
        [media.width, media.height, media.durationMs],
        [Option.some(640), Option.some(360), Option.some(4000)]
      )
      assert.deepStrictEqual(
        media.traits,
        Option.some({
          ...noTraits,
          frameRate: Option.some(24),
          videoCodec: Option.some("avc1"),
          audioCodec: Option.some("mp4a")
        })
      )
      assert.deepStrictEqual(yield* findMedia(workspace, media.id), media)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("are the frames of a GIF", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const moving = yield* upload(workspace, animatedGif([10, 25]))
      assert.deepStrictEqual(moving.traits, Option.some({ ...noTraits, frames: Option.some(2) }))
      const still = yield* upload(workspace, animatedGif([10]))
      assert.deepStrictEqual(still.traits, Option.some({ ...noTraits, frames: Option.some(1) }))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("are unknown where the bytes do not say them", () =>
    Effect.gen(function* () {
      const media = yield* upload(yield* makeWorkspace(), toBytes(fileType(), box("moov", [])))
      assert.deepStrictEqual([media.width, media.durationMs, media.traits], [none, none, Option.some(noTraits)])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("include the size of a picture, of which only the first bytes are read", () => {
    const given: Array<number> = []
    const sizes = withSizes((contentType, head) => {
      given.push(head.length)
      return contentType === "image/jpeg" ? Option.some({ width: 1080, height: 1350 }) : none
    })
    return Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const long = new Uint8Array(pictureHead_bytes + 10)
      long.set(jpeg)
      const media = yield* upload(workspace, long)
      assert.deepStrictEqual([media.width, media.height], [Option.some(1080), Option.some(1350)])
      yield* upload(workspace, smallGif)
      assert.deepStrictEqual(given, [pictureHead_bytes])
    }).pipe(Effect.provide(sizes))
  })

  it.effect("are read and kept when they are needed, of a file of an earlier version", () =>
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const { media, workspace } = yield* older("video/mp4", film)
      const examined = yield* library.examined(media)
      assert.deepStrictEqual([examined.width, examined.durationMs], [Option.some(640), Option.some(4000)])
      assert.deepStrictEqual(yield* findMedia(workspace, media.id), examined)
      yield* (yield* BlobStore).remove(media.blobKey)
      assert.deepStrictEqual(yield* library.examined(examined), examined, "its bytes are not read again")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("do not take back what was known before", () =>
    Effect.gen(function* () {
      const { media } = yield* older("video/webm", textBytes("webm"))
      const examined = yield* (yield* MediaLibrary).examined(media)
      assert.deepStrictEqual([examined.width, examined.traits], [Option.some(3), Option.some(noTraits)])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("stay open, and the upload is kept, while the bytes can't be read", () => {
    const fault = failing("read", { times: 1, when: "before", error: away() })
    const world = layerServices.pipe(
      Layer.updateService(BlobStore, (blobs) => faultyBlobStore(blobs, fault)),
      Layer.provideMerge(memory)
    )
    return Effect.gen(function* () {
      const media = yield* upload(yield* makeWorkspace(), film)
      assert.deepStrictEqual([media.contentType, media.traits], ["video/mp4", none])
    }).pipe(Effect.provide(world))
  })
})
