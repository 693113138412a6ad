import { assert, describe, it } from "@effect/vitest"
import { chartsOf, curveName, rowsOf, summaryOf } from "../../src/console/activity/charts.ts"

const report = {
  step_seconds: 10,
  times: [1_795_406_400, 1_795_406_410, 1_795_406_420],
  series: [
    { name: "own_seconds", label: "a", values: [null, null, 1] },
    { name: "requests", label: "2xx", values: [1, 0, 3] },
    { name: "requests", label: "5xx", values: [0, 0, null] },
    { name: "replies", label: "sent", values: [0, null, 0] }
  ]
}

describe("charts of what a host did", () => {
  it("name a curve by its state, and by whose state it is", () => {
    const labels = { replies: "Replies", outcome_unknown: "Unknown" }
    assert.strictEqual(curveName("outcome_unknown", labels), "Unknown")
    assert.strictEqual(curveName("replies_outcome_unknown", labels), "Replies: Unknown")
    assert.strictEqual(curveName("replies_of_a_newer_host", labels), "replies of a newer host")
  })

  it("hold the curves of a name together, known names first", () => {
    const charts = chartsOf(report, ["replies", "requests"])
    assert.deepStrictEqual(
      charts.map(({ curves, hasAny, name, unit }) => [name, unit, hasAny, curves.map(({ label }) => label)]),
      [
        ["replies", "count", false, ["sent"]],
        ["requests", "count", true, ["2xx", "5xx"]],
        ["own_seconds", "seconds", true, ["a"]]
      ]
    )
  })

  it("have a table of what was not nothing, the newest first", () => {
    const [, requests] = chartsOf(report, ["replies", "requests"])
    if (requests === undefined) return assert.fail("no chart")
    assert.deepStrictEqual(rowsOf(requests, report.times), [
      { time: 1_795_406_420, values: [3, null] },
      { time: 1_795_406_400, values: [1, 0] }
    ])
    assert.strictEqual(rowsOf(requests, report.times, 1).length, 1)
  })

  it("say how many there were, and of a time, a share or a queue where it stands", () => {
    assert.strictEqual(summaryOf({ name: "requests", unit: "count" }, [1, null, 3]), 4)
    assert.strictEqual(summaryOf({ name: "queue_depth", unit: "count" }, [7, 2, null]), 2)
    assert.strictEqual(summaryOf({ name: "request_seconds", unit: "seconds" }, [0.2, 0.1]), 0.1)
    assert.isNull(summaryOf({ name: "network_budget", unit: "percent" }, [null]))
  })
})
