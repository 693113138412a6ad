import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import { barOf } from "../src/cli/convertFile.ts"

describe("the progress of loopbox convert", () => {
  it("is a bar that is full at the end only", () => {
    assert.strictEqual(barOf(0), `[${"-".repeat(24)}] 0 %`)
    assert.strictEqual(barOf(0.5), `[${"#".repeat(12)}${"-".repeat(12)}] 50 %`)
    assert.strictEqual(barOf(0.999), `[${"#".repeat(23)}-] 99 %`)
    assert.strictEqual(barOf(1), `[${"#".repeat(24)}] 100 %`)
  })
})
