import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import { toPage } from "../../src/kernel/Page.ts"
import { memoryPage } from "@loopbox/adapters-memory/memoryPage"
import * as Arbitrary from "effect/Arbitrary"
import { wholeNumber } from "@loopbox/testing/fixtures/arbitraries"

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ createdAt: DateTime.makeUnsafe(1000 - i), id: `row-${i}` }))

describe("toPage", () => {
  it.prop(
    "gives at most the limit, and says where it ended only if more come",
    [wholeNumber(1, 20), wholeNumber(0, 21)],
    ([limit, count]) => {
      const rows = rowsOf(Math.min(count, limit + 1))
      const page = toPage(rows, limit)
      assert.deepStrictEqual(page.items, rows.slice(0, limit))
      assert.strictEqual(Option.isSome(page.next), rows.length > limit)
      if (Option.isSome(page.next)) assert.strictEqual(page.next.value.id, page.items.at(-1)?.id)
    }
  )

  it("of no rows is empty and the last", () => {
    assert.deepStrictEqual(toPage([], 5), { items: [], next: Option.none() })
  })
})

describe("a walk through pages", () => {
  /** Few moments, so that many rows share one. */
  const rows = Arbitrary.map(Arbitrary.array(Arbitrary.schema(wholeNumber(0, 5)), { maxLength: 40 }), (moments) =>
    moments.map((millis, i) => ({ createdAt: DateTime.makeUnsafe(millis), id: `row-${String(i).padStart(2, "0")}` }))
  )

  it.prop(
    "gives each row once, newest first, those of one moment by id descending",
    [rows, wholeNumber(1, 7)],
    ([all, limit]) => {
      const seen: Array<(typeof all)[number]> = []
      let after: Parameters<typeof memoryPage>[1]["after"] = Option.none()
      for (let turn = 0; turn <= all.length; turn++) {
        const page = memoryPage(all, { limit, after })
        seen.push(...page.items)
        after = page.next
        if (Option.isNone(after)) break
      }
      const rank = ({ createdAt, id }: (typeof all)[number]) => `${DateTime.toEpochMillis(createdAt)} ${id}`
      assert.deepStrictEqual(seen.map(rank), all.map(rank).sort().reverse())
    }
  )
})
