import { assert, describe, it } from "vitest"
import { Deferred, Effect, Layer } from "effect"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import * as MemoryBlobStore from "@loopbox/adapters-memory/MemoryBlobStore"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import { createLoopbox, type Loopbox } from "../src/createLoopbox.ts"
import { LoopboxClosed } from "../src/LoopboxClosed.ts"
import * as FakeEncoder from "@loopbox/testing/fakes/FakeEncoder"
import { joinBytes } from "@loopbox/testing/fakes/gifSamples"
import { engineThat } from "@loopbox/testing/fakes/engines"
import { smallGif, textBytes } from "@loopbox/testing/fixtures/mediaFixtures"

const create = (engine = FakeEncoder.layer()) => createLoopbox(MemoryAdapters.layer, engine)

const collect = async (chunks: AsyncIterable<Uint8Array>) => {
  const all: Array<Uint8Array> = []
  for await (const chunk of chunks) all.push(chunk)
  return joinBytes(all)
}

/** What a promise was rejected with. */
const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it was fulfilled"),
    (error: unknown) => error
  )
const tagOf = async (promise: Promise<unknown>) => {
  const error = await rejection(promise)
  assert.instanceOf(error, Error)
  return "_tag" in error ? error._tag : assert.fail(`no tag: ${error.message}`)
}

const uploadGif = async (loopbox: Loopbox) => {
  const workspace = await loopbox.workspaces.create({ name: "Test", plan: "growth" })
  const gif = await loopbox.media.upload({ workspaceId: workspace.id, bytes: smallGif, filename: "cat.gif" })
  return { workspace, gif, workspaceId: workspace.id, gifMediaId: gif.id }
}

describe("createLoopbox (design §1)", () => {
  it("converts a GIF, in plain values from end to end", async () => {
    await using loopbox = await create()
    const { gif, gifMediaId, workspace, workspaceId } = await uploadGif(loopbox)
    assert.deepStrictEqual(workspace.limits, { activeJobs: null, conversionsPer24Hours: null })
    assert.instanceOf(gif.createdAt, Date)
    assert.deepInclude(gif, { status: "ready", contentType: "image/gif", width: 32, height: 32, filename: "cat.gif" })

    const queued = await loopbox.conversions.submit({ workspaceId, gifMediaId, backgroundColor: "#00ff00" })
    assert.deepInclude(queued, { kind: "gif_to_mp4", backgroundColor: "#00FF00", outputProfile: "universal_mp4_v1" })
    const job = await loopbox.conversions.wait(queued)
    assert.deepInclude(job, { id: queued.id, status: "succeeded", progress: 1, attempts: 1, error: null })
    assert.instanceOf(job.completedAt, Date)
    assert.deepStrictEqual(await loopbox.conversions.find(job), job)

    const video = await loopbox.media.find(workspaceId, job.outputMediaId ?? assert.fail("no output"))
    assert.deepInclude(video, { contentType: "video/mp4", filename: "cat.mp4", durationMs: 5000 })
    const bytes = await collect(await loopbox.media.read(workspaceId, video.id))
    assert.strictEqual(bytes.length, video.sizeBytes)
    assert.deepStrictEqual(
      await collect(await loopbox.media.read(workspaceId, video.id, { range: { offset: 4, length: 4 } })),
      textBytes("ftyp")
    )
  })

  it("gives values that survive JSON and a structured clone", async () => {
    await using loopbox = await create()
    const { workspaceId, gifMediaId, gif } = await uploadGif(loopbox)
    const job = await loopbox.conversions.wait(await loopbox.conversions.submit({ workspaceId, gifMediaId }))
    for (const value of [gif, job]) {
      assert.deepStrictEqual(structuredClone(value), value)
      assert.notInclude(JSON.stringify(value), '"_id"')
      assert.notInclude(JSON.stringify(value), '"_tag"')
    }
  })

  it("takes bytes as they come", async () => {
    await using loopbox = await create()
    const { workspaceId } = await uploadGif(loopbox)
    async function* pieces() {
      for (const byte of smallGif) yield Uint8Array.of(byte)
    }
    const media = await loopbox.media.upload({ workspaceId, bytes: pieces(), contentType: "image/gif" })
    assert.strictEqual(media.sizeBytes, smallGif.length)
  })

  it("rejects an upload with what broke it, and keeps nothing", async () => {
    await using loopbox = await create()
    const { workspaceId } = await uploadGif(loopbox)
    const broken = new Error("the disk of the sender")
    async function* pieces() {
      yield smallGif
      throw broken
    }
    assert.strictEqual(await rejection(loopbox.media.upload({ workspaceId, bytes: pieces() })), broken)
    assert.lengthOf((await loopbox.media.list(workspaceId)).items, 1)
  })

  it("replays a submit of the same key", async () => {
    await using loopbox = await create()
    const { workspaceId, gifMediaId } = await uploadGif(loopbox)
    const submit = () => loopbox.conversions.submit({ workspaceId, gifMediaId, idempotencyKey: "once" })
    assert.strictEqual((await submit()).id, (await submit()).id)
    assert.lengthOf((await loopbox.conversions.list(workspaceId)).items, 1)
  })

  it("lists page by page, also when the place has been through JSON", async () => {
    await using loopbox = await create()
    const { workspaceId } = await uploadGif(loopbox)
    for (let i = 0; i < 4; i++) await loopbox.media.upload({ workspaceId, bytes: smallGif })
    const seen: Array<string> = []
    let page = await loopbox.media.list(workspaceId, { limit: 2 })
    for (;;) {
      seen.push(...page.items.map(({ id }) => id))
      if (page.next === null) break
      page = await loopbox.media.list(workspaceId, { limit: 2, after: JSON.parse(JSON.stringify(page.next)) })
    }
    assert.strictEqual(new Set(seen).size, 5)
    assert.lengthOf(seen, 5)
  })

  it("rejects a refusal with an Error that has its tag and data", async () => {
    await using loopbox = await create()
    const { workspaceId, gifMediaId } = await uploadGif(loopbox)
    const unknown = `med_${"0".repeat(26)}`
    assert.strictEqual(await tagOf(loopbox.conversions.submit({ workspaceId, gifMediaId: "" })), "GifMediaRequired")
    assert.strictEqual(await tagOf(loopbox.media.find(workspaceId, unknown)), "MediaNotFound")
    assert.strictEqual(await tagOf(loopbox.media.list(`ws_${"0".repeat(26)}`)), "WorkspaceNotFound")
    assert.strictEqual(await tagOf(loopbox.conversions.find({ workspaceId, id: "x" })), "JobNotFound")
    assert.strictEqual(
      await tagOf(loopbox.workspaces.create({ name: "x", plan: "free", limits: { activeJobs: 1 } })),
      "LimitsNeedEnterprise"
    )
    const error = await rejection(loopbox.conversions.submit({ workspaceId, gifMediaId, backgroundColor: "red" }))
    assert.include(JSON.stringify(error), '"given":"red"')
    assert.instanceOf(error, Error)
  })

  it("rejects what is no id and no key of ours, with a name for it", async () => {
    await using loopbox = await create()
    const { workspaceId, gifMediaId } = await uploadGif(loopbox)
    assert.strictEqual(
      await tagOf(loopbox.conversions.submit({ workspaceId: "ws_1", gifMediaId })),
      "WorkspaceNotFound"
    )
    const spaces = loopbox.conversions.submit({ workspaceId, gifMediaId, idempotencyKey: "two words" })
    assert.strictEqual(await tagOf(spaces), "SchemaError")
  })

  it("erases a workspace", async () => {
    await using loopbox = await create()
    const { workspaceId, gifMediaId } = await uploadGif(loopbox)
    await loopbox.workspaces.erase(workspaceId)
    assert.strictEqual(await tagOf(loopbox.media.find(workspaceId, gifMediaId)), "WorkspaceNotFound")
    assert.deepStrictEqual((await loopbox.workspaces.list()).items, [])
  })
})

