import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { writeLine, writeLineSoon } from "../src/standardOutput.ts"

describe("standard output", () => {
  const written: Array<string> = []
  beforeEach(() => {
    written.length = 0
    vi.useFakeTimers()
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written.push(String(text))
      return true
    })
  })
  afterEach(() => {
    vi.runAllTimers()
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  it("gets lines that may wait in one write, 50 ms after the first of them", () => {
    writeLineSoon("one")
    vi.advanceTimersByTime(30)
    writeLineSoon("two")
    expect(written).toEqual([])
    vi.advanceTimersByTime(20)
    expect(written).toEqual(["one\ntwo\n"])
    vi.advanceTimersByTime(1_000)
    expect(written).toEqual(["one\ntwo\n"])
  })

  it("gets a line that may not wait behind those that came before it", () => {
    writeLineSoon("one")
    writeLine("two")
    writeLineSoon("three")
    expect(written).toEqual(["one\n", "two\n"])
    vi.advanceTimersByTime(50)
    expect(written).toEqual(["one\n", "two\n", "three\n"])
  })

  it("lets no more wait than a pipe takes at once", () => {
    const line = "x".repeat(1_023)
    for (let n = 0; n < 32; n++) writeLineSoon(line)
    expect(written.map(({ length }) => length)).toEqual([32_768])
  })
})
