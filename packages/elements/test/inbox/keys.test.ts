import { assert, describe, it } from "vitest"
import { actionOf } from "../../src/inbox/keys.ts"

const press = (key: string, more = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  ...more
})
const reading = { isTyping: false, isInList: false, hasSingleKeys: true }

describe("the keys of an inbox", () => {
  it("are letters only while nothing is being typed and they are wanted", () => {
    assert.strictEqual(actionOf(press("e"), reading), "resolve")
    assert.isUndefined(actionOf(press("e"), { ...reading, isTyping: true }))
    assert.isUndefined(actionOf(press("e"), { ...reading, hasSingleKeys: false }))
    assert.isUndefined(actionOf(press("r", { ctrlKey: true }), reading))
    assert.isUndefined(actionOf(press("j", { isComposing: true }), reading))
  })

  it("move by arrows in the list, with and without letters", () => {
    assert.strictEqual(actionOf(press("ArrowDown"), { ...reading, isInList: true, hasSingleKeys: false }), "next")
    assert.isUndefined(actionOf(press("ArrowDown"), reading))
  })

  it("leave by Escape from anywhere", () => {
    assert.strictEqual(actionOf(press("Escape"), { ...reading, isTyping: true, hasSingleKeys: false }), "back")
  })
})
