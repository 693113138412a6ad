import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import * as fc from "fast-check"
import { isSameThread, moveThread, reopen, type ThreadMove, type ThreadState } from "../../src/items/Thread.ts"
import { unreadDelta } from "../../src/items/unreadDelta.ts"

const status = fc.constantFrom("open" as const, "assigned" as const, "resolved" as const)
const name = fc.option(fc.constantFrom("ann", "eve")).map(Option.fromNullOr)

const anyMove: fc.Arbitrary<ThreadMove> = fc.record({ status, assignedTo: fc.oneof(fc.constant(undefined), name) })

/** A state that moves can lead to: an open thread has no name. */
const anyState: fc.Arbitrary<ThreadState> = fc
  .record({ status, assignedTo: name })
  .map((state) => (state.status === "open" ? { status: "open", assignedTo: Option.none() } : state))

describe("a thread's moves (§3.1, api.md §3)", () => {
  it("may go from any state to any, and refuse only a name without assigned", () => {
    fc.assert(
      fc.property(anyState, anyMove, (thread, move) => {
        const moved = moveThread(thread, move)
        const isRefused = move.assignedTo !== undefined && Option.isSome(move.assignedTo) && move.status !== "assigned"
        assert.strictEqual(Result.isFailure(moved), isRefused)
        if (Result.isSuccess(moved)) assert.strictEqual(moved.success.status, move.status)
      })
    )
  })

  it("never leave a name on an open thread, keep it when none is said, and clear it when asked", () => {
    fc.assert(
      fc.property(anyState, anyMove, (thread, move) => {
        const moved = moveThread(thread, move)
        if (Result.isFailure(moved)) return
        const { assignedTo } = moved.success
        if (move.status === "open") assert.isTrue(Option.isNone(assignedTo))
        else assert.deepStrictEqual(assignedTo, move.assignedTo ?? thread.assignedTo)
      })
    )
  })

  it("take a name with any status where the caller says so", () => {
    fc.assert(
      fc.property(anyState, anyMove, (thread, move) => {
        const moved = Result.getOrThrow(moveThread(thread, { ...move, isNamedInAny: true }))
        const kept = move.status === "open" ? Option.none() : thread.assignedTo
        const given = move.assignedTo ?? kept
        assert.deepStrictEqual(moved, { status: move.status, assignedTo: given })
      })
    )
  })

  it("change nothing when they are repeated", () => {
    fc.assert(
      fc.property(anyState, anyMove, (thread, move) => {
        const once = moveThread(thread, move)
        if (Result.isFailure(once)) return
        assert.isTrue(isSameThread(Result.getOrThrow(moveThread(once.success, move)), once.success))
      })
    )
  })

  it("reopen what is resolved, without its name, and nothing else", () => {
    fc.assert(
      fc.property(anyState, (thread) => {
        const reopened = reopen(thread)
        assert.strictEqual(isSameThread(reopened, thread), thread.status !== "resolved")
        if (thread.status === "resolved") {
          assert.deepStrictEqual(reopened, { status: "open", assignedTo: Option.none() })
        }
      })
    )
  })
})

describe("the unread counter (design §4)", () => {
  it("adds up: over any changes of an item it ends at what the item counts", () => {
    const item = fc.option(fc.record({ isRead: fc.boolean(), isOwn: fc.boolean() }), { nil: undefined })
    fc.assert(
      fc.property(fc.array(item, { minLength: 1 }), (states) => {
        let before: (typeof states)[number] = undefined
        let sum = 0
        for (const after of states) {
          sum += unreadDelta(before, after)
          before = after
          assert.strictEqual(sum, after !== undefined && !after.isRead && !after.isOwn ? 1 : 0)
        }
      })
    )
  })
})
