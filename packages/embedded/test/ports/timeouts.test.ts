import { BlobStore } from "@loopbox/core/media/BlobStore"
import { DashboardIdentity } from "@loopbox/core/access/DashboardIdentity"
import { Cause, DateTime, Deferred, Effect, Exit, Fiber, Redacted, Stream } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "@effect/vitest"
import { type Blobs, blobStore } from "../../src/ports/blobs.ts"
import { layerIdentify } from "../../src/ports/identity.ts"
import { mapBlobs } from "./mapBlobs.ts"

const never = async () => new Promise<never>(() => undefined)

/** What something fails with at last, when a time has passed. */
const failureAfter = <A, E>(waiting: Effect.Effect<A, E>, time: "5 seconds" | "30 seconds" | "60 seconds") =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(waiting)
    yield* TestClock.adjust(time)
    const exit = yield* Fiber.await(fiber)
    if (Exit.isSuccess(exit)) return assert.fail("it was answered")
    const error = Cause.squash(exit.cause)
    return error instanceof Error && error.cause instanceof Error
      ? [error.name, error.cause.message]
      : assert.fail(String(error))
  })

const hanging = (part: Partial<Blobs>) => blobStore({ ...mapBlobs(), ...part })

const withStore = <A, E>(part: Partial<Blobs>, use: (blobs: BlobStore["Service"]) => Effect.Effect<A, E>) =>
  BlobStore.use(use).pipe(Effect.provide(hanging(part)))

describe("a function that never answers", () => {
  it.effect("is an identity that is not available, after 5 seconds", () =>
    Effect.gen(function* () {
      const verify = DashboardIdentity.use((identity) => identity.verify(Redacted.make("token")))
      assert.deepStrictEqual(yield* failureAfter(Effect.provide(verify, layerIdentify(never)), "5 seconds"), [
        "IdentityUnavailable",
        "identity did not answer within 5s"
      ])
    })
  )

  it.effect("is a store of files that is not available, after 30 seconds", () =>
    Effect.gen(function* () {
      const hangs = (name: string) => ["StoreUnavailable", `blobs.${name} did not answer within 30s`]
      const read = (blobs: BlobStore["Service"]) => Stream.runCollect(blobs.read("a/b"))
      const stuck = async function* () {
        yield Uint8Array.of(1)
        await never()
      }
      const calls: ReadonlyArray<readonly [name: string, call: Effect.Effect<unknown, unknown>]> = [
        ["get", withStore({ get: never }, read)],
        ["get", withStore({ get: async () => stuck() }, read)],
        ["size", withStore({ size: never }, (blobs) => blobs.size("a/b"))],
        ["size", withStore({ size: never }, (blobs) => blobs.probe)],
        ["remove", withStore({ remove: never }, (blobs) => blobs.remove("a/b"))],
        [
          "list",
          withStore({ list: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) }, (blobs) =>
            Stream.runCollect(blobs.listOlder(DateTime.makeUnsafe(0)))
          )
        ]
      ]
      for (const [name, call] of calls) assert.deepStrictEqual(yield* failureAfter(call, "30 seconds"), hangs(name))
    })
  )

  it.effect("is a store that keeps nothing, within a minute", () =>
    Effect.gen(function* () {
      const readsOne: Blobs["put"] = async (_key, bytes) => {
        for await (const _chunk of bytes) await never()
      }
      for (const put of [never, readsOne]) {
        const write = withStore({ put }, (blobs) => blobs.write("a/b", Stream.make(Uint8Array.of(1), Uint8Array.of(2))))
        assert.deepStrictEqual(yield* failureAfter(write, "60 seconds"), [
          "StoreUnavailable",
          "blobs.put did not answer within 30s"
        ])
      }
    })
  )
})

describe("a slow sender", () => {
  it.effect("is no fault of the store that waits for its bytes", () =>
    Effect.gen(function* () {
      const more = yield* Deferred.make<void>()
      const bytes = Stream.concat(
        Stream.make(Uint8Array.of(1)),
        Stream.unwrap(Effect.as(Deferred.await(more), Stream.make(Uint8Array.of(2))))
      )
      const fiber = yield* Effect.forkChild(withStore({}, (blobs) => blobs.write("a/b", bytes)))
      yield* TestClock.adjust("10 minutes")
      yield* Deferred.succeed(more, undefined)
      assert.strictEqual((yield* Fiber.join(fiber)).sizeBytes, 2)
    })
  )
})
