import { assert, describe, it } from "vitest"
import { spread } from "./LongestFirst.ts"

describe("the order of long tests", () => {
  it("has what computes from the beginning on, with as much of what waits between each two", () => {
    assert.deepStrictEqual(spread(["w1", "w2", "w3", "w4", "w5"], ["c1", "c2"]), [
      "c1",
      "w1",
      "w2",
      "w3",
      "c2",
      "w4",
      "w5"
    ])
  })
  it("loses nothing where there is more of one, or none", () => {
    assert.deepStrictEqual(spread(["w1"], ["c1", "c2"]), ["c1", "w1", "c2"])
    assert.deepStrictEqual(spread(["w1", "w2"], []), ["w1", "w2"])
    assert.deepStrictEqual(spread([], ["c1"]), ["c1"])
  })
})
