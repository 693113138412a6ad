import { assert, describe, it } from "vitest"
import { SharedRecords } from "../../src/inbox/SharedRecords.ts"
import { threadOf } from "./threads.ts"

describe("records of many conversations", () => {
  it("say the same as they came, by parts that they have in common", () => {
    const shared = new SharedRecords()
    const [one, two] = [threadOf("thr_1", 1), threadOf("thr_2", 2)].map((thread) => structuredClone(thread))
    if (one === undefined || two === undefined) throw new Error("no threads")
    const [first, second] = [shared.share(one), shared.share(two)]
    assert.deepStrictEqual(first, one)
    assert.deepStrictEqual(second, two)
    assert.strictEqual(first.account, second.account)
    assert.strictEqual(first.last_item.account, second.account)
    assert.strictEqual(first.last_item.capabilities, second.last_item.capabilities)
  })

  it("have an account as it is called now", () => {
    const shared = new SharedRecords()
    const before = shared.share(threadOf("thr_1", 1))
    const renamed = shared.share({
      ...threadOf("thr_2", 2),
      account: { ...threadOf("thr_2", 2).account, name: "Renamed" }
    })
    assert.strictEqual(renamed.account.name, "Renamed")
    assert.notStrictEqual(before.account.name, "Renamed")
  })
})
