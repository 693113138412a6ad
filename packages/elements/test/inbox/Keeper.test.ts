import { assert, describe, it } from "vitest"
import { Keeper, nothingKept, type Storage } from "../../src/inbox/Keeper.ts"

const storageOf = (): Storage & { readonly kept: Map<string, string> } => {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key)
  }
}

describe("Keeper", () => {
  it("gives the next page what was being written, by inbox and conversation", () => {
    const storage = storageOf()
    new Keeper(storage, "a").write("thr_1", { ...nothingKept, text: "half" })
    assert.strictEqual(new Keeper(storage, "a").read("thr_1").text, "half")
    assert.deepStrictEqual(new Keeper(storage, "a").read("thr_2"), nothingKept)
    assert.deepStrictEqual(new Keeper(storage, "b").read("thr_1"), nothingKept)
  })

  it("leaves nothing behind of what was sent", () => {
    const storage = storageOf()
    const keeper = new Keeper(storage, "a")
    keeper.write("thr_1", { ...nothingKept, text: "half" })
    keeper.write("thr_1", nothingKept)
    assert.strictEqual(storage.kept.size, 0)
  })

  it("keeps it in the page where the browser keeps nothing, and takes what is not its own for nothing", () => {
    const full: Storage = {
      getItem: () => "{",
      setItem: () => {
        throw new Error("full")
      },
      removeItem: () => undefined
    }
    const keeper = new Keeper(full, "a")
    assert.deepStrictEqual(keeper.read("thr_1"), nothingKept)
    keeper.write("thr_1", { ...nothingKept, text: "half" })
    assert.strictEqual(keeper.read("thr_1").text, "half")
  })
})
