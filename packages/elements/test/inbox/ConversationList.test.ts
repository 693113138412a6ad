import { Loopbox } from "@loopbox/client"
import { assert, describe, it } from "vitest"
import { ConversationList } from "../../src/inbox/ConversationList.ts"
import { noFilter } from "../../src/inbox/Filter.ts"
import type { Thread } from "../../src/inbox/records.ts"
import { threadOf } from "./threads.ts"

const answerOf = (data: unknown, more = {}) =>
  new Response(JSON.stringify({ data, request_id: "req_1", ...more }), {
    headers: { "content-type": "application/json" }
  })

/** A host that keeps threads, gives small pages, and answers when it is told to. */
const makeHost = (threads: Array<Thread>, pageSize = 2) => {
  const waiting: Array<() => void> = []
  const asked: Array<string> = []
  const later: Array<() => void> = []
  let isHeld = false
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    asked.push(url.pathname)
    const id = /threads\/(\w+)$/.exec(url.pathname)?.[1]
    const from = Number(url.searchParams.get("cursor") ?? 0)
    const status = url.searchParams.get("thread_status")
    const sorted = threads
      .filter((one) => status === null || one.thread_status === status)
      .toSorted((a, b) => (a.last_item_at < b.last_item_at ? 1 : -1))
    const found = threads.find((one) => one.id === id)
    const answer =
      id === undefined
        ? answerOf(sorted.slice(from, from + pageSize), {
            next_cursor: sorted.length > from + pageSize ? String(from + pageSize) : null
          })
        : found === undefined
          ? new Response(JSON.stringify({ error: { code: "NOT_FOUND", message: "Gone." }, request_id: "r" }), {
              status: 404,
              headers: { "content-type": "application/json" }
            })
          : answerOf(found)
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
    return answer
  }
  const client = new Loopbox({ baseUrl: "http://127.0.0.1:1", getToken: () => "t", fetch })
  const list = new ConversationList(
    {
      client,
      scope: { inbox_scope: "workspace" },
      agent: "",
      now: () => new Date("2026-11-23T12:00:00.000Z"),
      later: (run) => void later.push(run),
      changed: () => undefined,
      told: () => undefined
    },
    () => undefined
  )
  const settle = async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    asked,
    list,
    settle,
    hold: () => {
      isHeld = true
    },
    release: () => {
      isHeld = false
      for (const go of waiting.splice(0)) go()
    },
    runLater: () => {
      for (const run of later.splice(0)) run()
    },
    ids: () => list.ids(0, list.length)
  }
}

describe("the list of conversations", () => {
  it("loads pages, and shows no thread below a gap", async () => {
    const host = makeHost([threadOf("a", 9), threadOf("b", 8), threadOf("c", 7), threadOf("d", 6)])
    await host.list.load()
    host.list.take(threadOf("old", 1))
    assert.deepStrictEqual(host.ids(), ["a", "b"])
    await host.list.loadMore()
    assert.deepStrictEqual(host.ids(), ["a", "b", "c", "d"])
    assert.isFalse(host.list.hasMore)
  })

  it("keeps what an event told over a page that was asked for before", async () => {
    const host = makeHost([threadOf("a", 1, { unread_count: 3 })])
    host.hold()
    const loading = host.list.load()
    await host.settle()
    host.list.take(threadOf("a", 5, { unread_count: 4 }))
    host.release()
    await loading
    assert.strictEqual(host.list.find("a")?.unread_count, 4)
  })

  it("reads changed threads together: those on the first page with it, and others singly", async () => {
    const threads = [threadOf("a", 9), threadOf("b", 8), threadOf("c", 7)]
    const host = makeHost(threads)
    await host.list.load()
    await host.list.loadMore()
    host.asked.length = 0
    threads[0] = threadOf("a", 10, { unread_count: 1 })
    threads[2] = threadOf("c", 7, { unread_count: 2 })
    host.list.refresh("a")
    host.list.refresh("c")
    host.runLater()
    await host.settle()
    assert.deepStrictEqual(host.asked, ["/v1/inbox/threads", "/v1/inbox/threads/c"])
    assert.deepStrictEqual(
      host.ids().map((id) => host.list.find(id)?.unread_count),
      [1, 0, 2]
    )
  })

  it("reads all that is loaded where nobody says which thread has changed, and lets go of what is not there any more", async () => {
    const threads = ["a", "b", "c", "d", "e", "f", "g"].map((id, at) => threadOf(id, 20 - at, { unread_count: 4 }))
    const host = makeHost(threads)
    await host.list.load()
    await host.list.loadMore()
    await host.list.loadMore()
    threads[4] = threadOf("e", 16, { unread_count: 3 })
    threads.splice(2, 1)
    host.list.refreshAll()
    host.runLater()
    await host.settle()
    // Of what is below the first page only those are read that are known to have changed.
    assert.strictEqual(host.list.find("e")?.unread_count, 4)
    host.list.refreshLoaded()
    host.runLater()
    await host.settle()
    assert.strictEqual(host.list.find("e")?.unread_count, 3)
    assert.deepStrictEqual(host.ids(), ["a", "b", "d", "e", "f", "g"])
    assert.isFalse(host.list.hasMore)
  })

  it("lets go of what left the view, and of what is gone", async () => {
    const threads = [threadOf("a", 9), threadOf("b", 8)]
    const host = makeHost(threads)
    host.list.filter = { ...noFilter, view: "nobody" }
    await host.list.load()
    threads.splice(1)
    threads[0] = threadOf("a", 9, { thread_status: "resolved" })
    host.list.refresh("a")
    host.list.refresh("b")
    host.runLater()
    await host.settle()
    assert.deepStrictEqual(host.ids(), [])
  })

  it("is true of thousands of conversations, wherever the reader is", async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 10, 23, 10, 0, second)).toISOString()
    const threads = Array.from({ length: 3_000 }, (_, n) =>
      threadOf(`thr_${n}`, 0, { last_item_at: at(9_000 - n), unread_count: 1 })
    )
    const host = makeHost(threads, 100)
    await host.list.load()
    while (host.list.hasMore) await host.list.loadMore()
    assert.deepStrictEqual(
      host.ids(),
      threads.map(({ id }) => id)
    )
    // Those that were read first are the ones that nobody looks at now.
    assert.strictEqual(host.list.findByLastItem("itm_thr_7")?.id, "thr_7")
    host.list.patch("thr_7", (thread) => ({ ...thread, unread_count: 5 }))
    assert.strictEqual(host.list.at(7)?.unread_count, 5)
    host.list.readAll()
    for (const place of [0, 7, 1_000, 2_999]) assert.strictEqual(host.list.at(place)?.unread_count, 0, `${place}`)
    host.list.take(threadOf("thr_1000", 0, { last_item_at: at(10_000), unread_count: 2 }))
    assert.strictEqual(host.list.indexOf("thr_1000"), 0)
    assert.strictEqual(host.list.at(0)?.unread_count, 2)
    assert.strictEqual(host.list.at(1)?.id, "thr_0")
    host.list.remove("thr_0")
    assert.strictEqual(host.list.length, 2_999)
    assert.strictEqual(host.list.at(1)?.id, "thr_1")
    host.list.end()
  })
})
