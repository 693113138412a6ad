import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { type Plan, plans } from "../../src/workspaces/Plan.ts"
import { limitsOf } from "../../src/workspaces/Limits.ts"
import { plan, wholeNumber } from "@loopbox/testing/fixtures/arbitraries"

const none = { activeJobs: Option.none<number>(), conversionsPer24Hours: Option.none<number>() }

/** §8.3, as it is printed. */
const table: Record<Plan, readonly [active: number, perDay: number]> = {
  free: [1, 10],
  api: [2, 50],
  basic: [2, 100],
  growth: [4, 300],
  team: [6, 1_000],
  enterprise: [6, 1_000]
}

describe("limitsOf (§8.3)", () => {
  for (const name of plans) {
    it(`gives ${name} the figures of its plan`, () => {
      const [activeJobs, conversionsPer24Hours] = table[name]
      assert.deepStrictEqual(limitsOf({ plan: name, limits: none }), { activeJobs, conversionsPer24Hours })
    })
  }

  it.prop(
    "lets a contract override either figure, and only of enterprise",
    [plan, Schema.Option(wholeNumber(0, 50)), Schema.Option(wholeNumber(0, 5000))],
    ([name, activeJobs, conversionsPer24Hours]) => {
      const [active, perDay] = table[name]
      const isEnterprise = name === "enterprise"
      assert.deepStrictEqual(limitsOf({ plan: name, limits: { activeJobs, conversionsPer24Hours } }), {
        activeJobs: isEnterprise ? Option.getOrElse(activeJobs, () => active) : active,
        conversionsPer24Hours: isEnterprise ? Option.getOrElse(conversionsPer24Hours, () => perDay) : perDay
      })
    }
  )
})
