import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { nextMediaId, nextWorkspaceId } from "@loopbox/core/kernel/Ids"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import { joinBytes, noise } from "../fakes/gifSamples.ts"

/** Local files, for stores that adopt one. */
export interface LocalFiles {
  /** Writes a file with these bytes; returns its path. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<string>
  readonly exists: (path: string) => Effect.Effect<boolean>
}

class Broken extends Schema.TaggedError<Broken>()("Broken", {}) {}

/** Largest chunk that a reader may be given. */
const largestChunk = 1024 * 1024

const nextWorkspace = Effect.flatMap(SecureRandom.SecureRandom, nextWorkspaceId)

/** An unused key; by default in a new workspace. */
const nextKey = Effect.fnUntraced(function* (workspace?: string) {
  const random = yield* SecureRandom.SecureRandom
  return `${workspace ?? (yield* nextWorkspace)}/${yield* nextMediaId(random)}`
})

const sample = (length: number, seed = 1) => Uint8Array.from({ length }, noise(seed))

const readAll = Effect.fnUntraced(function* (
  key: string,
  range?: { readonly offset: number; readonly length: number }
) {
  const blobs = yield* BlobStore
  return joinBytes(yield* Stream.runCollect(blobs.read(key, range)))
})

const listOlder = (before: DateTime.Utc) =>
  Effect.flatMap(BlobStore, (blobs) => Stream.runCollect(blobs.listOlder(before)))

const longAgo = DateTime.makeUnsafe(0)
const farAhead = DateTime.makeUnsafe("9999-01-01")

/** Asserts that nothing is stored under the key. */
const expectNothing = Effect.fnUntraced(function* (key: string) {
  const blobs = yield* BlobStore
  assert.deepStrictEqual(yield* blobs.size(key), Option.none())
  assert.strictEqual((yield* Effect.flip(readAll(key)))._tag, "BlobMissing")
  assert.notInclude(yield* listOlder(farAhead), key)
})

const hexOf = (bytes: Uint8Array) => Effect.flatMap(Digest.Digest, (digest) => digest.digestHex(Digest.sha256, bytes))

/** What every place for bytes must do. */
export const blobStoreContract = <E>(adapter: string, blobs: Layer.Layer<BlobStore, E>, files?: LocalFiles) =>
  layer(Layer.mergeAll(blobs, SecureRandom.layerWebCrypto, Digest.layerWebCrypto))(`BlobStore: ${adapter}`, (it) => {
    it.effect("gives back the bytes that were written, with their size and SHA-256", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const key = yield* nextKey()
        const bytes = sample(100_000)
        const facts = yield* blobs.write(key, Stream.make(bytes.subarray(0, 10), bytes.subarray(10)))
        assert.deepStrictEqual(facts, { sizeBytes: 100_000, sha256: yield* hexOf(bytes) })
        assert.deepStrictEqual(yield* blobs.size(key), Option.some(100_000))
        assert.deepStrictEqual(yield* readAll(key), bytes)
      })
    )

