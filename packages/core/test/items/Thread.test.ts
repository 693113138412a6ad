import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result } from "effect"
import * as fc from "fast-check"
import { isSameThread, moveThread, reopen, type ThreadMove, type WorkState } from "../../src/items/Thread.ts"
import { unreadDelta } from "../../src/items/unreadDelta.ts"

const status = fc.constantFrom("open" as const, "assigned" as const, "resolved" as const)
const name = fc.option(fc.constantFrom("ann", "eve")).map(Option.fromNullOr)

const until = fc
  .option(fc.constantFrom("2026-11-22T12:00:00Z", "2026-11-23T12:00:00Z"))
  .map((text) => Option.map(Option.fromNullOr(text), (time) => DateTime.makeUnsafe(time)))

const anyMove: fc.Arbitrary<ThreadMove> = fc.record({
  status,
  assignedTo: fc.oneof(fc.constant(undefined), name),
  snoozedUntil: fc.oneof(fc.constant(undefined), until)
})

/** A state that moves can lead to: an open thread has no name, and a resolved one is not snoozed. */
const anyState: fc.Arbitrary<WorkState> = fc
  .record({ status, assignedTo: name, snoozedUntil: until })
  .map((state) => (state.status === "open" ? { ...state, assignedTo: Option.none() } : state))
  .map((state) => (state.status === "resolved" ? { ...state, snoozedUntil: Option.none() } : state))

describe("a thread's moves (§3.1, api.md §3)", () => {
  it("may go from any state to any, and refuse only a name for an open one", () => {
    fc.assert(
      fc.property(anyState, anyMove, (thread, move) => {
        const moved = moveThread(thread, move)
        const isRefused = move.assignedTo !== undefined && Option.isSome(move.assignedTo) && move.status === "open"
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
        assert.deepStrictEqual([moved.status, moved.assignedTo], [move.status, given])
      })
    )
  })

  it("keep a snooze when none is said, and end it when asked or resolved", () => {
    fc.assert(
      fc.property(anyState, anyMove, (thread, move) => {
        const moved = moveThread(thread, move)
        if (Result.isFailure(moved)) return
        const wanted = move.status === "resolved" ? Option.none() : (move.snoozedUntil ?? thread.snoozedUntil)
        assert.deepStrictEqual(moved.success.snoozedUntil, wanted)
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

  it("reopen what is resolved, without its name, wake what is snoozed, and nothing else", () => {
    fc.assert(
      fc.property(anyState, (thread) => {
        const reopened = reopen(thread)
        const isLeft = thread.status !== "resolved" && Option.isNone(thread.snoozedUntil)
        assert.strictEqual(isSameThread(reopened, thread), isLeft)
        assert.isTrue(Option.isNone(reopened.snoozedUntil))
        if (thread.status === "resolved") {
          assert.deepStrictEqual(reopened, { status: "open", assignedTo: Option.none(), snoozedUntil: Option.none() })
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
