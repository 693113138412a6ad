import { assert, describe, it } from "vitest"
import { withCommands } from "../../src/parts/withCommands.ts"

const shown = (text: string): ReadonlyArray<unknown> => {
  const parts = withCommands(text)
  return typeof parts === "string" ? [parts] : parts.map((part) => (typeof part === "string" ? part : part.values))
}

describe("a sentence with a command in it", () => {
  it("shows the command as one, and no backticks", () => {
    assert.deepStrictEqual(shown("Run `loopbox console` for another."), ["Run ", ["loopbox console"], " for another."])
  })

  it("stays as it is where there is none", () => {
    for (const text of ["", "Nothing to type.", "a ` alone", "`a` and ` alone"])
      assert.deepStrictEqual(shown(text), [text])
  })
})
