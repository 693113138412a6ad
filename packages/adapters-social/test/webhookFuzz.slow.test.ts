import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import { fuzzWebhooks } from "./webhookFuzz.ts"

setFlagsFromString("--expose-gc")

/** 200,000 were read once; each run reads others than `npm test`. */
const count = Number(process.env["LOOPBOX_TEST_SEEDS"] ?? 40_000)

const heapAfter = (from: number): number => {
  fuzzWebhooks({ from, count: Math.ceil(count / 2) })
  runInNewContext("gc()")
  return process.memoryUsage().heapUsed
}

describe("deliveries that no network sends", () => {
  it("are read on every endpoint, and nothing of them is kept", () => {
    const half = heapAfter(100_000)
    const whole = heapAfter(100_000 + Math.ceil(count / 2))
    assert.isBelow(whole - half, 16 * 1024 * 1024)
  })
})
