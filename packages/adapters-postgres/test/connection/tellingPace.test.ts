import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import { pauseBetweenWords } from "../../src/connection/tellingPace.ts"

describe("pauseBetweenWords", () => {
  const millis = (listeners: number) => Duration.toMillis(pauseBetweenWords(listeners))

  it("is 20 ms for a few, also where nobody is seen", () => {
    assert.deepStrictEqual([0, 1, 8].map(millis), [20, 20, 20])
  })

  it("keeps what all of them tell at 400 words a second", () => {
    for (const listeners of [9, 50, 120, 200]) assert.strictEqual((listeners * 1_000) / millis(listeners), 400)
  })

  it("is never so long that a live page looks dead", () => {
    assert.deepStrictEqual([201, 10_000].map(millis), [500, 500])
  })
})
