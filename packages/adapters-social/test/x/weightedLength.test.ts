import { weightedLength } from "@loopbox/adapters-social/x/weightedLength"
import { threadsLength } from "@loopbox/adapters-social/threads/threadsLength"
import { assert, describe, it } from "@effect/vitest"

describe("how long a text is", () => {
  it("is weighed by X: links 23, emoji 2, wide letters 2", () => {
    const cases: ReadonlyArray<readonly [string, number]> = [
      ["", 0],
      ["hello", 5],
      ["e\u0301", 1],
      ["日本", 4],
      ["see https://example.com/a/very/long/path/that/is/longer/than/23", 27],
      ["example.com", 23],
      ["👨‍👩‍👧‍👦", 2],
      ["🧑🏽‍🤝‍🧑🏿", 2],
      ["🫠🫠", 4],
      ["1", 1]
    ]
    for (const [text, weight] of cases) assert.strictEqual(weightedLength(text), weight, text)
  })
  it("is counted by Threads: characters, of emoji their bytes", () => {
    assert.strictEqual(threadsLength("hello 日本"), 8)
    assert.strictEqual(threadsLength("a😀"), 5)
    assert.strictEqual(threadsLength("👨‍👩‍👧‍👦"), 25)
    assert.strictEqual(threadsLength("©"), 1)
  })
})
