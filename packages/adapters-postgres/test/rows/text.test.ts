import { assert, describe, it } from "@effect/vitest"
import { toJson } from "../../src/rows/text.ts"

describe("JSON for PostgreSQL", () => {
  it("has U+FFFD for what PostgreSQL refuses, in a text within a text too", () => {
    for (const [given, kept] of [
      ["a\0b", "a\uFFFDb"],
      ["a\uD800b", "a\uFFFDb"],
      ["a\uDC00b", "a\uFFFDb"],
      ["\uDFFF", "\uFFFD"]
    ] as const) {
      assert.deepStrictEqual(JSON.parse(toJson({ text: [given] })), { text: [kept] })
    }
  })

  it("leaves everything else as it is: pairs, other control characters, and what only looks like an escape", () => {
    const texts = ["a \u{1F600}", "\u0001\u001f", "\\u0000", "\\ud800", '{"a":"\\u0000"}', "\uD7FF\uE000"]
    assert.deepStrictEqual(JSON.parse(toJson(texts)), texts)
    assert.strictEqual(toJson({ a: undefined, b: 1n === 1n }), '{"b":true}')
  })
})
