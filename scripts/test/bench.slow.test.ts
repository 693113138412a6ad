import { assert, describe, it } from "vitest"
import type { Benchmark } from "../../bench/Benchmark.ts"
import { benchmarks } from "../../bench/benchmarks.ts"
import { listing, report } from "../../bench/report.ts"
import { FrameCounter, pingFrame } from "../../bench/sockets/frameCounter.ts"

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

  it("says of each further baseline whether what is wanted was reached", () => {
    const beside = [
      { what: "one", ratio: 0.9, wanted: 1 },
      { what: "another", ratio: 2, wanted: 1 }
    ]
    const higher: Benchmark = { ...benchmark, better: "higher", wanted: 0.9 }
    const lines = report(higher, { ours: 1, baseline: 1, unit: "jobs a second", beside })
    assert.strictEqual(lines[0], "beside one: ratio 0.9 (wanted 1): NOT reached")
    assert.strictEqual(lines[1], "beside another: ratio 2 (wanted 1): reached")
  })

  it("says before the verdict what else was measured", () => {
    const lines = report(benchmark, { ours: 1, baseline: 2, unit: "ms", notes: ["p99: 7 ms"] })
    assert.strictEqual(lines[0], "p99: 7 ms")
  })
})

describe("the crowd of WebSocket clients", () => {
  /** An unmasked frame, as servers send them. */
  const frame = (opcode: number, size_bytes: number): Buffer => {
    const head = Buffer.from([0x80 | opcode, size_bytes < 126 ? size_bytes : size_bytes < 65_536 ? 126 : 127])
    const length = Buffer.alloc(size_bytes < 126 ? 0 : size_bytes < 65_536 ? 2 : 8)
    if (length.length > 0) length.writeUIntBE(size_bytes, length.length === 8 ? 2 : 0, length.length === 8 ? 6 : 2)
    return Buffer.concat([head, length, Buffer.alloc(size_bytes, 0x81)])
  }

  it("counts each text frame once, however its bytes are cut", () => {
    const sent = Buffer.concat(
      [1, 1, 1, pingFrame, 1].map((opcode, n) => frame(opcode, [5, 300, 70_000, 0, 125][n] ?? 0))
    )
    for (const step of [1, 2, 3, 7, 1_000, sent.length]) {
      const controls: Array<number> = []
      const counter = new FrameCounter((opcode) => controls.push(opcode))
      let counted = 0
      for (let at = 0; at < sent.length; at += step) counted += counter.push(sent.subarray(at, at + step))
      assert.deepStrictEqual([counted, controls], [4, [pingFrame]], `in steps of ${step}`)
    }
  })
})
