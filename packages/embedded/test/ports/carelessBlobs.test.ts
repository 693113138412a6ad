import { type BlobRange, BlobStore } from "@loopbox/core/media/BlobStore"
import { Effect, Option } from "effect"
import { assert, describe, it } from "vitest"
import { createLoopbox } from "../../src/createLoopbox.ts"
import { type Blobs, blobStore } from "../../src/ports/blobs.ts"
import { mapBlobs } from "./mapBlobs.ts"

const gif = new TextEncoder().encode("GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;")

/** Functions that give what the compiler would have refused. */
const careless = (given: Readonly<Partial<Record<keyof Blobs, (...asked: ReadonlyArray<never>) => unknown>>>): Blobs =>
  Object.assign({ ...mapBlobs() }, given)

/** What reading a file of such a store fails with. */
const readFrom = async (blobs: Blobs, range?: BlobRange): Promise<unknown> => {
  await using loopbox = await createLoopbox({ blobs, workers: false })
  const { id: workspaceId } = await loopbox.workspaces.create({ name: "Acme", plan: "basic" })
  const { id } = await loopbox.media.upload({ workspaceId, bytes: gif })
  try {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of await loopbox.media.read(workspaceId, id, range === undefined ? {} : { range }))
      chunks.push(chunk)
    return Buffer.concat(chunks).toString("latin1")
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause.message : error
  }
}

describe("a store of plain functions", () => {
  it("may answer at once", async () => {
    assert.strictEqual(
      await readFrom(careless({ get: () => gif, remove: () => undefined })),
      "GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;"
    )
  })

  it("is told what it gave instead of bytes", async () => {
    const must = "blobs.get must give a Uint8Array, an async iterable of them, or null; it gave "
    assert.strictEqual(await readFrom(careless({ get: async () => "text" })), `${must}string`)
    assert.strictEqual(await readFrom(careless({ get: async () => new Blob(["x"]) })), `${must}an object of Blob`)
    const texts = async function* () {
      yield "text"
    }
    assert.strictEqual(await readFrom(careless({ get: async () => texts() })), `${must}string`)
  })

  it("is told that it gave fewer or more bytes than the file has", async () => {
    const gave = (comparison: string, count: number, all = gif.length) =>
      `the store of files gave ${comparison} than the ${all} bytes that there are: ${count}`
    const twice = async function* () {
      yield gif
      yield gif
    }
    assert.strictEqual(await readFrom(careless({ get: () => gif.subarray(1) })), gave("fewer", gif.length - 1))
    assert.strictEqual(await readFrom(careless({ get: () => new Uint8Array() })), gave("fewer", 0))
    assert.strictEqual(await readFrom(careless({ get: () => twice() })), gave("more", 2 * gif.length))
    const part = { offset: 2, length: 4 }
    assert.strictEqual(await readFrom(careless({ get: () => gif.subarray(2, 5) }), part), gave("fewer", 3, 4))
    assert.strictEqual(await readFrom(mapBlobs(), part), "F89a")
    assert.strictEqual(await readFrom(mapBlobs(), { offset: gif.length - 1, length: 4 }), ";")
    assert.strictEqual(await readFrom(mapBlobs(), { offset: gif.length + 1, length: 4 }), "")
  })

  it("is told what it gave instead of a size, and is not well with it", async () => {
    const must = "blobs.size must give a number of bytes, whole and not below 0, or null; it gave "
    for (const [given, named] of [
      ["12", "string"],
      [-1, "the number -1"],
      [Number.NaN, "the number NaN"],
      [1.5, "the number 1.5"],
      [12n, "bigint"],
      [{ size: 12 }, "an object of Object"]
    ] as const) {
      const failures = BlobStore.use((blobs) => Effect.all([Effect.flip(blobs.size("a/b")), Effect.flip(blobs.probe)]))
      const found = await Effect.runPromise(Effect.provide(failures, blobStore(careless({ size: () => given }))))
      for (const { cause } of found)
        assert.strictEqual(cause instanceof Error ? cause.message : cause, `${must}${named}`)
    }
    const sizes = [0, 12, null, undefined].map((given) =>
      Effect.provide(
        BlobStore.use((blobs) => blobs.size("a/b")),
        blobStore(careless({ size: async () => given }))
      )
    )
    assert.deepStrictEqual(await Effect.runPromise(Effect.all(sizes)), [
      Option.some(0),
      Option.some(12),
      Option.none(),
      Option.none()
    ])
  })

  it("that lists past what it was asked for loses nothing of another workspace", async () => {
    const map = new Map<string, { bytes: Uint8Array; writtenAt: Date }>()
    const list = async function* () {
      for (const [key, { writtenAt }] of map) yield { key, writtenAt }
    }
    await using loopbox = await createLoopbox({ blobs: { ...mapBlobs(map), list }, workers: false })
    const one = await loopbox.workspaces.create({ name: "One", plan: "basic" })
    const other = await loopbox.workspaces.create({ name: "Other", plan: "basic" })
    for (const { id: workspaceId } of [one, other]) await loopbox.media.upload({ workspaceId, bytes: gif })
    await loopbox.workspaces.erase(one.id)
    assert.deepStrictEqual(
      [...map.keys()].map((key) => key.split("/")[0]),
      [other.id]
    )
  })

  it("is told what it lists wrongly", async () => {
    const blobs = careless({ list: () => [] })
    await using loopbox = await createLoopbox({ blobs, workers: false })
    const { id } = await loopbox.workspaces.create({ name: "One", plan: "basic" })
    const error: unknown = await loopbox.workspaces.erase(id).catch((reason: unknown) => reason)
    assert.include(
      String(error instanceof Error ? error.cause : error),
      "blobs.list must give an async iterable of { key, writtenAt: Date }; it gave an array"
    )
  })
})
