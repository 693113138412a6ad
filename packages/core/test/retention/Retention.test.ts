import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { keepUnfinishedUntil, keepUploadUntil } from "../../src/media/keepUpload.ts"
import { type Plan, plans } from "../../src/workspaces/Plan.ts"
import { keepUntil } from "../../src/retention/Retention.ts"
import { moment, plan } from "@loopbox/testing/fixtures/arbitraries"

/** §8.4, as it is printed. */
const table: Record<Plan, readonly [succeeded: number, failed: number]> = {
  free: [1, 2],
  api: [2, 4],
  basic: [4, 8],
  growth: [15, 30],
  team: [30, 60],
  enterprise: [30, 60]
}

const at = DateTime.makeUnsafe("2026-11-21T12:34:56.789Z")
const daysFrom = (from: DateTime.Utc, to: DateTime.Utc) =>
  (DateTime.toEpochMillis(to) - DateTime.toEpochMillis(from)) / 86_400_000

describe("keepUntil (§8.4)", () => {
  for (const name of plans) {
    const [succeeded, failed] = table[name]
    it(`keeps the files of ${name} ${succeeded} days after success and ${failed} after failure`, () => {
      assert.strictEqual(daysFrom(at, keepUntil(name, "succeeded", at)), succeeded)
      assert.strictEqual(daysFrom(at, keepUntil(name, "failed", at)), failed)
      assert.strictEqual(daysFrom(at, keepUploadUntil(name, at)), succeeded)
    })
  }

  it.prop(
    "counts whole days of 24 hours from any moment, whatever the season",
    [plan, Schema.Literals(["succeeded", "failed"]), moment],
    ([name, outcome, from]) => {
      assert.strictEqual(daysFrom(from, keepUntil(name, outcome, from)), table[name][outcome === "succeeded" ? 0 : 1])
    }
  )

  it("keeps an unfinished upload for 7 days", () => {
    assert.strictEqual(daysFrom(at, keepUnfinishedUntil(at)), 7)
  })
})
