import { LoopboxError } from "@loopbox/client"
import { assert, describe, it } from "vitest"
import { begin, fail, follow, isOf } from "../../src/inbox/Answer.ts"
import { operationOf } from "./threads.ts"

const sending = begin({ key: "k", itemId: "itm_1", text: "Yes", isPrivate: false, at: "2026-11-23T10:00:00.000Z" })
const refused = (code: string, status: number, details = {}) => new LoopboxError("No.", { status, code, details })

describe("an answer", () => {
  it("is being checked when nobody knows whether the network has it, and sent once that is known", () => {
    const checking = fail(sending, refused("X_WRITE_OUTCOME_PENDING", 409, { operation_id: "op_1" }))
    assert.strictEqual(checking.state, "checking")
    assert.isTrue(isOf(checking, operationOf({ status: "completed" })))
    assert.strictEqual(follow(checking, operationOf({ status: "completed" })).state, "sent")
  })

  it("asks a person to look when it can't be learned", () => {
    const unclear = fail(sending, refused("X_WRITE_NEEDS_RECONCILIATION", 409, { operation_id: "op_1" }))
    assert.strictEqual(unclear.state, "unclear")
    assert.strictEqual(unclear.remedy, "none")
  })

  it("says what helps where it was not sent", () => {
    const remedy = (code: string, status: number, details = {}) => fail(sending, refused(code, status, details)).remedy
    assert.strictEqual(remedy("CONNECTION_FAILED", 0), "retry")
    assert.strictEqual(remedy("PLATFORM_RATE_LIMITED", 429), "retry")
    assert.strictEqual(remedy("X_RECONNECT_REQUIRED", 409), "reconnect")
    assert.strictEqual(remedy("VALIDATION_ERROR", 400), "edit")
    assert.strictEqual(remedy("PLATFORM_ERROR", 409, { reason: "window_closed" }), "none")
  })

  it("is found by what it answers until its operation has a name", () => {
    assert.isTrue(isOf(sending, operationOf({})))
    assert.isFalse(isOf(sending, operationOf({ item_id: "itm_2" })))
    assert.isFalse(isOf({ ...sending, operationId: "op_2" }, operationOf({})))
  })

  it("is sent again under its key after an operation that sent nothing", () => {
    const error = { code: "PLATFORM_RATE_LIMITED", message: "Later." } as const
    const held = follow(sending, operationOf({ status: "pending", error }))
    assert.deepStrictEqual([held.state, held.remedy, held.key], ["failed", "retry", "k"])
  })
})
