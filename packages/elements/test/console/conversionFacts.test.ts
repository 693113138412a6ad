import { assert, describe, it } from "@effect/vitest"
import { factsText, sizeText, usedShare } from "../../src/console/media/conversionFacts.ts"

describe("what is told of a file", () => {
  it("is its sides, length and size, as far as they are known", () => {
    const file = { width: 480, height: 270, duration_ms: 2_540, size_bytes: 1_234_567 }
    assert.strictEqual(factsText(file, "en"), "480 × 270 · 2.5 sec · 1.2 MB")
    assert.strictEqual(factsText(file, "de"), "480 × 270 · 2,5 Sek. · 1,2 MB")
    assert.strictEqual(factsText({ ...file, width: null, duration_ms: null }, "en"), "1.2 MB")
    assert.strictEqual(factsText({ width: null, height: null, duration_ms: null, size_bytes: null }, "en"), "")
    assert.strictEqual(sizeText(999, "en"), "999 byte")
    assert.strictEqual(sizeText(45_600, "en"), "46 kB")
  })

  it("a quota is never more than used up", () => {
    assert.strictEqual(usedShare(3, 12), 0.25)
    assert.strictEqual(usedShare(13, 12), 1)
    assert.strictEqual(usedShare(0, 0), 1)
  })
})
