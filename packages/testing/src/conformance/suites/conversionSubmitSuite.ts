import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { BackgroundColor } from "@loopbox/core/conversions/ConversionJob"
import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import type { SubmitFacts } from "@loopbox/core/jobs/JobStore"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { Workspace } from "@loopbox/core/workspaces/Workspace"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { CapacityExceeded } from "@loopbox/core/quota/QuotaErrors"
import {
  always,
  byLimits,
  claimed,
  conversion,
  epoch,
  makeGif,
  makeOutput,
  makePending,
  makeQueued,
  makeWorkspace,
  openConnections,
  type StorePorts,
  storeWorld
} from "../../fixtures/storeFixtures.ts"

const never = () => Result.fail(new CapacityExceeded({ limit: 0 }))

/** Submits one conversion for its facts only. */
const factsAt = Effect.fnUntraced(function* (media: Parameters<typeof conversion>[0], now: DateTime.Utc) {
  let seen: SubmitFacts | undefined
  const store = yield* ConversionStore
  yield* Effect.flip(
    store.submit(yield* conversion(media, now), (facts) => {
      seen = facts
      return never()
    })
  )
  return yield* Effect.fromNullishOr(seen).pipe(Effect.orDie)
})

/** Ended jobs, one at each of these times. */
const makeEnded = Effect.fnUntraced(function* (
  workspaceId: Workspace["id"],
  base: DateTime.Utc,
  hours: ReadonlyArray<number>
) {
  const store = yield* ConversionStore
  yield* Effect.forEach(hours, (hour) =>
    Effect.gen(function* () {
      const at = DateTime.add(base, { hours: hour })
      yield* makeQueued(workspaceId, at)
      const claim = yield* claimed(at)
      yield* store.succeed(claim, yield* makeOutput(claim), at)
    })
  )
})

const changePlan = Effect.fnUntraced(function* (workspace: Workspace, plan: Workspace["plan"]) {
  yield* (yield* Workspaces).update(workspace.id, (found) => Effect.succeed(new Workspace({ ...found, plan })))
})

