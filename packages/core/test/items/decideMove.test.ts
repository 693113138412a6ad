import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import * as fc from "fast-check"
import { decideMove } from "../../src/items/decideMove.ts"
import { moveThread, type ThreadMove } from "../../src/items/Thread.ts"
import { anyItem } from "./anyItem.ts"

const anyMove: fc.Arbitrary<ThreadMove> = fc.record({
  status: fc.constantFrom("open" as const, "assigned" as const, "resolved" as const),
  assignedTo: fc.constantFrom(undefined, Option.none<string>(), Option.some("ann"), Option.some("eve"))
})

describe("the move of a thread", () => {
  it("has an event with the new state, and none when nothing changes", () => {
    fc.assert(
      fc.property(anyItem, anyMove, (item, move) => {
        const before = { ...item.thread, snoozedUntil: Option.none<never>() }
        const decided = decideMove(item, before, move)
        const moved = moveThread(before, move)
        assert.strictEqual(Result.isFailure(decided), Result.isFailure(moved))
        if (Result.isFailure(decided) || Result.isFailure(moved)) return
        const { accountId, source, threadKey } = item
        const { events, thread } = decided.success
        assert.deepStrictEqual(thread, moved.success)
        const { assignedTo, status } = thread
        const named = { accountId, source, threadKey, thread: Option.none() }
        const told = { _tag: "ThreadUpdated" as const, ...named, status, assignedTo }
        const isSame = JSON.stringify(thread) === JSON.stringify(before)
        assert.deepStrictEqual(events, isSame ? [] : [told])
        assert.deepStrictEqual(Result.getOrThrow(decideMove(item, thread, move)).events, [])
      })
    )
  })
})
