import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { SameDelay } from "../../src/node/SameDelay.ts"

describe("SameDelay", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const heard: Array<string> = []
  const waiting = (onDue: (item: string) => void = () => {}) => {
    heard.length = 0
    return new SameDelay<string>(100, (item) => {
      heard.push(item)
      onDue(item)
    })
  }

  it("calls back for each after the same time, by one timer", () => {
    const all = waiting()
    all.add("a")
    vi.advanceTimersByTime(60)
    all.add("b")
    assert.strictEqual(vi.getTimerCount(), 1)
    vi.advanceTimersByTime(41)
    assert.deepEqual([heard, all.has("a"), all.has("b")], [["a"], false, true])
    vi.advanceTimersByTime(60)
    assert.deepEqual([heard, vi.getTimerCount()], [["a", "b"], 0])
  })

  it("waits anew for what is added again, and not for what is taken out", () => {
    const all = waiting()
    for (const item of ["a", "b", "c"]) all.add(item)
    vi.advanceTimersByTime(60)
    all.add("a")
    all.delete("b")
    vi.advanceTimersByTime(41)
    assert.deepEqual(heard, ["c"])
    vi.advanceTimersByTime(60)
    assert.deepEqual(heard, ["c", "a"])
    all.add("d")
    all.delete("d")
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("calls back again and again for what its own call adds", () => {
    const all = waiting((item) => all.add(item))
    all.add("a")
    vi.advanceTimersByTime(60)
    all.add("b")
    vi.advanceTimersByTime(325)
    assert.deepEqual(heard, ["a", "b", "a", "b", "a", "b"])
  })
})
