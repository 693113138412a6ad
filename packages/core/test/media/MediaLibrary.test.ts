import { assert, describe, it } from "@effect/vitest"
import { Data, DateTime, Deferred, Effect, Fiber, Layer, Option, Stream } from "effect"
import { Digest } from "effect/crypto"
import { TestClock } from "effect/testing"
import { Conversions } from "../../src/conversions/Conversions.ts"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { type ContentType, contentTypes } from "../../src/media/ContentType.ts"
import { MediaLibrary } from "../../src/media/MediaLibrary.ts"
import { MediaStore } from "../../src/media/MediaStore.ts"
import { inspectedBytes } from "../../src/media/inspectBytes.ts"
import { type Fault, failing, faultyMediaStore } from "@loopbox/testing/fakes/faults"
import {
  away,
  blobKeys,
  bytesOf,
  findMedia,
  makeWorkspace,
  smallGif,
  submit,
  textBytes,
  upload
} from "@loopbox/testing/fixtures/mediaFixtures"
import { samples } from "@loopbox/testing/fixtures/mediaSamples"
import { layerServices, layerTest, memory } from "@loopbox/testing/layers/testLayers"

class Broken extends Data.TaggedError("Broken")<{}> {}

const firstPage = { limit: 100, after: Option.none() }
const sampleOf = (type: ContentType) => Object.values(samples[type])[0] ?? assert.fail("no sample")
const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const withRecords = (fault: Fault) =>
  layerServices.pipe(
    Layer.updateService(MediaStore, (records) => faultyMediaStore(records, fault)),
    Layer.provideMerge(memory)
  )

const uploadStream = <E>(bytes: Stream.Stream<Uint8Array, E>, declaredType?: string) =>
  Effect.gen(function* () {
    const library = yield* MediaLibrary
    const workspace = yield* makeWorkspace()
    const media = yield* library.upload({
      workspace,
      bytes,
      declaredType: Option.fromUndefinedOr(declaredType),
      filename: Option.none()
    })
    return { media, workspace }
  })

const expectNothing = Effect.gen(function* () {
  const state = yield* MemoryState
  assert.strictEqual(state.media.size, 0)
  assert.deepStrictEqual(yield* blobKeys, [])
})

