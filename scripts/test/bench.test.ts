import { assert, describe, it } from "vitest"
import type { Benchmark } from "../../bench/Benchmark.ts"
import { benchmarks } from "../../bench/benchmarks.ts"
import { listing, report } from "../../bench/report.ts"

const benchmark: Benchmark = {
  name: "copying",
  description: "copying a file against cp",
  better: "lower",
  wanted: 1.05,
  run: () => Promise.resolve({ ours: 1.5, baseline: 3, unit: "s" })
}

describe("npm run bench", () => {
  it("lists name and description", async () => {
    const lines = await listing(new Map([["copying", () => Promise.resolve(benchmark)]]))
    assert.deepStrictEqual(lines, ["copying: copying a file against cp"])
  })

  it("knows every benchmark by its own name", async () => {
    for (const [name, load] of benchmarks) assert.strictEqual((await load()).name, name)
  })

  it("ends with the ratio in one form", async () => {
    const lines = report(benchmark, await benchmark.run())
    assert.strictEqual(lines.at(-1), "copying: ratio 0.5 (ours 1.5, baseline 3, wanted 1.05)")
  })

  it("takes a ratio that was measured pair by pair, and rounds to four digits", () => {
    const lines = report(benchmark, { ours: 1234.5678, baseline: 0.00012344, unit: "ms", ratio: 1.04996 })
    assert.strictEqual(lines.at(-1), "copying: ratio 1.05 (ours 1235, baseline 0.0001234, wanted 1.05)")
  })

  it("says whether the promise was kept, on either side", () => {
    assert.match(report(benchmark, { ours: 1.06, baseline: 1, unit: "s" })[0] ?? "", /NOT reached/)
    assert.notMatch(report(benchmark, { ours: 1.05, baseline: 1, unit: "s" })[0] ?? "", /NOT/)
    const higher: Benchmark = { ...benchmark, better: "higher", wanted: 5 }
    assert.match(report(higher, { ours: 4.9, baseline: 1, unit: "x" })[0] ?? "", /NOT reached/)
  })
})
