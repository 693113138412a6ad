import { assert, describe, it } from "vitest"
import { makeInbox, settle } from "./makeInbox.ts"
import { noteOf } from "./threads.ts"

describe("what has more than one page", () => {
  const openWith = async (count: number) => {
    const inbox = await makeInbox()
    for (let place = 0; place < count; place++) inbox.notes.push(noteOf({ id: `note_${place}` }))
    const opened = inbox.store.open("thr_1")
    await settle()
    inbox.store.end()
    return { opened, store: inbox.store }
  }

  it("is shown with its newest notes and all saved replies", async () => {
    const { opened, store } = await openWith(120)
    assert.deepStrictEqual([opened.notes.length, opened.notes.at(-1)?.id], [120, "note_119"])
    assert.deepStrictEqual([store.savedReplies?.length, store.savedReplies?.at(-1)?.id], [120, "sr_119"])
  })

  it("is not read without end", async () => {
    const { opened } = await openWith(1_200)
    assert.strictEqual(opened.notes.length, 1_000)
  })
})
