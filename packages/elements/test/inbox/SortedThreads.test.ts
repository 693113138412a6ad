import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { SortedThreads } from "../../src/inbox/SortedThreads.ts"
import { threadOf } from "./threads.ts"

describe("SortedThreads", () => {
  it("holds each thread once, newest first, whatever is put in and taken out", () => {
    const change = fc.record({ id: fc.nat(20), minute: fc.nat(59), isRemoved: fc.boolean() })
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const threads = new SortedThreads()
        const wanted = new Map<string, number>()
        for (const { id, isRemoved, minute } of changes) {
          if (isRemoved) {
            threads.remove(`thr_${id}`)
            wanted.delete(`thr_${id}`)
          } else {
            threads.upsert(threadOf(`thr_${id}`, minute))
            wanted.set(`thr_${id}`, minute)
          }
        }
        const order = Array.from(wanted).toSorted(([a, x], [b, y]) => y - x || (a < b ? 1 : -1))
        assert.deepStrictEqual(
          threads.ordered.map(({ id }) => id),
          order.map(([id]) => id)
        )
        for (const [place, [id]] of order.entries()) assert.strictEqual(threads.indexOf(id), place)
      })
    )
  })
})
