import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import { Effect } from "effect"
import { barOf } from "../src/cli/convertFile.ts"
import { makeProgressLine } from "../src/cli/progressLine.ts"

/** What a terminal, or what is none, is written. */
const written = (screen: { readonly isTTY: boolean; readonly term?: string }) => {
  let all = ""
  const write = (text: string) => (all += text) !== ""
  const line = makeProgressLine({ stream: { write, isTTY: screen.isTTY }, term: screen.term })
  line.write("Converting 10 %")
  line.write("Done")
  Effect.runSync(line.clear)
  return all
}

describe("a line that tells how far something is", () => {
  it("is written over without an escape code, so that NO_COLOR has nothing to switch off", () => {
    const all = written({ isTTY: true, term: "xterm-256color" })
    assert.strictEqual(all, `\rConverting 10 %\rDone           \r    \r`)
    assert.notInclude(all, "\u001B")
  })

  it("is a line for each step where it can't be written over", () => {
    for (const screen of [
      { isTTY: false, term: "xterm" },
      { isTTY: true, term: "dumb" }
    ]) {
      assert.strictEqual(written(screen), "Converting 10 %\nDone\n")
    }
  })
})

describe("the progress of loopbox convert", () => {
  it("is a bar that is full at the end only", () => {
    assert.strictEqual(barOf(0), `[${"-".repeat(24)}] 0 %`)
    assert.strictEqual(barOf(0.5), `[${"#".repeat(12)}${"-".repeat(12)}] 50 %`)
    assert.strictEqual(barOf(0.999), `[${"#".repeat(23)}-] 99 %`)
    assert.strictEqual(barOf(1), `[${"#".repeat(24)}] 100 %`)
  })
})
