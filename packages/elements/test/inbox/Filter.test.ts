import { assert, describe, it } from "vitest"
import { matches, noFilter, queryOf, type View } from "../../src/inbox/Filter.ts"
import { threadOf } from "./threads.ts"

const now = new Date("2026-11-23T12:00:00.000Z")
const open = threadOf("o", 1)
const mine = threadOf("m", 2, { thread_status: "assigned", assigned_to: "Ada" })
const snoozed = threadOf("s", 3, { snoozed_until: "2026-11-24T09:00:00.000Z" })
const resolved = threadOf("r", 4, { thread_status: "resolved" })
const shown = (view: View) =>
  [open, mine, snoozed, resolved].filter((one) => matches(one, { ...noFilter, view }, "Ada", now)).map(({ id }) => id)

describe("the filter of conversations", () => {
  it("puts each into the views that the host would list it in", () => {
    assert.deepStrictEqual(shown("mine"), ["m"])
    assert.deepStrictEqual(shown("nobody"), ["o"])
    assert.deepStrictEqual(shown("snoozed"), ["s"])
    assert.deepStrictEqual(shown("resolved"), ["r"])
    assert.deepStrictEqual(shown("all"), ["o", "m", "s", "r"])
  })

  it("shows a snoozed one again when its time has come", () => {
    assert.isTrue(matches(snoozed, { ...noFilter, view: "nobody" }, "", new Date("2026-11-24T09:00:01.000Z")))
  })

  it("asks the host for what it means", () => {
    const filter = { view: "mine", query: " tea ", source: "x_reply", label: "vip", unread: true } as const
    assert.deepStrictEqual(queryOf(filter, "Ada"), {
      thread_status: "assigned",
      assigned_to: "Ada",
      q: "tea",
      source: "x_reply",
      label: "vip",
      is_unread: true
    })
    assert.deepStrictEqual(queryOf(noFilter, ""), {})
  })
})
