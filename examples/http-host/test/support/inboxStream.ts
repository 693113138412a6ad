import { EventBody, HelloBody, ResyncBody } from "@loopbox/adapters-http/api/inbox/EventBody"
import { pageBody } from "@loopbox/adapters-http/api/DataBody"
import { ItemBody } from "@loopbox/adapters-http/api/inbox/ItemBody"
import * as Schema from "effect/Schema"
import { request } from "./apiClient.ts"
import { sleep, until } from "./hostProcess.ts"

/** What the release before does not say of an item. */
const younger = {
  is_liked: false,
  private_replied_at: null,
  capabilities: [],
  reply_window: null,
  post_id: null,
  thread_id: "unknown"
}

const isItem = (value: unknown): value is object => typeof value === "object" && value !== null && "is_own" in value

/** Answers of both releases, read as this one's. */
const parse = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) => (isItem(value) ? { ...younger, ...value } : value))

const frame = Schema.decodeUnknownSync(Schema.Union([HelloBody, ResyncBody, EventBody]))
const page = Schema.decodeUnknownSync(pageBody(ItemBody))
const decodeFrame = (text: string) => frame(parse(text))
const decodePage = (text: string) => page(parse(text))

export const workspaceScope = "inbox_scope=workspace"
export const userScope = (user: string): string =>
  `inbox_scope=managed_user&external_user_id=${encodeURIComponent(user)}`

/** One socket from a number on, with the events that it told so far. */
const open = (url: string, key: string, scope: string, after: number) => {
  const address = `${url.replace(/^http/, "ws")}/v1/inbox/ws?${scope}&after=${after}`
  // Node's own takes headers, which a browser's does not; the types are the browser's.
  const socket: WebSocket = Reflect.construct(WebSocket, [address, { headers: { authorization: `Bearer ${key}` } }])
  const told: { hello: number | undefined; isClosed: boolean; readonly events: Array<EventBody> } = {
    hello: undefined,
    isClosed: false,
    events: []
  }
  socket.addEventListener("message", ({ data }: MessageEvent) => {
    const frame = decodeFrame(String(data))
    if (frame.type === "resync_required") throw new Error(`nothing is kept from ${after} on`)
    if (frame.type === "hello") told.hello = frame.seq
    else told.events.push(frame)
  })
  socket.addEventListener("close", () => (told.isClosed = true))
  socket.addEventListener("error", () => (told.isClosed = true))
  return { told, close: () => socket.close() }
}

/** The workspace's last number. */
export const lastNumber = async (url: string, key: string): Promise<number> => {
  const { close, told } = open(url, key, workspaceScope, 0)
  const last = await until("the hello", () => told.hello)
  close()
  return last
}

/** A scope may be told nothing of the last number: then so long a silence is its end. */
const silence_ms = 3_000

/** All events of a scope after a number, as a socket that resumes there gets them. */
export const replay = async (url: string, key: string, scope: string, after: number) => {
  const { close, told } = open(url, key, scope, after)
  const last = await until("the hello", () => told.hello)
  const isWhole = () => last === after || (told.events.at(-1)?.seq ?? 0) >= last
  if (scope === workspaceScope) await until("the last event", () => (isWhole() ? true : undefined))
  for (let seen = -1; seen !== told.events.length && !isWhole(); await sleep(silence_ms)) seen = told.events.length
  close()
  return told.events
}

/** A client of a workspace that comes back, where it was, whenever its socket breaks. */
export const follow = (findUrl: () => string, key: string, after: number) => {
  const events: Array<EventBody> = []
  let isWanted = true
  let sockets = 0
  const following = (async () => {
    while (isWanted) {
      const { close, told } = open(findUrl(), key, workspaceScope, events.at(-1)?.seq ?? after)
      sockets += 1
      while (isWanted && !told.isClosed) await sleep(20)
      close()
      events.push(...told.events)
    }
  })()
  const stop = async () => {
    isWanted = false
    await following
    return { events, sockets }
  }
  return { stop }
}

/** Every item of a scope, page by page. */
export const walk = async (url: string, key: string, scope: string): Promise<ReadonlyArray<ItemBody>> => {
  const items: Array<ItemBody> = []
  for (let cursor = ""; ;) {
    const { status, text } = await request(`${url}/v1/inbox?${scope}&limit=500${cursor}`, { token: key })
    if (status !== 200) throw new Error(`expected 200, got ${status}: ${text}`)
    const { data, next_cursor } = decodePage(text)
    items.push(...data)
    if (next_cursor === null) return items
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`
  }
}

/** The inbox that a client has in its hands after these events, by item id. */
export const inboxAfter = (events: ReadonlyArray<EventBody>): ReadonlyMap<string, ItemBody> => {
  const items = new Map<string, ItemBody>()
  const numbers = new Map<string, number>()
  const change = (which: (item: ItemBody) => boolean, to: Partial<ItemBody>) => {
    for (const [id, item] of items) if (which(item)) items.set(id, { ...item, ...to })
  }
  for (const event of events) {
    switch (event.type) {
      case "inbox.new_item":
        numbers.set(event.item.id, event.seq)
        items.set(event.item.id, event.item)
        break
      case "inbox.item_updated":
        items.set(event.item.id, event.item)
        break
      case "inbox.item_deleted":
        items.delete(event.item_id)
        break
      case "inbox.items_read":
        change(({ id }) => (numbers.get(id) ?? 0) <= event.up_to_seq, { is_read: true })
        break
      case "inbox.thread_updated":
        change((item) => item.social_account_id === event.social_account_id && item.thread_key === event.thread_key, {
          thread_status: event.thread_status,
          assigned_to: event.assigned_to
        })
        break
    }
  }
  return items
}
