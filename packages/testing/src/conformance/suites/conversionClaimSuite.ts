import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { abandonedFailure, failure } from "@loopbox/core/conversions/failures"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { keepUntil } from "@loopbox/core/retention/Retention"
import {
  always,
  claimAt,
  claimed,
  conversion,
  epoch,
  keptUntil,
  makeGif,
  makeQueued,
  makeWorkspace,
  type StorePorts,
  storeWorld
} from "../../fixtures/storeFixtures.ts"
import { jobLeaseContract } from "../jobLeaseContract.ts"

/** Claims and leases. */
export const conversionClaimSuite = <E>(adapter: string, stores: Layer.Layer<StorePorts, E>) =>
  layer(storeWorld(stores))(`ConversionStore, claim: ${adapter}`, (it) => {
    jobLeaseContract(it, {
      what: "conversion",
      store: Effect.service(ConversionStore),
      queue: makeQueued,
      failure: failure("gif_decode_failed")
    })

    it.effect("gives the job that waits longest, with its input", () =>
      Effect.gen(function* () {
        const now = yield* epoch
        const later = DateTime.add(now, { seconds: 1 })
        const workspace = yield* makeWorkspace("team", now)
        const second = yield* makeQueued(workspace.id, later)
        const first = yield* makeQueued(workspace.id, now)
        const claim = yield* claimed(later)
        assert.strictEqual(claim.job.id, first.id)
        assert.deepStrictEqual(claim.job.startedAt, later)
        assert.strictEqual(claim.job.attempts, 1)
        assert.strictEqual(claim.job.progress, 0)
        assert.deepStrictEqual(Array.from(claim.inputs.keys()), [first.task.gifMediaId])
        assert.strictEqual((yield* claimed(later)).job.id, second.id)
        assert.strictEqual((yield* claimAt(later))._tag, "Nothing")
      })
    )

    it.effect("gives no job before its time on the lease clock", () =>
      Effect.gen(function* () {
        const now = yield* epoch
        const workspace = yield* makeWorkspace("team", now)
        yield* makeQueued(workspace.id, now)
        assert.strictEqual((yield* claimAt(DateTime.subtract(now, { milliseconds: 1 })))._tag, "Nothing")
        yield* claimed(now)
      })
    )

    it.effect("gives a job with a lost lease again: processing as before, one more attempt, the same start", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        yield* makeQueued(workspace.id, now)
        const lost = yield* claimed(now)
        yield* store.renew(lost, DateTime.add(now, { seconds: 20 }), 0.25)
        assert.strictEqual((yield* claimAt(DateTime.add(now, { seconds: 19 })))._tag, "Nothing")
        const again = yield* claimed(DateTime.add(now, { seconds: 20 }))
        assert.strictEqual(again.job.id, lost.job.id)
        assert.strictEqual(again.job.attempts, 2)
        assert.strictEqual(again.job.progress, 0.25)
        assert.deepStrictEqual(again.job.startedAt, now)
      })
    )

    it.effect("lets a job that lost its worker go before all that are queued", () =>
      Effect.gen(function* () {
        const now = yield* epoch
        const workspace = yield* makeWorkspace("team", now)
        const lost = yield* makeQueued(workspace.id, now)
        yield* claimed(now)
        const queued = yield* makeQueued(workspace.id, DateTime.add(now, { seconds: 1 }))
        const later = DateTime.add(now, { seconds: 15 })
        assert.strictEqual((yield* claimed(later)).job.id, lost.id)
        assert.strictEqual((yield* claimed(later)).job.id, queued.id)
      })
    )

    it.effect("lets no progress fall", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const { id } = yield* makeQueued(workspace.id, now)
        const claim = yield* claimed(now)
        const seen: Array<unknown> = []
        for (const progress of [0.5, 0.2, 0.75, 0]) {
          yield* store.renew(claim, DateTime.add(now, { seconds: 15 }), progress)
          const job = Option.getOrThrow(yield* store.find(workspace.id, id))
          seen.push(job._tag === "ProcessingJob" && job.progress)
        }
        assert.deepStrictEqual(seen, [0.5, 0.5, 0.75, 0.75])
      })
    )

    it.effect("gives a released job at once and counts no attempt for that claim", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        yield* makeQueued(workspace.id, now)
        const first = yield* claimed(now)
        yield* store.release(first, now)
        const job = Option.getOrThrow(yield* store.find(workspace.id, first.job.id))
        assert.strictEqual(job._tag, "ProcessingJob")
        const second = yield* claimed(now)
        assert.deepStrictEqual(second.job, first.job)
        const third = yield* claimed(DateTime.add(now, { seconds: 15 }))
        assert.strictEqual(third.job.attempts, 2)
      })
    )

    it.effect("ends a job whose last attempt lost its lease, but not one that was handed back", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const at = (seconds: number) => DateTime.add(now, { seconds })
        const workspace = yield* makeWorkspace("basic", now)
        const input = yield* makeGif(workspace.id, now)
        const queued = yield* store.submit(yield* conversion(input, now), always)
        yield* claimed(now, 2)
        const last = yield* claimed(at(15), 2)
        yield* store.release(last, at(16))
        assert.strictEqual((yield* claimed(at(16), 2)).job.attempts, 2)
        const outcome = yield* claimAt(at(31), 2)
        if (outcome._tag !== "Abandoned") return assert.fail(`found ${outcome._tag}`)
        assert.deepStrictEqual([outcome.job.failure, outcome.job.attempts], [abandonedFailure, 2])
        assert.deepStrictEqual(yield* store.find(workspace.id, queued.id), Option.some(outcome.job))
        assert.deepStrictEqual(yield* keptUntil(workspace.id, input.id), keepUntil("basic", "failed", at(31)))
        assert.strictEqual((yield* claimAt(at(60), 2))._tag, "Nothing")
      })
    )
  })
