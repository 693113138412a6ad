import { assert, describe, it } from "@effect/vitest"
import { foldLabel, judgeLabels, labelLimits } from "@loopbox/core/threads/judgeLabels"
import { Effect } from "effect"
import * as fc from "fast-check"

const judged = (labels: ReadonlyArray<string>) => Effect.runSync(Effect.result(judgeLabels(labels)))

describe("Labels of a thread (api-2.md §14)", () => {
  it("are kept as given, and of those that differ in case only the first", () => {
    const result = judged(["VIP", " vip", "vip", "Straße", "STRASSE", "ΟΔΟΣ", "οδος", "οδοσ", "é", "e\u0301"])
    assert.deepStrictEqual(result._tag === "Success" && result.success, ["VIP", " vip", "Straße", "ΟΔΟΣ", "é"])
    assert.deepStrictEqual(judged([])._tag === "Success" && [], [])
  })

  it("are refused at their places where they are blank, too long or no text, and where they are too many", () => {
    const long = "x".repeat(labelLimits.characters)
    const faults = judged(["ok", "", "  ", long, `${long}x`, "🎉".repeat(50), "a\0", "\ud800"])
    assert.deepStrictEqual(faults._tag === "Failure" && faults.failure.at, [1, 2, 4, 6, 7])
    const many = Array.from({ length: 20 }, (_, n) => `label ${n}`)
    assert.strictEqual(judged(many)._tag, "Success")
    const tooMany = judged([...many, "label 0"])
    assert.strictEqual(tooMany._tag === "Failure" && tooMany.failure.reason, "too_many")
  })

  it("are each kept once, and folding twice is folding once", () => {
    const label = fc
      .string({ unit: "binary", minLength: 1, maxLength: 10 })
      .filter((one) => judged([one])._tag === "Success")
    fc.assert(
      fc.property(fc.array(label, { maxLength: 20 }), (labels) => {
        const result = judged(labels)
        const kept = result._tag === "Success" ? result.success : assert.fail("they are refused")
        const folded = kept.map(foldLabel)
        assert.strictEqual(new Set(folded).size, kept.length)
        assert.deepStrictEqual(new Set(folded), new Set(labels.map(foldLabel)))
        assert.deepStrictEqual(folded.map(foldLabel), folded)
        assert.deepStrictEqual(judged(kept), result)
      })
    )
  })
})
