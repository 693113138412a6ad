import { assert, describe, it } from "vitest"
import { anchorShift, rangeOf } from "../../src/inbox/VirtualRows.ts"

describe("the drawn rows of a long list", () => {
  it("are those that are seen, and a few around them", () => {
    assert.deepStrictEqual(rangeOf(100_000, 78, 78 * 5_000, 780), { from: 4_994, to: 5_017, slots: 23 })
    assert.deepStrictEqual(rangeOf(3, 78, 0, 780), { from: 0, to: 3, slots: 23 })
    assert.deepStrictEqual(rangeOf(30, 78, 78 * 5_000, 780), { from: 7, to: 30, slots: 23 })
  })

  it("stay in place when others come above them, also while one of them moves up", () => {
    const before = ["a", "b", "c", "d"]
    const after = ["new", "c", "a", "b", "d"]
    const shift = anchorShift(
      ["b", "c", "d"],
      (id) => before.indexOf(id),
      (id) => after.indexOf(id)
    )
    assert.strictEqual(shift, 2 - 0 - 0)
  })
})