describe("MediaLibrary.upload (api.md §5)", () => {
  it.effect("stores the bytes and says what they are", () =>
    Effect.gen(function* () {
      const digest = yield* Digest.Digest
      const workspace = yield* makeWorkspace("growth")
      yield* TestClock.setTime(1_000)
      const media = yield* upload(workspace, smallGif, { declaredType: "image/gif", filename: "cat.gif" })
      assert.deepStrictEqual(yield* bytesOf(media), smallGif)
      assert.strictEqual(media.sizeBytes, smallGif.length)
      assert.strictEqual(media.sha256, yield* digest.digestHex(Digest.sha256, smallGif))
      assert.deepStrictEqual([media.width, media.height], [Option.some(32), Option.some(32)])
      assert.deepStrictEqual([media.source, media.jobId], ["upload", Option.none()])
      assert.deepStrictEqual(media.filename, Option.some("cat.gif"))
      assert.strictEqual(DateTime.toEpochMillis(media.keepUntil), 1_000 + 15 * 86_400_000)
      assert.deepStrictEqual(yield* findMedia(workspace, media.id), media)
    }).pipe(Effect.provide(layerTest))
  )

  for (const type of contentTypes) {
    it.effect(`takes ${type} as declared, undeclared and as bytes of some kind`, () =>
      Effect.gen(function* () {
        const workspace = yield* makeWorkspace()
        for (const declaredType of [
          type,
          `${type.toUpperCase()}; charset=binary`,
          "application/octet-stream",
          undefined
        ]) {
          const media = yield* upload(workspace, sampleOf(type), declaredType === undefined ? {} : { declaredType })
          assert.strictEqual(media.contentType, type)
        }
      }).pipe(Effect.provide(layerTest))
    )
  }

  const synonyms: ReadonlyArray<readonly [string, ContentType]> = [
    ["image/jpg", "image/jpeg"],
    ["image/heif", "image/heic"],
    ["audio/mp3", "audio/mpeg"],
    ["audio/x-wav", "audio/wav"],
    ["audio/x-m4a", "audio/mp4"]
  ]
  for (const [declaredType, type] of synonyms) {
    it.effect(`takes ${declaredType} for ${type}`, () =>
      Effect.gen(function* () {
        const media = yield* upload(yield* makeWorkspace(), sampleOf(type), { declaredType })
        assert.strictEqual(media.contentType, type)
      }).pipe(Effect.provide(layerTest))
    )
  }

  it.effect("believes the sender whether an MP4 is sound or film, where its first bytes do not tell", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const sound = yield* upload(workspace, sampleOf("video/mp4"), { declaredType: "audio/mp4" })
      assert.strictEqual(sound.contentType, "audio/mp4")
      const brandOfSound = upload(workspace, sampleOf("audio/mp4"), { declaredType: "video/mp4" })
      assert.strictEqual((yield* Effect.flip(brandOfSound))._tag, "UnsupportedMedia")
      const handler = textBytes("\0\0\0\u0021hdlr\0\0\0\0\0\0\0\0vide")
      const tracked = new Uint8Array([...sampleOf("video/mp4"), ...handler])
      const pictures = upload(workspace, tracked, { declaredType: "audio/mp4" })
      assert.strictEqual((yield* Effect.flip(pictures))._tag, "UnsupportedMedia")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses bytes of another type than declared, and keeps nothing", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      for (const found of contentTypes) {
        for (const declaredType of [...contentTypes, "text/html", "application/json", ""]) {
          if (declaredType === found) continue
          if (found === "video/mp4" && declaredType === "audio/mp4") continue
          const error = yield* Effect.flip(upload(workspace, sampleOf(found), { declaredType }))
          assert.strictEqual(error._tag, "UnsupportedMedia", `${found} as ${declaredType}`)
        }
      }
      yield* expectNothing
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses bytes of an unsupported type, whatever type is declared", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      for (const declaredType of ["image/gif", "application/octet-stream", "application/pdf"]) {
        const error = yield* Effect.flip(upload(workspace, textBytes("%PDF-1.7"), { declaredType }))
        assert.deepInclude(error, { _tag: "UnsupportedMedia", found: Option.none() })
      }
      yield* expectNothing
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses an upload without a byte", () =>
    Effect.gen(function* () {
      for (const bytes of [Stream.empty, Stream.make(new Uint8Array(), new Uint8Array())]) {
        assert.strictEqual(yield* tagOf(uploadStream(bytes, "image/gif")), "EmptyUpload")
      }
      yield* expectNothing
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("gives the same record however the bytes are cut", () =>
    Effect.gen(function* () {
      const whole = yield* uploadStream(Stream.make(smallGif))
      const single = yield* uploadStream(Stream.fromIterable(Array.from(smallGif, (byte) => Uint8Array.of(byte))))
      assert.strictEqual(single.media.sha256, whole.media.sha256)
      assert.deepStrictEqual(single.media.width, whole.media.width)
      assert.deepStrictEqual(yield* bytesOf(single.media), smallGif)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses a wrong type as soon as its beginning is there, without reading on", () =>
    Effect.gen(function* () {
      let pulled = 0
      const endless = Stream.forever(
        Stream.fromEffect(
          Effect.sync(() => {
            pulled++
            return new Uint8Array(1024).fill(0x20)
          })
        )
      )
      assert.strictEqual(yield* tagOf(uploadStream(endless, "image/gif")), "UnsupportedMedia")
      assert.isAtMost(pulled, inspectedBytes / 1024 + 1)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("that breaks off leaves neither record nor bytes", () =>
    Effect.gen(function* () {
      const broken = Stream.concat(Stream.make(smallGif), Stream.fail(new Broken()))
      assert.strictEqual(yield* tagOf(uploadStream(broken)), "Broken")
      yield* expectNothing
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("that is interrupted leaves neither record nor bytes", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const hanging = Stream.make(smallGif).pipe(
        Stream.concat(Stream.fromEffectDrain(Deferred.succeed(begun, undefined))),
        Stream.concat(Stream.never)
      )
      const fiber = yield* Effect.forkChild(uploadStream(hanging))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      yield* expectNothing
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("whose record surely was not made leaves no bytes", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* tagOf(uploadStream(Stream.make(smallGif))), "StoreUnavailable")
      yield* expectNothing
    }).pipe(Effect.provide(withRecords(failing("insert", { times: 1, when: "before", error: away("no") }))))
  )

  it.effect("whose record may have been made keeps its bytes: a record never loses them", () =>
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const workspace = yield* makeWorkspace()
      assert.strictEqual(yield* tagOf(upload(workspace)), "StoreUnavailable")
      const { items } = yield* library.list(workspace.id, firstPage)
      for (const media of items) {
        if (media._tag === "ReadyMedia") assert.deepStrictEqual(yield* bytesOf(media), smallGif)
      }
      assert.lengthOf(items, 1)
    }).pipe(Effect.provide(withRecords(failing("insert", { times: 1, when: "after", error: away("unknown") }))))
  )
})

const reserve = Effect.fnUntraced(function* (sizeBytes?: number) {
  const library = yield* MediaLibrary
  const workspace = yield* makeWorkspace("basic")
  const media = yield* library.reserve({
    workspaceId: workspace.id,
    contentType: "image/gif",
    filename: Option.some("cat.gif"),
    sizeBytes: Option.fromUndefinedOr(sizeBytes)
  })
  return { library, media, workspace }
})

describe("MediaLibrary.reserve and finish (api.md §5)", () => {
  it.effect("makes a pending record that lives 7 days, and a ready one of its bytes", () =>
    Effect.gen(function* () {
      const { library, media, workspace } = yield* reserve(smallGif.length)
      assert.strictEqual((yield* findMedia(workspace, media.id))._tag, "PendingMedia")
      assert.strictEqual(DateTime.toEpochMillis(media.keepUntil), 7 * 86_400_000)
      yield* TestClock.setTime(5_000)
      const ready = yield* library.finish(media.id, Stream.make(smallGif))
      assert.strictEqual(ready.id, media.id)
      assert.deepStrictEqual(ready.filename, Option.some("cat.gif"))
      assert.deepStrictEqual(ready.createdAt, media.createdAt)
      assert.strictEqual(DateTime.toEpochMillis(ready.keepUntil), 5_000 + 4 * 86_400_000)
      assert.deepStrictEqual(yield* findMedia(workspace, media.id), ready)
      assert.deepStrictEqual(yield* bytesOf(ready), smallGif)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses a second upload and leaves the first as it is", () =>
    Effect.gen(function* () {
      const { library, media } = yield* reserve()
      const ready = yield* library.finish(media.id, Stream.make(smallGif))
      assert.strictEqual(yield* tagOf(library.finish(media.id, Stream.make(smallGif))), "UploadAlreadyFinished")
      assert.deepStrictEqual(yield* blobKeys, [ready.blobKey])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses another size than reserved, stays pending and can be tried again", () =>
    Effect.gen(function* () {
      const { library, media, workspace } = yield* reserve(smallGif.length)
      for (const size of [smallGif.length - 1, smallGif.length + 1]) {
        const bytes = new Uint8Array(size)
        bytes.set(smallGif.subarray(0, size))
        const error = yield* Effect.flip(library.finish(media.id, Stream.make(bytes)))
        assert.deepInclude(error, { _tag: "UploadSizeMismatch", declared: smallGif.length, received: size })
      }
      assert.strictEqual((yield* findMedia(workspace, media.id))._tag, "PendingMedia")
      assert.deepStrictEqual(yield* blobKeys, [])
      yield* library.finish(media.id, Stream.make(smallGif))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses bytes of another type, none, and a broken stream; each time it can be tried again", () =>
    Effect.gen(function* () {
      const { library, media } = yield* reserve()
      const finish = <E extends { readonly _tag: string }>(bytes: Stream.Stream<Uint8Array, E>) =>
        tagOf(library.finish(media.id, bytes))
      assert.strictEqual(yield* finish(Stream.make(sampleOf("image/png"))), "UnsupportedMedia")
      assert.strictEqual(yield* finish(Stream.empty), "EmptyUpload")
      assert.strictEqual(yield* finish(Stream.concat(Stream.make(smallGif), Stream.fail(new Broken()))), "Broken")
      assert.deepStrictEqual(yield* blobKeys, [])
      yield* library.finish(media.id, Stream.make(smallGif))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("lets the first of two uploads at once win, and removes the bytes of the other", () =>
    Effect.gen(function* () {
      const { library, media, workspace } = yield* reserve()
      const [open, other] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const slow = (until: Deferred.Deferred<void>) =>
        Stream.concat(Stream.make(smallGif), Stream.fromEffectDrain(Deferred.await(until)))
      const first = yield* Effect.forkChild(library.finish(media.id, slow(open)))
      const second = yield* Effect.forkChild(tagOf(library.finish(media.id, slow(other))))
      yield* Effect.yieldNow
      yield* Deferred.succeed(open, undefined)
      const winner = yield* Fiber.join(first)
      yield* Deferred.succeed(other, undefined)
      assert.strictEqual(yield* Fiber.join(second), "UploadAlreadyFinished")
      assert.deepStrictEqual(yield* findMedia(workspace, media.id), winner)
      assert.deepStrictEqual(yield* blobKeys, [winner.blobKey])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("keeps no bytes of an upload whose reservation was deleted meanwhile", () =>
    Effect.gen(function* () {
      const { library, media, workspace } = yield* reserve()
      const bytes = Stream.concat(
        Stream.make(smallGif),
        Stream.fromEffectDrain(Effect.orDie(library.remove(workspace.id, media.id)))
      )
      assert.strictEqual(yield* tagOf(library.finish(media.id, bytes)), "MediaNotFound")
      assert.deepStrictEqual(yield* blobKeys, [])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("keeps the bytes when the store does not say whether the record is finished", () =>
    Effect.gen(function* () {
      const { library, media, workspace } = yield* reserve()
      assert.strictEqual(yield* tagOf(library.finish(media.id, Stream.make(smallGif))), "StoreUnavailable")
      const found = yield* findMedia(workspace, media.id)
      if (found._tag === "PendingMedia") return assert.fail("the record was finished in truth")
      assert.deepStrictEqual(yield* bytesOf(found), smallGif)
    }).pipe(Effect.provide(withRecords(failing("finish", { times: 1, when: "after", error: away("unknown") }))))
  )

  it.effect("knows no reservation of another id", () =>
    Effect.gen(function* () {
      const { library } = yield* reserve()
      for (const id of ["", "med_x", `med_${"0".repeat(26)}`]) {
        assert.strictEqual(yield* tagOf(library.finish(id, Stream.make(smallGif))), "MediaNotFound")
      }
    }).pipe(Effect.provide(layerTest))
  )
})

describe("MediaLibrary: find, list, read, remove", () => {
  it.effect("shows a file to its workspace only", () =>
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const [mine, theirs] = [yield* makeWorkspace(), yield* makeWorkspace()]
      const media = yield* upload(mine)
      assert.strictEqual(yield* tagOf(library.find(theirs.id, media.id)), "MediaNotFound")
      assert.strictEqual(yield* tagOf(library.remove(theirs.id, media.id)), "MediaNotFound")
      assert.deepStrictEqual((yield* library.list(theirs.id, firstPage)).items, [])
      assert.deepStrictEqual((yield* library.list(mine.id, firstPage)).items, [media])
      assert.deepStrictEqual(yield* library.findLinked(media.id), media)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("reads a part of a file", () =>
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const media = yield* upload(yield* makeWorkspace())
      const chunks = yield* Stream.runCollect(library.read(media, { offset: 3, length: 4 }))
      assert.deepStrictEqual(
        chunks.flatMap((chunk) => Array.from(chunk)),
        Array.from(smallGif.subarray(3, 7))
      )
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("deletes record and bytes, once", () =>
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const workspace = yield* makeWorkspace()
      const media = yield* upload(workspace)
      assert.deepStrictEqual(yield* library.remove(workspace.id, media.id), media)
      assert.deepStrictEqual(yield* blobKeys, [])
      for (const id of [media.id, "med_x", ""]) {
        assert.strictEqual(yield* tagOf(library.remove(workspace.id, id)), "MediaNotFound")
        assert.strictEqual(yield* tagOf(library.find(workspace.id, id)), "MediaNotFound")
      }
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses to delete what an active job reads, and deletes it when the job has ended", () =>
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const workspace = yield* makeWorkspace()
      const media = yield* upload(workspace)
      const job = yield* submit(workspace, media.id)
      assert.strictEqual(yield* tagOf(library.remove(workspace.id, media.id)), "MediaInUse")
      yield* Conversions.use((conversions) => conversions.cancel(workspace.id, job.id))
      yield* library.remove(workspace.id, media.id)
    }).pipe(Effect.provide(layerTest))
  )
})
