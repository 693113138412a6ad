import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import * as Arbitrary from "effect/Arbitrary"
import { WorkspaceId } from "../../src/kernel/Ids.ts"
import { admit, type AdmissionFacts, blockingPlace, nextAdmission, quotaWindow } from "../../src/quota/Admission.ts"
import { Usage } from "../../src/usage/Usage.ts"
import { UsageStore } from "../../src/usage/UsageStore.ts"
import { firstHour, hourOf } from "../../src/usage/usageWindow.ts"
import { wholeNumber } from "@loopbox/testing/fixtures/arbitraries"
import { Workspace } from "../../src/workspaces/Workspace.ts"

const now = DateTime.makeUnsafe("2026-11-21T12:34:56.789Z")
const id = WorkspaceId.make("ws_01k9j8m2x4v6q8s0t2w4y6z8ab")
const noLimits = { activeJobs: Option.none(), conversionsPer24Hours: Option.none() }

const factsAt = (created: ReadonlyArray<DateTime.Utc>, limit: number, at: DateTime.Utc): AdmissionFacts => {
  const opens = DateTime.subtract(at, quotaWindow)
  const counted = created.filter((moment) => DateTime.isGreaterThan(moment, opens)).sort(DateTime.Order)
  const place = blockingPlace({ activeJobs: 1, conversionsPer24Hours: limit }, counted.length)
  return {
    activeJobs: 0,
    conversions: counted.length,
    blocking: Option.flatMapNullishOr(place, (index) => counted[index])
  }
}

const created = Arbitrary.map(Arbitrary.array(Arbitrary.schema(wholeNumber(0, 120)), { maxLength: 30 }), (quarters) =>
  quarters.map((quarter) => DateTime.subtract(now, { minutes: 15 * quarter }))
)

describe("Usage (api-2.md §16)", () => {
  it.prop(
    "tells the first moment at which one more conversion is admitted, and none where one is admitted now",
    [created, wholeNumber(1, 12)],
    ([moments, limit]) => {
      const limits = { activeJobs: 1, conversionsPer24Hours: limit }
      const isAdmitted = (at: DateTime.Utc) => Result.isSuccess(admit(limits, factsAt(moments, limit, at), at))
      const next = nextAdmission(factsAt(moments, limit, now))
      assert.strictEqual(Option.isNone(next), isAdmitted(now))
      if (Option.isNone(next)) return
      assert.isTrue(isAdmitted(next.value))
      assert.isFalse(isAdmitted(DateTime.subtract(next.value, { milliseconds: 1 })))
    }
  )

  it("counts items from the full hour 30 days ago", () => {
    assert.strictEqual(DateTime.formatIso(hourOf(now)), "2026-11-21T12:00:00.000Z")
    assert.strictEqual(DateTime.formatIso(firstHour(now)), "2026-10-22T12:00:00.000Z")
  })

  const workspace = new Workspace({ id, name: "Test", plan: "free", limits: noLimits, createdAt: now })
  const layerStore = Layer.succeed(
    UsageStore,
    UsageStore.of({
      read: (workspaceId, at) =>
        Effect.succeed(
          workspaceId === id
            ? Option.some({
                workspace,
                admission: { activeJobs: 2, conversions: 10, blocking: Option.some(at) },
                items: 3,
                posts: 4,
                storageBytes: 5
              })
            : Option.none()
        )
    })
  )

  it.effect("puts the limits in force beside what is used, and knows no other workspace", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(now))
      const usage = yield* Usage
      assert.deepStrictEqual(yield* usage.read(id), {
        plan: "free",
        limits: { activeJobs: 1, conversionsPer24Hours: 10 },
        activeJobs: 2,
        conversions: { used: 10, limit: 10, resetAt: Option.some(DateTime.add(now, { days: 1 })) },
        items30d: 3,
        posts30d: 4,
        storageBytes: 5
      })
      const other = WorkspaceId.make("ws_01k9j8m2x4v6q8s0t2w4y6z8ac")
      assert.strictEqual((yield* Effect.flip(usage.read(other)))._tag, "WorkspaceNotFound")
    }).pipe(Effect.provide(Usage.layer.pipe(Layer.provide(layerStore))))
  )
})
