import { assert, describe, it } from "@effect/vitest"
import { hash128 } from "../../src/kernel/hash128.ts"

const hex = (text: string) => Array.from(hash128(text), (byte) => byte.toString(16).padStart(2, "0")).join("")

describe("the hash of a text", () => {
  it("is MurmurHash3's", () => {
    assert.strictEqual(hex(""), "00000000000000000000000000000000")
    assert.strictEqual(hex("The quick brown fox jumps over the lazy dog"), "2f1583c3ecee2c675d7bf66ce5e91d2c")
  })

  it("has nothing of the text before it, however long that was", () => {
    const texts = ["a", "ä".repeat(30), "\u{1F600}".repeat(400), ""]
    const first = texts.map(hex)
    for (const before of texts) {
      hash128(before)
      assert.deepStrictEqual(texts.map(hex), first)
      for (const [n, text] of texts.entries()) {
        hash128(before)
        assert.strictEqual(hex(text), first[n])
      }
    }
  })
})
