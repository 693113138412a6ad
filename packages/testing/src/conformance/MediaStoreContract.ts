import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { MediaNotFound } from "@loopbox/core/media/MediaErrors"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { ReadyMedia } from "@loopbox/core/media/Media"
import * as Result from "effect/Result"
import {
  bytes,
  claimed,
  conversion,
  epoch,
  gif,
  makeGif,
  makeOutput,
  makePending,
  makeWorkspace,
  openConnections,
  pendingGif,
  type StorePorts,
  storeWorld
} from "../fixtures/storeFixtures.ts"

/** What every adapter of the port MediaStore does. */
export const mediaStoreContract = <E>(adapter: string, stores: Layer.Layer<StorePorts, E>) =>
  layer(storeWorld(stores))(`MediaStore: ${adapter}`, (it) => {
    it.effect("gives back a ready and a pending record, in their workspace only", () =>
      Effect.gen(function* () {
        const media = yield* MediaStore
        const now = yield* epoch
        const [workspace, other] = [yield* makeWorkspace("free", now), yield* makeWorkspace("free", now)]
        const ready = yield* makeGif(workspace.id, now)
        const pending = yield* makePending(workspace.id, now)
        assert.deepStrictEqual(yield* media.find(workspace.id, ready.id), Option.some(ready))
        assert.deepStrictEqual(yield* media.find(workspace.id, pending.id), Option.some(pending))
        assert.deepStrictEqual(yield* media.find(other.id, ready.id), Option.none())
        assert.deepStrictEqual(yield* media.findLinked(ready.id), Option.some(ready))
      })
    )

    it.effect("keeps a file name with U+0000 instead of failing", () =>
      Effect.gen(function* () {
        const media = yield* MediaStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const named = new ReadyMedia({ ...(yield* gif(workspace.id, now)), filename: Option.some("a\0b") })
        yield* media.insert(named)
        assert.isTrue(Option.isSome(yield* media.find(workspace.id, named.id)))
      })
    )

    it.effect("lists live records newest first, page by page", () =>
      Effect.gen(function* () {
        const media = yield* MediaStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const made = yield* Effect.forEach([1, 2, 3], (seconds) =>
          makeGif(workspace.id, DateTime.add(now, { seconds }))
        )
        const removed = yield* makeGif(workspace.id, DateTime.add(now, { seconds: 2 }))
        yield* media.remove(workspace.id, removed.id, now)
        const newest = yield* media.list(workspace.id, { limit: 2, after: Option.none() })
        assert.strictEqual(newest.items.length, 2)
        const rest = yield* media.list(workspace.id, { limit: 2, after: newest.next })
        assert.deepStrictEqual([...newest.items, ...rest.items], made.toReversed())
        assert.deepStrictEqual(rest.next, Option.none())
      })
    )

    it.effect("lets the first of several uploads at once finish a reservation", () =>
      Effect.gen(function* () {
        const media = yield* MediaStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const pending = yield* makePending(workspace.id, now)
        yield* openConnections(workspace.id)
        const uploads = ["a", "b", "c", "d", "e"].map((name) => ({
          ...bytes(`${workspace.id}/${name}`),
          contentType: "video/mp4" as const,
          keepUntil: DateTime.add(now, { days: 1 })
        }))
        const finished = yield* Effect.all(
          uploads.map((upload) => Effect.result(media.finish(pending, upload))),
          { concurrency: "unbounded" }
        )
        const winners = finished.filter(Result.isSuccess).map(({ success }) => success)
        const losers = finished.filter(Result.isFailure).map(({ failure }) => failure._tag)
        assert.strictEqual(winners.length, 1)
        assert.deepStrictEqual(
          losers,
          Array.from({ length: 4 }, () => "UploadAlreadyFinished")
        )
        assert.deepStrictEqual(yield* media.find(workspace.id, pending.id), Option.fromUndefinedOr(winners[0]))
        assert.strictEqual(winners[0]?.contentType, "video/mp4")
      })
    )

    it.effect("reserves once for each content hash of a workspace, until that record is removed", () =>
      Effect.gen(function* () {
        const media = yield* MediaStore
        const now = yield* epoch
        const [workspace, other] = [yield* makeWorkspace("free", now), yield* makeWorkspace("free", now)]
        yield* openConnections(workspace.id)
        const reserved = yield* Effect.all(
          Array.from({ length: 5 }, () =>
            Effect.flatMap(pendingGif(workspace.id, now), (pending) => media.insertOnce(pending, "hash"))
          ),
          { concurrency: "unbounded" }
        )
        const [winner] = reserved
        if (winner?._tag !== "PendingMedia") return assert.fail("no reservation")
        assert.deepStrictEqual(new Set(reserved.map(({ id }) => id)), new Set([winner.id]))
        assert.strictEqual((yield* media.list(workspace.id, { limit: 10, after: Option.none() })).items.length, 1)

        const upload = { ...bytes(`${workspace.id}/x`), contentType: "image/gif" as const, keepUntil: now }
        const ready = yield* media.finish(winner, upload)
        assert.deepStrictEqual(yield* media.insertOnce(yield* pendingGif(workspace.id, now), "hash"), ready)
        const third = yield* pendingGif(workspace.id, now)
        assert.deepStrictEqual(yield* media.insertOnce(third, "another"), third)
        const elsewhere = yield* pendingGif(other.id, now)
        assert.deepStrictEqual(yield* media.insertOnce(elsewhere, "hash"), elsewhere)

        yield* media.remove(workspace.id, ready.id, now)
        const again = yield* pendingGif(workspace.id, now)
        assert.deepStrictEqual(yield* media.insertOnce(again, "hash"), again)
      })
    )

    it.effect("finishes no reservation that was removed", () =>
      Effect.gen(function* () {
        const media = yield* MediaStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const pending = yield* makePending(workspace.id, now)
        yield* media.remove(workspace.id, pending.id, now)
        const upload = { ...bytes(`${workspace.id}/x`), contentType: "image/gif" as const, keepUntil: now }
        assert.strictEqual((yield* Effect.flip(media.finish(pending, upload)))._tag, "MediaNotFound")
      })
    )

    it.effect("adds what an examination found out, to the record of this workspace only", () =>
      Effect.gen(function* () {
        const media = yield* MediaStore
        const now = yield* epoch
        const [workspace, other] = [yield* makeWorkspace("free", now), yield* makeWorkspace("free", now)]
        const ready = yield* makeGif(workspace.id, now)
        const examined = {
          width: Option.some(640),
          height: Option.some(360),
          durationMs: Option.some(4_000),
          traits: Option.some({
            frameRate: Option.some(29.97),
            frames: Option.some(120),
            videoCodec: Option.some("avc1"),
            audioCodec: Option.none()
          })
        }
        yield* media.describe({ workspaceId: other.id, id: ready.id }, examined)
        assert.deepStrictEqual(yield* media.find(workspace.id, ready.id), Option.some(ready))
        yield* media.describe(ready, examined)
        const described = new ReadyMedia({ ...ready, ...examined })
        assert.deepStrictEqual(yield* media.find(workspace.id, ready.id), Option.some(described))
        yield* media.remove(workspace.id, ready.id, now)
        yield* media.describe(ready, examined)
        assert.deepStrictEqual(yield* media.find(workspace.id, ready.id), Option.none())
      })
    )

    it.effect("removes a record once, and of its workspace only", () =>
      Effect.gen(function* () {
        const media = yield* MediaStore
        const now = yield* epoch
        const [workspace, other] = [yield* makeWorkspace("free", now), yield* makeWorkspace("free", now)]
        const ready = yield* makeGif(workspace.id, now)
        assert.strictEqual((yield* Effect.flip(media.remove(other.id, ready.id, now)))._tag, "MediaNotFound")
        assert.deepStrictEqual(yield* media.remove(workspace.id, ready.id, now), ready)
        assert.strictEqual((yield* Effect.flip(media.remove(workspace.id, ready.id, now)))._tag, "MediaNotFound")
        assert.deepStrictEqual(yield* media.findLinked(ready.id), Option.none())
      })
    )

    it.effect("refuses to remove what a queued or processing job reads, until it has ended", () =>
      Effect.gen(function* () {
        const [media, store] = [yield* MediaStore, yield* ConversionStore]
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const input = yield* makeGif(workspace.id, now)
        yield* store.submit(yield* conversion(input, now), () => Result.succeed(undefined))
        assert.strictEqual((yield* Effect.flip(media.remove(workspace.id, input.id, now)))._tag, "MediaInUse")
        const claim = yield* claimed(now)
        assert.strictEqual((yield* Effect.flip(media.remove(workspace.id, input.id, now)))._tag, "MediaInUse")
        yield* store.succeed(claim, yield* makeOutput(claim), now)
        yield* media.remove(workspace.id, input.id, now)
      })
    )

    it.effect("never removes a file under a job that is submitted at the same time", () =>
      Effect.gen(function* () {
        const [media, store] = [yield* MediaStore, yield* ConversionStore]
        const now = yield* epoch
        const workspace = yield* makeWorkspace("team", now)
        yield* openConnections(workspace.id)
        const rounds = yield* Effect.forEach(Array.from({ length: 10 }), () => makeGif(workspace.id, now))
        const outcomes = yield* Effect.forEach(
          rounds,
          (input) =>
            Effect.gen(function* () {
              const job = yield* conversion(input, now)
              const submit = store.submit(job, (facts) =>
                facts.inputs.has(input.id)
                  ? Result.succeed(undefined)
                  : Result.fail(new MediaNotFound({ mediaId: input.id }))
              )
              const both = [Effect.exit(submit), Effect.exit(media.remove(workspace.id, input.id, now))] as const
              const [submitted, removed] = yield* Effect.all(both, { concurrency: "unbounded" })
              return Exit.isSuccess(submitted) !== Exit.isSuccess(removed)
            }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          outcomes,
          Array.from({ length: 10 }, () => true)
        )
      })
    )
  })
