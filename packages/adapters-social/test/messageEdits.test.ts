/** Which of the edits that Instagram sends are edits: one of number 0 stands beside every direct message. */
import { assert, describe, it } from "@effect/vitest"
import { normalise, told } from "./fixtures.ts"

const people = { sender: { id: "551" }, recipient: { id: "1784" } }

const heard = (element: object, object: "instagram" | "page" = "instagram") => {
  const { activities, ignored, unreadable } = normalise(object === "page" ? "facebook" : "instagram", {
    object,
    entry: [{ id: "1784", time: 1_790_000_100_000, messaging: [{ timestamp: 1_790_000_099_001, ...element }] }]
  })
  return { activities: activities.map(told), ignored: Object.fromEntries(ignored), unreadable }
}

const announced = { activities: ["announced m"], ignored: {}, unreadable: [] }
const nothing = (kind: string) => ({ activities: [], ignored: { [kind]: 1 }, unreadable: [] })

describe("a message's edit", () => {
  for (const [how, head] of [
    ["with sender and recipient", people],
    ["without them", {}]
  ] as const) {
    for (const num_edit of [0, "0"]) {
      it(`of number ${JSON.stringify(num_edit)} only announces its message, ${how}`, () => {
        assert.deepStrictEqual(heard({ ...head, message_edit: { mid: "m", num_edit } }), announced)
        assert.deepStrictEqual(heard({ ...head, message_edit: { mid: "m", num_edit, text: "words" } }), announced)
      })
    }

    it(`without a text only announces its message, ${how}`, () => {
      for (const edit of [{ num_edit: 1 }, { num_edit: "2", text: "" }, { num_edit: 1, text: null }, {}]) {
        assert.deepStrictEqual(heard({ ...head, message_edit: { mid: "m", ...edit } }), announced)
      }
    })
  }

  it("is ignored on Messenger, where none comes instead of its message", () => {
    const edit = (message_edit: object) => heard({ ...people, message_edit }, "page")
    assert.deepStrictEqual(edit({ mid: "m", num_edit: 0, text: "words" }), nothing("message_edit.0"))
    assert.deepStrictEqual(edit({ mid: "m", num_edit: 1 }), nothing("message_edit.without_text"))
    assert.deepStrictEqual(heard({ message_edit: { mid: "random_mid", num_edit: 0 } }), nothing("test"))
  })

  it("and a deletion need no sender and no recipient", () => {
    assert.deepStrictEqual(heard({ message_edit: { mid: "m", num_edit: 1, text: "new" } }).activities, [
      'edited m 1 "new"'
    ])
    assert.deepStrictEqual(heard({ message: { mid: "m", is_deleted: true } }).activities, ["deleted m"])
    assert.deepStrictEqual(heard({ message: { mid: "m", is_deleted: true } }, "page").activities, ["deleted m"])
  })

  it("is counted also where the number is text, and is the first where none is told", () => {
    const edited = (num_edit?: unknown) =>
      heard({ ...people, message_edit: { mid: "m", text: "new", num_edit } }).activities
    assert.deepStrictEqual([edited("2"), edited(3), edited(), edited("many")].flat(), [
      'edited m 2 "new"',
      'edited m 3 "new"',
      'edited m 1 "new"',
      'edited m 1 "new"'
    ])
  })
})
