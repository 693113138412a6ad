import { assert, describe, it } from "vitest"
import { begin } from "../../src/inbox/Answer.ts"
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

  it("gives the next page whom it was for: what was meant for one person is not shown to all", () => {
    const storage = storageOf()
    new Keeper(storage, "a").write("thr_1", { text: "secret", composing: { itemId: "itm_1", mode: "private" } })
    assert.deepStrictEqual(new Keeper(storage, "a").read("thr_1").composing, { itemId: "itm_1", mode: "private" })
    storage.setItem("loopbox:a:thr_2", JSON.stringify({ text: "older", note: "", answers: [] }))
    assert.deepStrictEqual(new Keeper(storage, "a").read("thr_2"), { ...nothingKept, text: "older" })
  })

  it("leaves what another page of the browser writes meanwhile", () => {
    const storage = storageOf()
    const [one, other] = [new Keeper(storage, "a"), new Keeper(storage, "a")]
    one.read("thr_1")
    other.read("thr_1")
    const answer = (key: string) => begin({ key, itemId: "itm_1", text: key, isPrivate: false, at: "" })
    one.write("thr_1", { text: "an answer", answers: [answer("a")] })
    other.write("thr_1", { note: "a note", answers: [answer("b")] })
    one.write("thr_1", { answers: [] })
    const { answers, note, text } = new Keeper(storage, "a").read("thr_1")
    assert.deepStrictEqual([text, note, answers.map(({ key }) => key)], ["an answer", "a note", ["b"]])
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

  it("forgets what a full storage refused once that takes things again", () => {
    const storage = storageOf()
    let isFull = true
    const setItem = (key: string, value: string): void => {
      if (isFull) throw new DOMException("full", "QuotaExceededError")
      storage.setItem(key, value)
    }
    const keeper = new Keeper({ ...storage, setItem }, "a")
    keeper.write("thr_1", { text: "We open at 10" })
    assert.strictEqual(keeper.read("thr_1").text, "We open at 10")
    isFull = false
    keeper.write("thr_1", { text: "We open at 10, and close at 6" })
    new Keeper(storage, "a").write("thr_1", { text: "changed in another page" })
    assert.strictEqual(keeper.read("thr_1").text, "changed in another page")
    // It was sent: nothing is being written any more.
    isFull = true
    keeper.write("thr_1", { note: "a note" })
    keeper.write("thr_1", { note: "", text: "" })
    assert.strictEqual(keeper.read("thr_1").text, "")
    assert.strictEqual(storage.kept.size, 0)
  })
})
