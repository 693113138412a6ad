import { assert, describe, it } from "vitest"
import { type Answer, begin } from "../../src/inbox/Answer.ts"
import type { Storage } from "../../src/inbox/Keeper.ts"
import { makeInbox, settle } from "./makeInbox.ts"
import { itemOf } from "./threads.ts"

/** What an earlier page of this browser has left; the clock of an inbox stands at noon of 23 November. */
const storageWith = (answer: Answer): Storage => {
  const kept = new Map([["loopbox:test:thr_1", JSON.stringify({ text: "", note: "", answers: [answer] })]])
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key)
  }
}

const answerAt = (at: string) =>
  begin({ key: "k1", itemId: "itm_1", text: "We open at 10 today", isPrivate: false, at })
const lost = { code: "CONNECTION_FAILED", sentence: "", requestId: null }
const threeDaysAgo = "2026-11-20T08:00:00.000Z"
const justNow = "2026-11-23T11:59:30.000Z"

describe("an answer that a closed page left behind", () => {
  it("does not go out days later unasked, and is sent under its own key once somebody asks", async () => {
    const inbox = await makeInbox(storageWith(answerAt(threeDaysAgo)))
    const opened = inbox.store.open("thr_1")
    await settle()
    assert.deepStrictEqual(inbox.keys, [])
    assert.deepStrictEqual(
      opened.answers.map(({ key, remedy, state }) => [key, state, remedy]),
      [["k1", "failed", "retry"]]
    )
    opened.retry("k1")
    // Its call is running: another look at the thread leaves it alone.
    await opened.load()
    await settle()
    assert.deepStrictEqual(inbox.keys, ["k1"])
    assert.deepStrictEqual(opened.answers, [])
    inbox.store.end()
  })

  it("goes on by itself where it was sent just now", async () => {
    const inbox = await makeInbox(storageWith(answerAt(justNow)))
    inbox.store.open("thr_1")
    await settle()
    assert.deepStrictEqual(inbox.keys, ["k1"])
    inbox.store.end()
  })

  it("is not called unsent where it stands in the conversation", async () => {
    const inbox = await makeInbox(storageWith(answerAt(threeDaysAgo)))
    const created_at = "2026-11-20T08:00:02.000Z"
    inbox.items.unshift(itemOf({ id: "itm_own", is_own: true, body: "We open at 10 today", created_at }))
    const opened = inbox.store.open("thr_1")
    await settle()
    assert.deepStrictEqual([opened.answers, inbox.keys], [[], []])
    inbox.store.end()
  })

  it("is sent by a line that stands again only where it has just failed", async () => {
    for (const at of [threeDaysAgo, justNow]) {
      const inbox = await makeInbox(storageWith({ ...answerAt(at), state: "failed", remedy: "retry", failure: lost }))
      inbox.store.open("thr_1")
      await settle()
      inbox.lose()
      await new Promise((resolve) => setTimeout(resolve, 700))
      await settle()
      await inbox.hello(11)
      assert.deepStrictEqual(inbox.keys, at === justNow ? ["k1"] : [])
      inbox.store.end()
    }
  })
})
