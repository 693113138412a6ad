import { assert, describe, it } from "@effect/vitest"
import { faultBody, firstFault } from "../../src/console/sandbox/SandboxFault.ts"
import { writtenBody } from "../../src/console/sandbox/SandboxStore.ts"

const item = {
  network: "x",
  id: "17",
  kind: "post" as const,
  author: { name: "Demo Shop" },
  is_own: true,
  text: "New",
  parent_id: null,
  is_hidden: false,
  is_deleted: false,
  edits: 0,
  written_at: "2026-11-23T04:00:00.000Z",
  is_sent_by_loopbox: false
}

describe("what a person writes on a simulated network", () => {
  it("stands under a post, under a comment, or alone", () => {
    const written = { network: "x", kind: "comment", from: " Ann ", text: "Hi", under: undefined } as const
    assert.deepStrictEqual(writtenBody(written), { network: "x", text: "Hi", from: "Ann" })
    assert.strictEqual(writtenBody({ ...written, under: item })["post_id"], "17")
    assert.strictEqual(writtenBody({ ...written, under: { ...item, kind: "comment" } })["parent_id"], "17")
    assert.notProperty(writtenBody({ ...written, from: " " }), "from")
  })
})

describe("a fault that is chosen", () => {
  it("is for all and once, unless something else is chosen", () => {
    assert.deepStrictEqual(faultBody("x", firstFault("x")), {
      network: "x",
      kind: "server_error",
      endpoint: "create_tweet",
      times: 1
    })
    assert.deepStrictEqual(
      faultBody("x", { kind: "hang", endpoint: "create_tweet", accountId: "17", times: "", percent: "40" }),
      { network: "x", kind: "hang", endpoint: "create_tweet", account_id: "17", percent: 40 }
    )
  })

  it("stays within what the sandbox takes, whatever is typed", () => {
    const { percent, times } = faultBody("x", { ...firstFault("x"), times: "1e9", percent: "0" })
    assert.strictEqual(times, 100_000)
    assert.strictEqual(percent, 1)
    assert.notProperty(faultBody("x", { ...firstFault("x"), times: "many" }), "times")
  })
})