/** Submit, look up and list. */
export const conversionSubmitSuite = <E>(adapter: string, stores: Layer.Layer<StorePorts, E>) =>
  layer(storeWorld(stores))(`ConversionStore, submit and list: ${adapter}`, (it) => {
    it.effect("queues a job and finds it by id and by key, in its workspace only", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const [workspace, other] = [yield* makeWorkspace("free", now), yield* makeWorkspace("free", now)]
        const job = yield* store.submit(yield* conversion(yield* makeGif(workspace.id, now), now, "key"), always)
        assert.strictEqual(job._tag, "QueuedJob")
        const key = IdempotencyKey.make("key")
        assert.deepStrictEqual(yield* store.find(workspace.id, job.id), Option.some(job))
        assert.deepStrictEqual(yield* store.findByKey(workspace.id, key), Option.some(job))
        assert.deepStrictEqual(yield* store.find(other.id, job.id), Option.none())
        assert.deepStrictEqual(yield* store.findByKey(other.id, key), Option.none())
      })
    )

    it.effect("replays the job of the same key and input as it is now, without asking for admission", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const input = yield* makeGif(workspace.id, now)
        yield* store.submit(yield* conversion(input, now, "key"), byLimits(now))
        const claim = yield* claimed(now)
        const ended = yield* store.succeed(claim, yield* makeOutput(claim), now)
        yield* (yield* MediaStore).remove(workspace.id, input.id, now)
        const later = DateTime.add(now, { hours: 1 })
        assert.deepStrictEqual(yield* store.submit(yield* conversion(input, later, "key"), never), ended)
        // A replay uses no quota.
        assert.strictEqual((yield* factsAt(input, later)).admission.conversions, 1)
      })
    )

    it.effect("refuses the same key with another input", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("team", now)
        const [one, other] = [yield* makeGif(workspace.id, now), yield* makeGif(workspace.id, now)]
        const first = yield* conversion(one, now, "key")
        const job = yield* store.submit(first, always)
        const otherMedia = yield* Effect.flip(store.submit(yield* conversion(other, now, "key"), always))
        assert.strictEqual(otherMedia._tag, "IdempotencyConflict")
        const black = { ...first, task: { ...first.task, backgroundColor: BackgroundColor.make("#000000") } }
        const otherColor = yield* Effect.flip(store.submit(black, always))
        assert.deepStrictEqual(otherColor._tag === "IdempotencyConflict" && otherColor.jobId, job.id)
      })
    )

    it.effect("makes one job of one key when it is submitted at once", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("team", now)
        const input = yield* makeGif(workspace.id, now)
        yield* openConnections(workspace.id)
        const jobs = yield* Effect.all(
          Array.from({ length: 20 }, () =>
            Effect.flatMap(conversion(input, now, "key"), (made) => store.submit(made, byLimits(now)))
          ),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(jobs.map(({ id }) => id)).size, 1)
      })
    )

    it.effect("uses a key up only when the submit is accepted", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const made = yield* conversion(yield* makeGif(workspace.id, now), now, "key")
        assert.strictEqual((yield* Effect.flip(store.submit(made, never)))._tag, "CapacityExceeded")
        assert.deepStrictEqual(yield* store.find(workspace.id, made.id), Option.none())
        assert.strictEqual((yield* store.submit(made, always)).id, made.id)
      })
    )

    it.effect("shows the judge the workspace and the media, a pending or foreign one as it is", () =>
      Effect.gen(function* () {
        const now = yield* epoch
        const workspace = yield* makeWorkspace("basic", now)
        const input = yield* makeGif(workspace.id, now)
        const facts = yield* factsAt(input, now)
        assert.deepStrictEqual(facts.workspace, workspace)
        assert.deepStrictEqual(facts.inputs, new Map([[input.id, input]]))
        const pending = yield* makePending(workspace.id, now)
        assert.deepStrictEqual((yield* factsAt(pending, now)).inputs.get(pending.id), pending)
        const other = yield* makeWorkspace("basic", now)
        assert.strictEqual((yield* factsAt({ ...input, workspaceId: other.id }, now)).inputs.size, 0)
      })
    )

    it.effect("admits exactly the free number of many submits at once", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("basic", now)
        const input = yield* makeGif(workspace.id, now)
        yield* openConnections(workspace.id)
        const outcomes = yield* Effect.all(
          Array.from({ length: 20 }, () =>
            Effect.flatMap(conversion(input, now), (made) => Effect.result(store.submit(made, byLimits(now))))
          ),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(outcomes.filter(Result.isSuccess).length, 2)
      })
    )

    it.effect("counts what another submit stored before, also where its time was taken a moment later", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const limits = { activeJobs: Option.some(50), conversionsPer24Hours: Option.some(10) }
        const workspace = yield* makeWorkspace("enterprise", now, limits)
        const input = yield* makeGif(workspace.id, now)
        yield* openConnections(workspace.id)
        // Each later submit has an earlier time, as after waiting for the lock.
        const outcomes = yield* Effect.all(
          Array.from({ length: 20 }, (_, i) => {
            const createdAt = DateTime.subtract(now, { milliseconds: i })
            return Effect.flatMap(conversion(input, createdAt), (made) =>
              Effect.result(store.submit(made, byLimits(createdAt)))
            )
          }),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(outcomes.filter(Result.isSuccess).length, 10)
      })
    )

    it.effect("counts conversions of the last 24 hours, the lower end not included, and active jobs", () =>
      Effect.gen(function* () {
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        yield* makeEnded(workspace.id, now, [0, 1, 24])
        const input = yield* makeGif(workspace.id, now)
        const at = (hours: number) =>
          Effect.map(factsAt(input, DateTime.add(now, { hours })), (facts) => facts.admission)
        assert.deepStrictEqual(yield* at(24), { activeJobs: 0, conversions: 2, blocking: Option.none() })
        yield* makeQueued(workspace.id, DateTime.add(now, { hours: 24 }))
        assert.deepStrictEqual(yield* at(24), { activeJobs: 1, conversions: 3, blocking: Option.none() })
        assert.strictEqual((yield* at(25)).conversions, 2)
        assert.strictEqual((yield* at(49)).conversions, 0)
      })
    )

    it.effect("names the conversion that must leave the window first, also after a downgrade", () =>
      Effect.gen(function* () {
        const now = yield* epoch
        const workspace = yield* makeWorkspace("api", now)
        const hours = Array.from({ length: 12 }, (_, i) => i)
        yield* makeEnded(workspace.id, now, hours)
        const input = yield* makeGif(workspace.id, now)
        const blocking = (plan: Workspace["plan"]) =>
          Effect.gen(function* () {
            yield* changePlan(workspace, plan)
            return (yield* factsAt(input, DateTime.add(now, { hours: 12 }))).admission.blocking
          })
        assert.deepStrictEqual(yield* blocking("api"), Option.none())
        // Twelve used, ten allowed: the third oldest must leave the window before another is admitted.
        assert.deepStrictEqual(yield* blocking("free"), Option.some(DateTime.add(now, { hours: 2 })))
      })
    )

    it.effect("names the oldest at the limit exactly, and none where nothing is allowed", () =>
      Effect.gen(function* () {
        const now = yield* epoch
        const limits = { activeJobs: Option.none(), conversionsPer24Hours: Option.some(2) }
        const workspace = yield* makeWorkspace("enterprise", now, limits)
        yield* makeEnded(workspace.id, now, [0, 1])
        const input = yield* makeGif(workspace.id, now)
        const later = DateTime.add(now, { hours: 2 })
        assert.deepStrictEqual((yield* factsAt(input, later)).admission.blocking, Option.some(now))
        const nothing = { activeJobs: Option.none(), conversionsPer24Hours: Option.some(0) }
        yield* (yield* Workspaces).update(workspace.id, (found) =>
          Effect.succeed(new Workspace({ ...found, limits: nothing }))
        )
        assert.deepStrictEqual((yield* factsAt(input, later)).admission.blocking, Option.none())
      })
    )

    it.effect("lists newest first, all or of one status, page by page", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("team", now)
        yield* makeEnded(workspace.id, now, [0])
        const queued = yield* Effect.forEach([1, 2, 3], (seconds) =>
          makeQueued(workspace.id, DateTime.add(now, { seconds }))
        )
        const newest = yield* store.list(workspace.id, Option.some("queued"), { limit: 2, after: Option.none() })
        assert.strictEqual(newest.items.length, 2)
        const rest = yield* store.list(workspace.id, Option.some("queued"), { limit: 2, after: newest.next })
        assert.deepStrictEqual([...newest.items, ...rest.items], queued.toReversed())
        assert.deepStrictEqual(rest.next, Option.none())
        const all = yield* store.list(workspace.id, Option.none(), { limit: 10, after: Option.none() })
        assert.deepStrictEqual(
          all.items.map(({ _tag }) => _tag),
          ["QueuedJob", "QueuedJob", "QueuedJob", "SucceededJob"]
        )
        const failed = yield* store.list(workspace.id, Option.some("failed"), { limit: 10, after: Option.none() })
        assert.deepStrictEqual(failed.items, [])
      })
    )
  })
