import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as fc from "fast-check"
import { decideName } from "../../src/items/decideName.ts"
import { anyItem } from "./anyItem.ts"

const ann = { name: Option.some("Ann Lee"), avatarUrl: Option.some("https://example.test/lee.png") }

describe("the name of a person", () => {
  it("is added to their items without one, with one event each, and to no others", () => {
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 8 }), (items) => {
        const { events, items: named } = decideName("ann", ann, items)
        const nameless = items.filter(
          (item) => !item.isOwn && Option.contains(item.authorId, "ann") && Option.isNone(item.authorName)
        )
        assert.deepStrictEqual(
          named,
          nameless.map((item) => ({
            ...item,
            authorName: ann.name,
            authorAvatarUrl: Option.orElse(item.authorAvatarUrl, () => ann.avatarUrl)
          }))
        )
        assert.deepStrictEqual(
          events,
          named.map((item) => ({ _tag: "ItemUpdated", accountId: item.accountId, source: item.source, item }))
        )
        assert.deepStrictEqual(decideName("ann", ann, named).events, [])
      })
    )
  })

  it("changes nothing when the network returned none", () => {
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 8 }), (items) => {
        assert.deepStrictEqual(decideName("ann", { ...ann, name: Option.none() }, items), { items: [], events: [] })
      })
    )
  })
})
