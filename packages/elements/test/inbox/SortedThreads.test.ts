import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Thread } from "../../src/inbox/records.ts"
import { SortedThreads } from "../../src/inbox/SortedThreads.ts"
import { itemOf, threadOf } from "./threads.ts"

const nameOf = (id: number) => `thr_${id}`

const change = fc.record({
  id: fc.nat(20),
  minute: fc.nat(59),
  unread: fc.nat(3),
  body: fc.string({ unit: "binary" }),
  what: fc.oneof(
    { weight: 6, arbitrary: fc.constant("put" as const) },
    { weight: 2, arbitrary: fc.constantFrom("removed" as const, "found" as const) },
    { weight: 1, arbitrary: fc.constant("all read" as const) }
  )
})

/** Few are whole, so that most are packed. */
const limits = { mostWhole: 3, packedTogether: 3 }

describe("SortedThreads", () => {
  it("holds each thread once as it came last, newest first, whatever is put in, taken out and asked for", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const threads = new SortedThreads(limits)
        const wanted = new Map<string, Thread>()
        for (const { body, id, minute, unread, what } of changes) {
          const name = nameOf(id)
          if (what === "removed") {
            threads.remove(name)
            wanted.delete(name)
          } else if (what === "found") {
            assert.deepStrictEqual(threads.find(name), wanted.get(name))
          } else if (what === "all read") {
            threads.markAllRead()
            for (const [one, thread] of wanted) wanted.set(one, { ...thread, unread_count: 0 })
          } else {
            const last_item = itemOf({ id: `itm_${id}_${minute}`, body })
            const thread = threadOf(name, minute, { unread_count: unread, last_item })
            threads.upsert(thread)
            wanted.set(name, thread)
          }
        }
        const ordered = Array.from(wanted.values()).toSorted(
          (a, b) => Date.parse(b.last_item_at) - Date.parse(a.last_item_at) || (a.id < b.id ? 1 : -1)
        )
        assert.deepStrictEqual(
          threads.ids(),
          ordered.map(({ id }) => id)
        )
        for (const [place, thread] of ordered.entries()) {
          assert.strictEqual(threads.indexOf(thread.id), place)
          assert.strictEqual(threads.findByLastItem(thread.last_item.id)?.id, thread.id)
          assert.deepStrictEqual(threads.at(place), thread)
        }
      })
    )
  })

  it("finds no thread by an item that was its last one before", () => {
    const threads = new SortedThreads(limits)
    for (let n = 0; n < 12; n++) threads.upsert(threadOf(nameOf(n), n))
    assert.strictEqual(threads.findByLastItem("itm_thr_0")?.id, "thr_0")
    threads.upsert(threadOf("thr_0", 30, { last_item: itemOf({ id: "itm_new" }) }))
    assert.isUndefined(threads.findByLastItem("itm_thr_0"))
    for (let n = 1; n < 12; n++) threads.find(nameOf(n))
    assert.isUndefined(threads.findByLastItem("itm_thr_0"))
    assert.strictEqual(threads.findByLastItem("itm_new")?.id, "thr_0")
  })

  it("knows what is older than all that are there", () => {
    const threads = new SortedThreads(limits)
    assert.isFalse(threads.isOlderThanAll(threadOf("a", 1).last_item_at))
    threads.upsert(threadOf("a", 5))
    assert.isTrue(threads.isOlderThanAll(threadOf("b", 4).last_item_at))
    assert.isFalse(threads.isOlderThanAll(threadOf("b", 5).last_item_at))
  })
})
