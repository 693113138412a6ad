import { Loopbox, type Socket } from "@loopbox/client"
import { noFilter } from "../../src/inbox/Filter.ts"
import { type Arrival, InboxStore } from "../../src/inbox/InboxStore.ts"
import type { Storage } from "../../src/inbox/Keeper.ts"
import type { Item, Note, Thread } from "../../src/inbox/records.ts"
import { itemOf, savedReplyOf, threadOf } from "./threads.ts"

type Listener = (event: { readonly data: unknown; readonly code: number }) => void

export const settle = async () => {
  for (let turn = 0; turn < 60; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** A host with one socket at a time, and a store that is open on it. */
export const makeInbox = async (storage?: Storage) => {
  const threads = [threadOf("thr_1", 5), threadOf("thr_2", 4)]
  const items: Array<Item> = [itemOf()]
  const notes: Array<Note> = []
  /** More than one page. */
  const savedReplies = Array.from({ length: 120 }, (_, place) => savedReplyOf({ id: `sr_${place}` }))
  const replies: Array<() => Response> = []
  /** What threads were to become or be labelled, in their order, and how the host answers each when it is told to. */
  const asked: Array<string> = []
  const answers: Array<(isDone: boolean) => void> = []
  const later: Array<() => void> = []
  const keys: Array<string | null> = []
  let arrivals: ReadonlyArray<Arrival> = []
  let missed: number | "anew" | undefined
  const told: Array<string> = []
  let socket: HostSocket | undefined
  class HostSocket implements Socket {
    readonly #listeners: Record<"message" | "close" | "error", Array<Listener>> = { message: [], close: [], error: [] }
    readonly url: string
    constructor(url: string) {
      this.url = url
      // oxlint-disable-next-line typescript/no-this-alias
      socket = this
    }
    addEventListener(type: "message" | "close" | "error", listener: Listener) {
      this.#listeners[type].push(listener)
    }
    send(frame: unknown) {
      for (const listener of this.#listeners.message) listener({ data: JSON.stringify(frame), code: 0 })
    }
    close() {
      for (const listener of this.#listeners.close) listener({ data: "", code: 1012 })
    }
  }
  const json = (body: object, status = 200) =>
    new Response(JSON.stringify({ request_id: "req_1", ...body }), {
      status,
      headers: { "content-type": "application/json" }
    })
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = input instanceof Request ? input : new Request(String(input), init)
    const { pathname, searchParams } = new URL(request.url)
    if (pathname.endsWith("/reply")) {
      keys.push(request.headers.get("idempotency-key"))
      return replies.shift()?.() ?? json({ data: itemOf({ id: "itm_own", is_own: true, body: "Yes" }) })
    }
    if (pathname.endsWith("/state")) {
      const state: Pick<Thread, "thread_status" | "assigned_to"> = await request.json()
      asked.push(state.thread_status)
      const isDone = await new Promise<boolean>((resolve) => answers.push(resolve))
      return isDone ? json({ data: threadOf("thr_1", 5, state) }) : json({ error: { code: "INTERNAL_ERROR" } }, 500)
    }
    if (request.method === "PUT" && pathname.endsWith("/labels")) {
      const { labels }: Pick<Thread, "labels"> = await request.json()
      asked.push(labels.join(" "))
      const isDone = await new Promise<boolean>((resolve) => answers.push(resolve))
      return isDone
        ? json({ data: threadOf("thr_1", 5, { labels }) })
        : json({ error: { code: "INTERNAL_ERROR" } }, 500)
    }
    const all = pathname.endsWith("/notes") ? notes : pathname.endsWith("/saved-replies") ? savedReplies : undefined
    if (all !== undefined) {
      const from = Number(searchParams.get("cursor") ?? 0)
      const to = from + Number(searchParams.get("limit"))
      return json({ data: all.slice(from, to), next_cursor: to < all.length ? `${to}` : null })
    }
    if (pathname.endsWith("/items")) return json({ data: items.toReversed(), next_cursor: null })
    if (pathname.endsWith("/threads")) return json({ data: threads, next_cursor: null })
    const thread: Thread | undefined = threads.find(({ id }) => pathname.endsWith(`/threads/${id}`))
    if (thread !== undefined) return json({ data: thread })
    if (pathname.endsWith("/ws")) return new Response(null, { status: 426 })
    return json({ data: pathname.endsWith("/read") ? { marked: 1 } : [], next_cursor: null })
  }
  const client = new Loopbox({
    baseUrl: "http://127.0.0.1:1",
    getToken: () => "t",
    fetch,
    WebSocket: HostSocket,
    retries: 0
  })
  const store = new InboxStore({
    client,
    scope: { inbox_scope: "workspace" },
    agent: "",
    now: () => new Date("2026-11-23T12:00:00.000Z"),
    later: (run) => void later.push(run),
    changed: () => undefined,
    storage,
    storageName: "test",
    arrived: (arrival) => {
      arrivals = [...arrivals, arrival]
    },
    resumed: (count) => {
      missed = count ?? "anew"
    },
    told: (state) => void told.push(state)
  })
  store.start(noFilter)
  await settle()
  socket?.send({ type: "hello", seq: 10, heartbeat_seconds: 30 })
  await settle()
  const base = { workspace_id: "ws_1", external_user_id: null, at: "2026-11-23T10:00:00.000Z" }
  return {
    store,
    threads,
    items,
    notes,
    keys,
    json,
    replies,
    asked,
    answer: async (isDone: boolean) => {
      answers.shift()?.(isDone)
      await settle()
    },
    arrivals: () => arrivals,
    missed: () => missed,
    told,
    url: () => socket?.url ?? "",
    lose: () => socket?.close(),
    hello: async (seq: number) => {
      socket?.send({ type: "hello", seq, heartbeat_seconds: 30 })
      await settle()
    },
    event: async (event: object) => {
      socket?.send({ ...base, ...event })
      await settle()
    },
    runLater: async () => {
      for (const run of later.splice(0)) run()
      await settle()
    }
  }
}

/** The event of an item that has come. */
export const newItem = (seq: number, change: Partial<Item>) => ({ seq, type: "inbox.new_item", item: itemOf(change) })
