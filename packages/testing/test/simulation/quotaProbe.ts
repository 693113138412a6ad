import { DateTime, Effect, Option, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { animatedGif } from "../../src/fakes/gifSamples.ts"
import { insist, usage } from "./invariants.ts"
import type { World } from "./World.ts"

/**
 * Where nothing fails and nobody else asks: a workspace uses up its conversions, is refused until a millisecond before the oldest
 * of them is a day old, and is admitted from then on. What it submits is taken back at once, and counts all the same.
 */
export const probeQuota = Effect.fnUntraced(function* ({ conversions, library, state }: World, id: WorkspaceId) {
  const workspace = state.workspaces.get(id)
  if (workspace === undefined) return
  const submit = Effect.gen(function* () {
    const bytes = Stream.make(animatedGif([10], { width: 2, height: 2 }))
    const file = { workspace, declaredType: Option.none(), filename: Option.none(), bytes }
    const { id: mediaId } = yield* Effect.orDie(library.upload(file))
    const asked = { workspaceId: id, gifMediaId: Option.some(mediaId), backgroundColor: Option.none() }
    const job = yield* Effect.result(conversions.submit({ ...asked, idempotencyKey: Option.none() }))
    if (Result.isSuccess(job)) yield* Effect.orDie(conversions.cancel(id, job.success.id))
    return Result.match(job, { onFailure: ({ _tag }) => _tag, onSuccess: () => "admitted" })
  })
  const used = Effect.map(DateTime.now, (now) => usage(state, id, now))
  const limit = (yield* used)?.limits.conversionsPer24Hours ?? 0
  if (limit === 0 || limit > 20) return
  for (let n = (yield* used)?.conversions ?? limit; n < limit; n++)
    insist((yield* submit) === "admitted", "refused with a free conversion")
  const leaving = (yield* used)?.acceptedAt.at(-limit)
  if (leaving === undefined) return
  const opens = DateTime.add(leaving, { hours: 24 })
  yield* TestClock.adjust(DateTime.distance(yield* DateTime.now, DateTime.subtract(opens, { milliseconds: 1 })))
  insist((yield* submit) === "ConversionRateExceeded", "more conversions than the plan has, before a day is over")
  yield* TestClock.adjust("1 millis")
  insist((yield* submit) === "admitted", "refused with a free conversion, after a day")
})
