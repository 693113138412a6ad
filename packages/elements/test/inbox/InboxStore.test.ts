import { assert, describe, it } from "vitest"
import type { Storage } from "../../src/inbox/Keeper.ts"
import { makeInbox, newItem, settle } from "./makeInbox.ts"
import { itemOf, operationOf, threadOf } from "./threads.ts"

describe("an inbox", () => {
  it("shows what arrives at once, in the list and in the open conversation, and reads the counts after", async () => {
    const inbox = await makeInbox()
    inbox.store.open("thr_2")
    await settle()
    const item = { id: "itm_9", thread_id: "thr_2", body: "New", received_at: "2026-11-23T11:00:00.000Z" }
    inbox.threads[1] = threadOf("thr_2", 60, { unread_count: 7, item_count: 8, last_item: itemOf(item) })
    await inbox.event(newItem(11, item))
    assert.deepStrictEqual(inbox.store.list.ids(0, inbox.store.list.length), ["thr_2", "thr_1"])
    assert.strictEqual(inbox.store.opened?.items.at(-1)?.body, "New")
    await inbox.runLater()
    assert.strictEqual(inbox.store.opened?.thread?.item_count, 8)
    assert.strictEqual(inbox.arrivals().length, 1)
    inbox.store.end()
  })

  it("sends an answer under one key until the network has it, and shows it once", async () => {
    const inbox = await makeInbox()
    const opened = inbox.store.open("thr_1")
    await settle()
    opened.keep({ text: " Yes " })
    const pending = { code: "X_WRITE_OUTCOME_PENDING", message: "?", details: { operation_id: "op_1" } }
    inbox.replies.push(() => inbox.json({ error: pending }, 409))
    opened.send()
    assert.deepStrictEqual([opened.kept.text, opened.answers[0]?.state], ["", "sending"])
    await settle()
    assert.strictEqual(opened.answers[0]?.state, "checking")
    await inbox.event(newItem(12, { id: "itm_own", is_own: true, body: "Yes", is_read: true }))
    await inbox.event({
      seq: 13,
      type: "inbox.reply_updated",
      operation: operationOf({ status: "completed", response_item_id: "itm_own" })
    })
    assert.deepStrictEqual(opened.answers, [])
    assert.strictEqual(opened.items.filter(({ is_own }) => is_own).length, 1)
    assert.isTrue(opened.isSent("itm_own"))
    assert.deepStrictEqual(inbox.told, ["checking", "sent"])
    inbox.store.end()
  })

  it("sends what failed again under its own key", async () => {
    const inbox = await makeInbox()
    const opened = inbox.store.open("thr_1")
    await settle()
    opened.keep({ text: "Yes" })
    inbox.replies.push(() => inbox.json({ error: { code: "PLATFORM_RATE_LIMITED", message: "Later." } }, 429))
    const answer = opened.send()
    await settle()
    assert.strictEqual(opened.answers[0]?.state, "failed")
    opened.retry(answer?.key ?? "")
    await settle()
    assert.deepStrictEqual(opened.answers, [])
    assert.strictEqual(inbox.keys.length, 2)
    assert.strictEqual(inbox.keys[0], inbox.keys[1])
    inbox.store.end()
  })

  it("says how many came while the line was lost, and that it goes on behind the last event", async () => {
    const inbox = await makeInbox()
    await inbox.event(newItem(11, { id: "itm_a" }))
    inbox.lose()
    await settle()
    assert.strictEqual(inbox.store.connection, "lost")
    await new Promise((resolve) => setTimeout(resolve, 700))
    await settle()
    assert.include(inbox.url(), "after=11")
    await inbox.hello(13)
    await inbox.event(newItem(12, { id: "itm_b" }))
    await inbox.event(newItem(13, { id: "itm_c" }))
    await inbox.event(newItem(14, { id: "itm_d" }))
    await inbox.runLater()
    assert.strictEqual(inbox.store.connection, "live")
    assert.strictEqual(inbox.missed(), 2)
    inbox.store.end()
  })

  it("loads anew when what came can't be told, and keeps what is half written", async () => {
    const inbox = await makeInbox()
    const opened = inbox.store.open("thr_1")
    await settle()
    opened.keep({ text: "half" })
    inbox.items.push(itemOf({ id: "itm_2", received_at: "2026-11-23T10:30:00.000Z" }))
    await inbox.event({ type: "resync_required" })
    assert.strictEqual(inbox.store.opened?.kept.text, "half")
    assert.strictEqual(inbox.store.opened?.items.length, 2)
    inbox.store.end()
  })

  it("keeps whom a half-written answer is for", async () => {
    const kept = new Map<string, string>()
    const storage: Storage = {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key)
    }
    const inbox = await makeInbox(storage)
    const opened = inbox.store.open("thr_1")
    opened.compose({ itemId: "itm_1", mode: "private" })
    opened.write({ text: "between us" })
    inbox.store.end()
    const next = await makeInbox(storage)
    assert.deepStrictEqual(next.store.open("thr_1").composing, { itemId: "itm_1", mode: "private" })
    next.store.open("thr_2")
    assert.strictEqual(next.store.open("thr_1").composing.mode, "private")
    next.store.end()
  })

  it("forgets what went while nobody could tell, and says that all was read anew", async () => {
    const inbox = await makeInbox()
    inbox.items.unshift(itemOf({ id: "itm_0", received_at: "2026-11-23T09:00:00.000Z" }))
    const opened = inbox.store.open("thr_1")
    await settle()
    inbox.lose()
    await new Promise((resolve) => setTimeout(resolve, 700))
    await settle()
    inbox.items.shift()
    await inbox.hello(99)
    await inbox.event({ type: "resync_required" })
    await inbox.runLater()
    assert.deepStrictEqual(
      opened.items.map(({ id }) => id),
      ["itm_1"]
    )
    assert.strictEqual(inbox.missed(), "anew")
    inbox.store.end()
  })

  it("counts what came in between until all of it has come", async () => {
    const inbox = await makeInbox()
    inbox.lose()
    await new Promise((resolve) => setTimeout(resolve, 700))
    await settle()
    await inbox.hello(13)
    await inbox.event(newItem(11, { id: "itm_b" }))
    await inbox.runLater()
    assert.isUndefined(inbox.missed())
    await inbox.event(newItem(13, { id: "itm_c" }))
    await inbox.runLater()
    assert.strictEqual(inbox.missed(), 2)
    inbox.store.end()
  })

  it("takes what an event deleted out, also where a page that was asked for before still has it", async () => {
    const inbox = await makeInbox()
    const opened = inbox.store.open("thr_1")
    await inbox.event({ seq: 11, type: "inbox.item_deleted", item_id: "itm_1" })
    assert.deepStrictEqual(
      opened.items.map(({ id }) => id),
      []
    )
    inbox.store.end()
  })

  it("asks for what was done with a conversation last after what was done before, and goes on showing it", async () => {
    for (const isDone of [true, false]) {
      const inbox = await makeInbox()
      const { answer, asked, store } = inbox
      store.open("thr_1")
      await settle()
      const status = () => [store.list.find("thr_1")?.thread_status, store.opened?.thread?.thread_status]
      const assigning = store.setState("thr_1", { thread_status: "assigned", assigned_to: "Ada" })
      const resolving = store.setState("thr_1", { thread_status: "resolved" })
      await settle()
      assert.deepStrictEqual(asked, ["assigned"])
      assert.deepStrictEqual(status(), ["resolved", "resolved"])
      await answer(isDone)
      assert.strictEqual(await assigning, isDone)
      assert.deepStrictEqual(asked, ["assigned", "resolved"])
      assert.deepStrictEqual(status(), ["resolved", "resolved"])
      await answer(true)
      assert.isTrue(await resolving)
      assert.deepStrictEqual(status(), ["resolved", "resolved"])
      // That the first failed is said until something more is asked for.
      assert.strictEqual(store.opened?.actionError !== undefined, !isDone)
      const opening = store.setState("thr_1", { thread_status: "open" })
      await settle()
      await answer(true)
      assert.isTrue(await opening)
      assert.isUndefined(store.opened?.actionError)
      store.end()
    }
  })

  it("shows labels and state of a conversation as they were given, whichever of them the host has answered", async () => {
    const { answer, asked, store } = await makeInbox()
    store.open("thr_1")
    await settle()
    const shown = () =>
      [store.list.find("thr_1"), store.opened?.thread].map((thread) => [
        thread?.thread_status,
        thread?.labels.join(" ")
      ])
    const changes = [
      store.setLabels("thr_1", ["urgent"]),
      store.setState("thr_1", { thread_status: "resolved" }),
      store.setLabels("thr_1", ["urgent", "refund"])
    ]
    await settle()
    const wanted = ["urgent", "resolved", "urgent refund"]
    for (const n of changes.keys()) {
      assert.deepStrictEqual(asked, wanted.slice(0, n + 1))
      assert.deepStrictEqual(shown(), [
        ["resolved", "urgent refund"],
        ["resolved", "urgent refund"]
      ])
      await answer(true)
    }
    assert.deepStrictEqual(await Promise.all(changes), [true, true, true])
    store.end()
  })
})