    it.effect("keeps an empty file", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const key = yield* nextKey()
        const facts = yield* blobs.write(key, Stream.empty)
        assert.deepStrictEqual(facts, { sizeBytes: 0, sha256: yield* hexOf(new Uint8Array()) })
        assert.deepStrictEqual(yield* blobs.size(key), Option.some(0))
        assert.strictEqual((yield* readAll(key)).length, 0)
      })
    )

    it.effect("keeps what was written when the writer reuses its buffer", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const key = yield* nextKey()
        const buffer = Uint8Array.of(1, 2, 3)
        yield* blobs.write(key, Stream.make(buffer))
        buffer.fill(0)
        assert.deepStrictEqual(yield* readAll(key), Uint8Array.of(1, 2, 3))
      })
    )

    it.effect("gives a part of the bytes, cut at the end of the file", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const key = yield* nextKey()
        const bytes = sample(1_000_000)
        yield* blobs.write(key, Stream.make(bytes))
        for (const [offset, length] of [
          [0, 1],
          [0, 1_000_000],
          [1, 999_998],
          [300_000, 400_000],
          [999_999, 1]
        ] as const) {
          assert.deepStrictEqual(yield* readAll(key, { offset, length }), bytes.subarray(offset, offset + length))
        }
        assert.deepStrictEqual(yield* readAll(key, { offset: 999_990, length: 500 }), bytes.subarray(999_990))
      })
    )

    it.effect("knows no bytes under a key that was never written", () => Effect.flatMap(nextKey(), expectNothing))

    it.effect("keeps nothing of a stream that fails, and says how it failed", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const key = yield* nextKey()
        const broken = Stream.concat(Stream.make(sample(300_000)), Stream.fail(new Broken()))
        assert.strictEqual((yield* Effect.flip(blobs.write(key, broken)))._tag, "Broken")
        yield* expectNothing(key)
      })
    )

    it.effect("shows nothing of a stream before its end, and keeps nothing of one that is interrupted", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const key = yield* nextKey()
        const begun = yield* Deferred.make<void>()
        const hanging = Stream.make(sample(300_000)).pipe(
          Stream.concat(Stream.fromEffectDrain(Deferred.succeed(begun, undefined))),
          Stream.concat(Stream.never)
        )
        const fiber = yield* Effect.forkChild(blobs.write(key, hanging))
        yield* Deferred.await(begun)
        yield* expectNothing(key)
        yield* Fiber.interrupt(fiber)
        yield* expectNothing(key)
        yield* blobs.write(key, Stream.make(sample(3)))
        assert.deepStrictEqual(yield* readAll(key), sample(3))
      })
    )

    it.effect("takes and gives 20 MB in bounded chunks", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const key = yield* nextKey()
        const chunk = sample(256 * 1024)
        const whole = joinBytes(Array.from({ length: 80 }, () => chunk))
        const facts = yield* blobs.write(key, Stream.fromIterable(Array.from({ length: 80 }, () => chunk)))
        assert.deepStrictEqual(facts, { sizeBytes: whole.length, sha256: yield* hexOf(whole) })
        const chunks = yield* Stream.runCollect(blobs.read(key))
        assert.isAtMost(Math.max(...chunks.map(({ length }) => length)), largestChunk)
        assert.strictEqual(yield* hexOf(joinBytes(chunks)), facts.sha256)
        yield* blobs.remove(key)
      })
    )

    it.effect("ends a reading where its reader ends it", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const key = yield* nextKey()
        yield* blobs.write(key, Stream.make(sample(2_000_000)))
        const first = yield* Stream.runCollect(Stream.take(blobs.read(key), 1))
        assert.deepStrictEqual(joinBytes(first), sample(2_000_000).subarray(0, joinBytes(first).length))
        yield* blobs.remove(key)
      })
    )

    it.effect("writes many files of one new workspace at once", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const workspace = yield* nextWorkspace
        const keys = yield* Effect.forEach(Array.from({ length: 20 }), () => nextKey(workspace))
        yield* Effect.forEach(keys, (key, i) => blobs.write(key, Stream.make(sample(10, i + 1))), {
          concurrency: "unbounded"
        })
        for (const [i, key] of keys.entries()) assert.deepStrictEqual(yield* readAll(key), sample(10, i + 1))
      })
    )

    it.effect("removes bytes, and succeeds when there are none", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const [key, other] = [yield* nextKey(), yield* nextKey()]
        yield* blobs.write(key, Stream.make(sample(3)))
        yield* blobs.write(other, Stream.make(sample(4)))
        yield* blobs.remove(key)
        yield* expectNothing(key)
        yield* blobs.remove(key)
        yield* blobs.remove(yield* nextKey())
        assert.deepStrictEqual(yield* readAll(other), sample(4))
      })
    )

    it.effect("removes everything of one workspace and nothing of another", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const [gone, stays] = [yield* nextWorkspace, yield* nextWorkspace]
        const keys = [yield* nextKey(gone), yield* nextKey(gone)]
        const kept = yield* nextKey(stays)
        yield* Effect.forEach([...keys, kept], (key) => blobs.write(key, Stream.make(sample(3))))
        yield* blobs.removeAll(gone)
        yield* Effect.forEach(keys, expectNothing)
        assert.deepStrictEqual(yield* readAll(kept), sample(3))
        yield* blobs.removeAll(gone)
        yield* blobs.removeAll(yield* nextWorkspace)
      })
    )

    it.effect("takes bytes of a workspace again after all of it was removed", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const workspace = yield* nextWorkspace
        yield* blobs.write(yield* nextKey(workspace), Stream.make(sample(3)))
        yield* blobs.removeAll(workspace)
        const key = yield* nextKey(workspace)
        yield* blobs.write(key, Stream.make(sample(5)))
        assert.deepStrictEqual(yield* readAll(key), sample(5))
      })
    )

    it.effect("lists the keys written before a moment, and none written after", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const keys = [yield* nextKey(), yield* nextKey()]
        yield* Effect.forEach(keys, (key) => blobs.write(key, Stream.make(sample(3))))
        assert.includeMembers(yield* listOlder(farAhead), keys)
        assert.deepStrictEqual(yield* listOlder(longAgo), [])
      })
    )

    it.effect("removes nothing that was written when it looks for what dead writers left", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const key = yield* nextKey()
        yield* blobs.write(key, Stream.make(sample(3)))
        yield* blobs.removeAbandoned
        assert.deepStrictEqual(yield* readAll(key), sample(3))
      })
    )

    it.effect("says that it can take bytes, however many ask at once", () =>
      Effect.gen(function* () {
        const { probe } = yield* BlobStore
        const asker = Effect.forEach(Array.from({ length: 20 }), () => probe)
        const answers = yield* Effect.all(
          Array.from({ length: 10 }, () => asker),
          { concurrency: "unbounded" }
        )
        for (const answer of answers.flat()) assert.isAbove(answer.length, 0)
      })
    )

    it.effect("takes a local file over where it can: its bytes under the key, the file gone", () =>
      Effect.gen(function* () {
        const { adopt } = yield* BlobStore
        if (Option.isNone(adopt) || files === undefined) return
        const key = yield* nextKey()
        const bytes = sample(700_000)
        const path = yield* files.write(bytes)
        assert.deepStrictEqual(yield* adopt.value(key, path), { sizeBytes: bytes.length, sha256: yield* hexOf(bytes) })
        assert.isFalse(yield* files.exists(path))
        assert.deepStrictEqual(yield* readAll(key), bytes)
      })
    )

    it.effect("cannot take over a file that is not there", () =>
      Effect.gen(function* () {
        const { adopt } = yield* BlobStore
        if (Option.isNone(adopt) || files === undefined) return
        const key = yield* nextKey()
        const error = yield* Effect.flip(adopt.value(key, `${yield* files.write(sample(1))}-not`))
        assert.strictEqual(error._tag, "StoreUnavailable")
        yield* expectNothing(key)
      })
    )
  })
