import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto"
import { conversionKind } from "@loopbox/core/conversions/conversionKind"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { SyncId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { typeOfJobEnd } from "@loopbox/core/outgoing/eventPatterns"
import { overlayKind } from "@loopbox/core/overlays/overlayKind"
import { OverlayStore } from "@loopbox/core/overlays/OverlayStore"
import { addEndpoint } from "../fixtures/laneFixtures.ts"
import { claimedOverlay, makeQueuedOverlay } from "../fixtures/overlayFixtures.ts"
import {
  claimAt,
  claimed,
  epoch,
  makeOutput,
  makeQueued,
  makeWorkspace,
  openConnections,
  type StorePorts
} from "../fixtures/storeFixtures.ts"

const { abandoned, canceled, timedOut } = conversionKind.failures

const endsOf = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
  const { events, jobEnds } = yield* (yield* InboxEvents).read(workspaceId, 0, 100)
  assert.deepStrictEqual(events, [])
  return jobEnds.map(({ at, event, seq }) => ({ seq, at, kind: event.kind, jobId: event.jobId }))
})

/** A workspace with an endpoint that names the ends of all kinds of jobs. */
const makeListening = Effect.fnUntraced(function* (now: DateTime.Utc) {
  const workspace = yield* makeWorkspace("team", now)
  yield* addEndpoint(workspace.id, now, { events: Option.some(Object.values(typeOfJobEnd)) })
  return workspace
})

/**
 * What every adapter of ConversionStore and OverlayStore writes into the log when a job ends: one event, whoever ends it,
 * where an endpoint names its type.
 */
export const jobEndsContract = <E>(
  adapter: string,
  stores: Layer.Layer<StorePorts | InboxEvents | OutgoingEndpointStore, E>
) =>
  layer(Layer.merge(stores, SecureRandom.layerWebCrypto))(`Ends of media jobs in the log: ${adapter}`, (it) => {
    it.effect("are written once when a job succeeds, fails or is canceled, also when its end is repeated", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const end = DateTime.add(now, { seconds: 2 })
        const { id } = yield* makeListening(now)
        const first = yield* makeQueued(id, now)
        assert.deepStrictEqual(yield* endsOf(id), [])
        const claim = yield* claimed(now)
        assert.deepStrictEqual(yield* endsOf(id), [])
        const output = yield* makeOutput(claim)
        yield* store.succeed(claim, output, end)
        yield* store.succeed(claim, output, DateTime.add(end, { seconds: 1 }))
        yield* Effect.flip(store.cancel(id, first.id, canceled, end))
        const second = yield* makeQueued(id, now)
        const failing = yield* claimed(now)
        yield* store.fail(failing, timedOut, end)
        yield* store.fail(failing, timedOut, end)
        const third = yield* makeQueued(id, now)
        yield* store.cancel(id, third.id, canceled, end)
        yield* Effect.flip(store.cancel(id, third.id, canceled, end))
        const kind = "gif_to_mp4"
        assert.deepStrictEqual(
          yield* endsOf(id),
          [first, second, third].map((job, n) => ({ seq: n + 1, at: end, kind, jobId: job.id }))
        )
      })
    )

    it.effect("are not written where no endpoint names their type: nobody else is to hear of them", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const { id } = yield* makeWorkspace("team", now)
        const other = yield* makeListening(now)
        yield* addEndpoint(id, now)
        yield* addEndpoint(id, now, { events: Option.some(["media.*", typeOfJobEnd.audio_overlay]) })
        for (const workspaceId of [id, other.id]) {
          const { id: jobId } = yield* makeQueued(workspaceId, now)
          yield* store.cancel(workspaceId, jobId, canceled, now)
        }
        assert.deepStrictEqual(yield* endsOf(id), [])
        assert.strictEqual((yield* endsOf(other.id)).length, 1)
      })
    )

    it.effect("are written for a job whose workers have died, and not for one that goes on", () =>
      Effect.gen(function* () {
        const now = yield* epoch
        const { id } = yield* makeListening(now)
        const job = yield* makeQueued(id, now)
        yield* claimed(now)
        const later = DateTime.add(now, { hours: 1 })
        yield* claimed(later, 2)
        assert.deepStrictEqual(yield* endsOf(id), [])
        const last = DateTime.add(now, { hours: 2 })
        const outcome = yield* claimAt(last, 2)
        assert.isTrue(outcome._tag === "Abandoned" && outcome.job.failure.code === abandoned.code)
        yield* claimAt(last, 2)
        assert.deepStrictEqual(yield* endsOf(id), [{ seq: 1, at: last, kind: "gif_to_mp4", jobId: job.id }])
      })
    )

    it.effect("are one where a worker, another worker and a caller end the same job at once", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const { id } = yield* makeListening(now)
        yield* openConnections(id)
        for (let n = 0; n < 5; n++) {
          const job = yield* makeQueued(id, now)
          const claim = yield* claimed(now)
          const output = yield* makeOutput(claim)
          const isEnded = yield* Effect.all(
            [
              Effect.isSuccess(store.succeed(claim, output, now)),
              Effect.isSuccess(store.succeed(claim, output, now)),
              Effect.isSuccess(store.fail(claim, timedOut, now)),
              Effect.isSuccess(store.cancel(id, job.id, canceled, now))
            ],
            { concurrency: 4 }
          )
          assert.isTrue(isEnded.includes(true))
        }
        const ended = yield* endsOf(id)
        assert.deepStrictEqual(
          ended.map(({ seq }) => seq),
          [1, 2, 3, 4, 5]
        )
        assert.strictEqual(new Set(ended.map(({ jobId }) => jobId)).size, 5)
      })
    )

    it.effect("have their numbers between the events of the inbox, and pages count them", () =>
      Effect.gen(function* () {
        const [events, store] = [yield* InboxEvents, yield* OverlayStore]
        const now = yield* epoch
        const { id } = yield* makeListening(now)
        const syncId = SyncId.make("syn_00000000000000000000000000")
        const done = { _tag: "SyncCompleted", externalUserId: Option.none(), syncId, newItems: 0 } as const
        yield* events.publish(id, [done], now)
        const { job } = yield* makeQueuedOverlay(id, now)
        yield* store.fail(yield* claimedOverlay(now), overlayKind.failures.timedOut, now)
        yield* events.publish(id, [done], now)
        const first = yield* events.read(id, 0, 2)
        assert.deepStrictEqual([first.events.length, first.last], [1, 3])
        assert.deepStrictEqual(first.jobEnds, [
          { seq: 2, at: now, event: { _tag: "JobEnded", kind: "audio_overlay", jobId: job.id } }
        ])
        const rest = yield* events.read(id, 2, 2)
        assert.deepStrictEqual(
          rest.events.map(({ seq }) => seq),
          [3]
        )
        assert.deepStrictEqual([rest.anchor, rest.jobEnds], [Option.some(now), []])
      })
    )
  })