describe("createLoopbox: signals", () => {
  it("end the waiting with the signal's reason, not the job", async () => {
    const gate = Effect.runSync(Deferred.make<void>())
    await using loopbox = await create(engineThat(() => Deferred.await(gate)))
    const { workspaceId, gifMediaId } = await uploadGif(loopbox)
    const job = await loopbox.conversions.submit({ workspaceId, gifMediaId })
    const controller = new AbortController()
    const waiting = rejection(loopbox.conversions.wait(job, { signal: controller.signal }))
    const reason = new Error("no patience")
    controller.abort(reason)
    assert.strictEqual(await waiting, reason)
    assert.include(["queued", "processing"], (await loopbox.conversions.find(job)).status)
    await Effect.runPromise(Deferred.succeed(gate, undefined))
    assert.strictEqual((await loopbox.conversions.wait(job)).status, "succeeded")
  })

  it("that were aborted before let nothing begin", async () => {
    await using loopbox = await create()
    const { workspaceId, gifMediaId } = await uploadGif(loopbox)
    const signal = AbortSignal.abort(new Error("before"))
    await rejection(loopbox.conversions.submit({ workspaceId, gifMediaId }, { signal }))
    assert.lengthOf((await loopbox.conversions.list(workspaceId)).items, 0)
  })

  it("end an upload, of which nothing stays", async () => {
    await using loopbox = await create()
    const { workspaceId } = await uploadGif(loopbox)
    const controller = new AbortController()
    const closed = Promise.withResolvers<void>()
    async function* pieces() {
      try {
        yield smallGif
        controller.abort()
        yield smallGif
      } finally {
        closed.resolve()
      }
    }
    await rejection(loopbox.media.upload({ workspaceId, bytes: pieces() }, { signal: controller.signal }))
    await closed.promise
    assert.lengthOf((await loopbox.media.list(workspaceId)).items, 1)
  })
})

