import { assert, describe, it } from "@effect/vitest"
import { emptyPost } from "../../src/console/posts/PostDraft.ts"
import { PostKeeper } from "../../src/console/posts/PostKeeper.ts"

const makeStorage = () => {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name)
  }
}

const written = { draft: { ...emptyPost, text: "Half a sen" }, key: "key_1" }

describe("the post that is being written", () => {
  it("is there again with its key, in its workspace only", () => {
    const storage = makeStorage()
    new PostKeeper(storage, "ws_1").write(written)
    assert.deepStrictEqual(new PostKeeper(storage, "ws_1").read(), written)
    assert.deepStrictEqual(new PostKeeper(storage, "ws_2").read().draft, emptyPost)
  })

  it("leaves nothing behind once it is sent", () => {
    const storage = makeStorage()
    const keeper = new PostKeeper(storage, "ws_1")
    keeper.write(written)
    keeper.write({ draft: emptyPost, key: "key_2" })
    assert.strictEqual(storage.kept.size, 0)
  })

  it("is a new one where what is kept is of another version, or unreadable", () => {
    const storage = makeStorage()
    const keeper = new PostKeeper(storage, "ws_1")
    for (const text of ["{", "[]", '{"draft":{"text":"x","mediaId":"med_1"},"key":"k"}', "null"]) {
      storage.setItem("loopbox-console-post:ws_1", text)
      assert.deepStrictEqual(keeper.read().draft, emptyPost)
    }
  })

  it("is written on in a browser that keeps nothing", () => {
    const refuse = (): never => {
      throw new Error("full")
    }
    const keeper = new PostKeeper({ getItem: refuse, setItem: refuse, removeItem: refuse }, "ws_1")
    keeper.write(written)
    assert.deepStrictEqual(keeper.read().draft, emptyPost)
  })
})
