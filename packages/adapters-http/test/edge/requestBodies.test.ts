import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeRequestBodies } from "../../src/server/edge/RequestBodies.ts"

const chunkOf = (size: number, letter: string) => new Uint8Array(size).fill(letter.charCodeAt(0))
/** A chunk whose memory was given back has no bytes. */
const sizes = (chunks: ReadonlyArray<Uint8Array>) => chunks.map((chunk) => chunk.length)

const textOf = (whole: Uint8Array | undefined) => new TextDecoder().decode(whole)

describe("Bodies that are held in memory", () => {
  it.effect("one that is given up gives its memory back at once, and those of others stay", () =>
    Effect.gen(function* () {
      const bodies = makeRequestBodies({ maxBytes: 5_000, chunksAreOurs: true })
      const [slow, quick] = [yield* bodies.hold(true), yield* bodies.hold(true)]
      const [first, second] = [chunkOf(3_000, "a"), chunkOf(3_000, "b")]
      assert.isTrue(slow.keep(first))
      assert.isTrue(quick.keep(second))
      assert.deepStrictEqual(sizes([first, second]), [0, 3_000])
      assert.isFalse(slow.keep(chunkOf(10, "a")))
      assert.deepStrictEqual(quick.whole(), chunkOf(3_000, "b"))
    }).pipe(Effect.scoped)
  )

  it.effect("one that is given up between its last chunk and its end is not taken for a whole one", () =>
    Effect.gen(function* () {
      const bodies = makeRequestBodies({ maxBytes: 5_000, chunksAreOurs: true })
      const [slow, quick] = [yield* bodies.hold(true), yield* bodies.hold(true)]
      assert.isTrue(slow.keep(chunkOf(3_000, "a")))
      assert.isTrue(quick.keep(chunkOf(3_000, "b")))
      assert.isUndefined(slow.whole())
    }).pipe(Effect.scoped)
  )

  it.effect("one that came in several chunks is in memory once, and one of a single chunk is that chunk", () =>
    Effect.gen(function* () {
      const bodies = makeRequestBodies({ chunksAreOurs: true })
      const [several, single] = [yield* bodies.hold(true), yield* bodies.hold(true)]
      const chunks = [chunkOf(2, "a"), chunkOf(3, "b"), chunkOf(4, "c")]
      for (const chunk of chunks) several.keep(chunk)
      assert.strictEqual(textOf(several.whole()), "aabbbcccc")
      assert.deepStrictEqual(sizes(chunks), [0, 0, 0])
      const only = chunkOf(5, "d")
      single.keep(only)
      assert.strictEqual(single.whole(), only)
      assert.strictEqual(Buffer.from(only).toString(), "ddddd")
    }).pipe(Effect.scoped)
  )

  it.effect("chunks that somebody else may have stay theirs", () =>
    Effect.gen(function* () {
      const chunks = [chunkOf(2, "a"), chunkOf(3, "b")]
      const body = yield* makeRequestBodies().hold(false)
      for (const chunk of chunks) body.keep(chunk)
      assert.strictEqual(textOf(body.whole()), "aabbb")
      assert.deepStrictEqual(chunks, [chunkOf(2, "a"), chunkOf(3, "b")])
    }).pipe(Effect.scoped)
  )

  it.effect("one that broke off gives its memory back with its request, but what shares memory with others stays", () =>
    Effect.gen(function* () {
      const bodies = makeRequestBodies({ chunksAreOurs: true })
      const shared = chunkOf(100, "s")
      const [own, part] = [chunkOf(10, "o"), shared.subarray(0, 10)]
      yield* Effect.scoped(
        Effect.flatMap(bodies.hold(true), (body) => Effect.sync(() => [own, part].map((chunk) => body.keep(chunk))))
      )
      assert.deepStrictEqual(sizes([own, part]), [0, 10])
      assert.deepStrictEqual(shared, chunkOf(100, "s"))
    })
  )
})
