import { assert, it } from "@effect/vitest"
import { inReads } from "../../src/operations/redacting.ts"

const MiB = 1024 * 1024

it("deliveries are read a thousand at a time, fewer where their bodies are large, and one that is larger by itself", () => {
  const small = Array.from({ length: 2_500 }, (_, i) => ({ id: `s${i}`, size: 1_500 }))
  assert.deepStrictEqual(
    inReads(small).map((ids) => ids.length),
    [1_000, 1_000, 500]
  )
  assert.deepStrictEqual(
    inReads(small).flat(),
    small.map(({ id }) => id)
  )
  const large = [4, 4, 4, 4, 4, 20, 1].map((size, i) => ({ id: `${i}`, size: size * MiB }))
  assert.deepStrictEqual(inReads(large), [["0", "1", "2", "3"], ["4"], ["5"], ["6"]])
  assert.deepStrictEqual(inReads([]), [])
})