describe("createLoopbox: close", () => {
  it("tells functions that need what has ended that it has", async () => {
    const isOver = { now: false }
    const ending = Layer.effect(
      BlobStore,
      Effect.map(BlobStore, (blobs) =>
        BlobStore.of({
          ...blobs,
          write: (...request) => (isOver.now ? Effect.interrupt : blobs.write(...request))
        })
      )
    ).pipe(Layer.provide(MemoryAdapters.layer))
    const loopbox = await createLoopbox(MemoryAdapters.layer, ending)
    const { workspaceId } = await uploadGif(loopbox)
    await loopbox.close()
    isOver.now = true
    const error = await rejection(loopbox.media.upload({ workspaceId, bytes: smallGif }))
    assert.instanceOf(error, LoopboxClosed)
    assert.match(error.message, /^This Loopbox is closed/)
  })

  it("lets the running job finish, and only then gives the layers back", async () => {
    const order: Array<string> = []
    const [begun, gate] = [Effect.runSync(Deferred.make<void>()), Effect.runSync(Deferred.make<void>())]
    const engine = engineThat(() =>
      Deferred.succeed(begun, undefined).pipe(
        Effect.andThen(Deferred.await(gate)),
        Effect.andThen(Effect.sync(() => void order.push("encoded")))
      )
    )
    const resource = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => void order.push("released"))))
    const loopbox = await createLoopbox(MemoryAdapters.layer, engine, resource)
    const { workspaceId, gifMediaId } = await uploadGif(loopbox)
    const job = await loopbox.conversions.submit({ workspaceId, gifMediaId })
    await Effect.runPromise(Deferred.await(begun))
    const closing = loopbox.close()
    await Effect.runPromise(Deferred.succeed(gate, undefined))
    await closing
    assert.deepStrictEqual(order, ["encoded", "released"])
    assert.strictEqual((await loopbox.conversions.find(job)).status, "succeeded")
  })

  it("may be called twice", async () => {
    const loopbox = await create()
    await loopbox.close()
    await loopbox.close()
  })

  it("comes with the end of `await using`", async () => {
    let isReleased = false
    const resource = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => void (isReleased = true))))
    {
      await using loopbox = await createLoopbox(MemoryAdapters.layer, resource)
      await loopbox.workspaces.create({ name: "Test", plan: "free" })
      assert.isFalse(isReleased)
    }
    assert.isTrue(isReleased)
  })
})

describe("createLoopbox: layers", () => {
  it("names the ports that no layer gives", async () => {
    const error = await rejection(createLoopbox(FakeEncoder.layer()))
    assert.instanceOf(error, Error)
    assert.include(error.message, "ConversionStore")
    assert.include(error.message, "Workspaces")
    assert.include(error.message, "MemoryAdapters.layer")
    const blobs = MemoryBlobStore.layer.pipe(Layer.provideMerge(MemoryAdapters.layerCrypto))
    const less = await rejection(createLoopbox(blobs))
    assert.instanceOf(less, Error)
    assert.notInclude(less.message, "BlobStore")
    assert.include(less.message, "MediaStore")
  })

  it("gives back what was opened when a layer fails, and rejects with its error", async () => {
    let isReleased = false
    const resource = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => void (isReleased = true))))
    const broken = Layer.effectDiscard(Effect.fail(new Error("no database")))
    const error = await rejection(createLoopbox(resource, broken, MemoryAdapters.layer))
    assert.instanceOf(error, Error)
    assert.strictEqual(error.message, "no database")
    assert.isTrue(isReleased)
  })

  it("queues without an encoder, for a worker elsewhere", async () => {
    await using loopbox = await createLoopbox(MemoryAdapters.layer)
    const { workspaceId, gifMediaId } = await uploadGif(loopbox)
    const job = await loopbox.conversions.submit({ workspaceId, gifMediaId })
    assert.strictEqual(job.status, "queued")
    assert.deepInclude(await loopbox.conversions.cancel(job), { status: "failed", attempts: 0 })
    assert.strictEqual((await loopbox.conversions.wait(job)).error?.code, "canceled")
  })

  it("keeps two of them apart", async () => {
    await using first = await createLoopbox(MemoryAdapters.layer)
    await using second = await createLoopbox(MemoryAdapters.layer)
    const { workspaceId } = await uploadGif(first)
    assert.strictEqual(await tagOf(second.workspaces.find(workspaceId)), "WorkspaceNotFound")
  })

  it("is ready in under 100 ms in memory", async () => {
    const times: Array<number> = []
    // The processor's time, and the quickest of a few: the machine has other things to do, too.
    for (let i = 0; i < 10; i++) {
      const begun = process.cpuUsage()
      const loopbox = await create()
      const { system, user } = process.cpuUsage(begun)
      times.push((system + user) / 1000)
      await loopbox.close()
    }
    assert.isBelow(Math.min(...times), 100)
  })
})
