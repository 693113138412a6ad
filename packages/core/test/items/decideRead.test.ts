import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as fc from "fast-check"
import { SocialAccountId } from "../../src/kernel/Ids.ts"
import { decideRead, decideReadBatch, type MarkedItems } from "../../src/items/decideRead.ts"
import { unreadDelta } from "../../src/items/unreadDelta.ts"
import { scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { anyItem, workspaceId } from "./anyItem.ts"

const accounts = [1, 2].map((n) => SocialAccountId.make(`acc_${String(n).repeat(26)}`))

const anyMarked: fc.Arbitrary<MarkedItems> = fc
  .record({
    accountId: fc.constantFrom(...accounts),
    source: fc.constantFrom("ig_dm" as const, "x_reply" as const),
    items: fc.integer({ min: 1, max: 1_000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true })
  })
  .map(({ share, ...marked }) => ({ ...marked, counted: Math.floor(marked.items * share) }))

describe("an item that is read", () => {
  it("has one event, and decreases the counter only if it was counted", () => {
    fc.assert(
      fc.property(anyItem, (before) => {
        const change = decideRead(before)
        assert.strictEqual(Option.isNone(change), before.isRead)
        if (Option.isNone(change)) return
        const { events, item, unread } = change.value
        assert.deepStrictEqual(item, { ...before, isRead: true })
        assert.strictEqual(unread, unreadDelta(before, item))
        assert.deepStrictEqual(events, [
          { _tag: "ItemUpdated", accountId: before.accountId, source: before.source, item }
        ])
        assert.isTrue(Option.isNone(decideRead(item)))
      })
    )
  })
})

describe("a batch of items that are read", () => {
  it("is one event with their number, and each counter changes once by those that it knew", () => {
    fc.assert(
      fc.property(fc.array(anyMarked, { maxLength: 6 }), fc.constantFrom("u1", undefined), (found, user) => {
        const { events, marked, unread } = decideReadBatch(scopeOf(workspaceId, user).scope, 7, found)
        const sum = (of: (one: MarkedItems) => number) => found.reduce((total, one) => total + of(one), 0)
        assert.strictEqual(
          marked,
          sum(({ items }) => items)
        )
        assert.strictEqual(
          unread.reduce((total, { delta }) => total + delta, 0),
          -sum(({ counted }) => counted) + 0
        )
        assert.strictEqual(new Set(unread.map((one) => `${one.accountId} ${one.source}`)).size, unread.length)
        assert.isTrue(unread.every(({ delta }) => delta < 0))
        const externalUserId = Option.fromUndefinedOr(user)
        const told = { _tag: "ItemsRead" as const, externalUserId, upToSeq: 7, marked: Option.some(marked) }
        assert.deepStrictEqual(events, found.length === 0 ? [] : [told])
      })
    )
  })
})
