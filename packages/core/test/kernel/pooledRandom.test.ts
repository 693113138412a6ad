import { assert, describe, it } from "@effect/vitest"
import { makePooled } from "../../src/kernel/pooledRandom.ts"

/** Draws 1, 2, 3 …, and tells what was drawn. */
const counting = () => {
  const drawn: Array<Uint8Array> = []
  let next = 0
  const draw = (size: number) => {
    const bytes = Uint8Array.from({ length: size }, () => next++ % 256)
    drawn.push(bytes.slice())
    return bytes
  }
  return { drawn, draw }
}

describe("random bytes out of a pool", () => {
  it("are given once each, in any sizes, and drawn many at a time", () => {
    const { draw, drawn } = counting()
    const take = makePooled(draw)
    const sizes = Array.from({ length: 400 }, (_, n) => [16, 10, 7, 0, 256][n % 5] ?? 0)
    const given = sizes.map(take)
    assert.deepStrictEqual(
      given.map(({ length }) => length),
      sizes
    )
    assert.isBelow(drawn.length, 10)
    // Each is a piece of what was drawn, behind the piece before it.
    let [pool, from] = [0, 0]
    for (const bytes of given) {
      if (from + bytes.length > (drawn[pool]?.length ?? 0)) [pool, from] = [pool + 1, 0]
      assert.deepStrictEqual(Array.from(bytes), Array.from(drawn[pool]?.subarray(from, from + bytes.length) ?? []))
      from += bytes.length
    }
  })

  it("are their caller's own: what it does with them changes no others", () => {
    const take = makePooled(counting().draw)
    const first = take(16)
    const before = Array.from(first)
    take(16).fill(9)
    assert.deepStrictEqual(Array.from(first), before)
  })

  it("do not stay in the pool", () => {
    const pool = new Uint8Array(4_096).fill(7)
    const take = makePooled(() => pool)
    take(16)
    assert.deepStrictEqual(Array.from(pool.subarray(0, 17)), [...Array.from({ length: 16 }, () => 0), 7])
  })

  it("are drawn for a large call alone", () => {
    const { draw, drawn } = counting()
    assert.lengthOf(makePooled(draw)(10_000), 10_000)
    assert.deepStrictEqual(
      drawn.map(({ length }) => length),
      [10_000]
    )
  })
})
