import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import { fuzzGifs } from "./gifFuzz.ts"

setFlagsFromString("--expose-gc")

/** 1,000,000 were judged once; each run judges others than `npm test`. */
const count = Number(process.env["LOOPBOX_TEST_SEEDS"] ?? 40_000)

const heapAfter = (from: number): number => {
  fuzzGifs({ from, count: Math.ceil(count / 2) })
  runInNewContext("gc()")
  return process.memoryUsage().heapUsed
}

describe("GIFs that no program writes", () => {
  it("are judged, and nothing of them is kept", () => {
    const half = heapAfter(100_000)
    const whole = heapAfter(100_000 + Math.ceil(count / 2))
    assert.isBelow(whole - half, 16 * 1024 * 1024)
  })
})
