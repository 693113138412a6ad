import { assert, describe, it } from "vitest"
import { ThreadItems } from "../../src/inbox/ThreadItems.ts"
import { itemOf } from "./threads.ts"

/** An item of a minute, which is its name. */
const at = (minute: number) =>
  itemOf({ id: `itm_${minute}`, received_at: new Date(Date.UTC(2026, 10, 23, 10, minute)).toISOString() })

const minutes = ({ ordered }: ThreadItems) => ordered.map(({ id }) => Number(id.slice(4)))

/** A conversation of which two pages are loaded. */
const loaded = () => {
  const items = new ThreadItems()
  items.takeNewest([at(6), at(5), at(4)], "older", items.now, false)
  items.takeOlder([at(3), at(2), at(1)], "oldest", items.now)
  return items
}

describe("ThreadItems", () => {
  it("takes the newest page anew: what is not on it any more is gone, and what is older stays", () => {
    const items = loaded()
    items.takeNewest([at(7), at(6), at(4)], "older", items.now, false)
    assert.deepStrictEqual(minutes(items), [1, 2, 3, 4, 6, 7])
    assert.strictEqual(items.cursor, "oldest")
  })

  it("keeps nothing behind a gap, and nothing at all where all is read anew", () => {
    for (const isAnew of [false, true]) {
      const items = loaded()
      const page = isAnew ? [at(7), at(6), at(5)] : [at(59), at(58), at(57)]
      items.takeNewest(page, "between", items.now, isAnew)
      assert.deepStrictEqual(minutes(items), page.map(({ id }) => Number(id.slice(4))).toReversed())
      assert.strictEqual(items.cursor, "between")
    }
  })

  it("keeps what an event told after the page was asked for, and not what one took out", () => {
    const items = loaded()
    const began = items.now
    items.take(at(8))
    items.remove("itm_6")
    items.takeNewest([at(6), at(5), at(4)], null, began, false)
    assert.deepStrictEqual(minutes(items), [4, 5, 8])
    assert.isNull(items.cursor)
  })
})
