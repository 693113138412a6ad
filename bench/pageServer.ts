import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { WebSocketServer, type WebSocket } from "@effect/platform-node/NodeWS"

const elements = fileURLToPath(new URL("../packages/elements/dist/browser/", import.meta.url))

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>bench</title>
<style>html,body{height:100%;margin:0}loopbox-inbox{display:block;height:100%}</style>
<script type="module" src="/loopbox-inbox.js"></script>
<loopbox-inbox base-url=""></loopbox-inbox>
<script type="module">
  const inbox = document.querySelector("loopbox-inbox")
  inbox.getToken = () => "a.b.c"
  inbox.baseUrl = location.origin
</script></html>`

const base32 = "0123456789abcdefghjkmnpqrstvwxyz"
const idOf = (prefix: string, n: number): string =>
  `${prefix}_01k9j8${Array.from({ length: 20 }, (_, at) => base32[Math.floor(n / 32 ** (19 - at)) % 32]).join("")}`

/** The newest of so many conversations is number 0; each is a minute older than the one before. */
const threadOf = (n: number, now: number, told: ReadonlyMap<number, number>) => {
  const seq = told.get(n)
  const at = new Date(seq === undefined ? now - n * 60_000 : now + seq).toISOString()
  const body = seq === undefined ? `Comment ${n}: ${"is it still there? ".repeat(1 + (n % 5))}` : `Event ${seq}`
  const account = { id: idOf("acc", 1), network: "instagram", name: "Acme", avatar_url: null }
  const author = { author_id: `${n}`, author_name: `Person ${n}`, author_avatar_url: null }
  const shared = {
    source: "ig_comment",
    social_account_id: account.id,
    account,
    external_user_id: null,
    thread_key: `${n}`,
    thread_status: "open",
    assigned_to: null,
    linked_post_id: null,
    post_id: null,
    reply_window: null,
    created_at: at
  }
  return {
    ...shared,
    id: idOf("thr", n),
    snoozed_until: null,
    labels: n % 7 === 0 ? ["VIP"] : [],
    unread_count: n % 3,
    item_count: 1,
    last_item: itemOf(n, body, at),
    last_item_at: at,
    last_inbound_at: at,
    participants: [author]
  }
}

const itemOf = (n: number, body: string, at: string) => ({
  id: idOf("itm", n),
  workspace_id: idOf("ws", 1),
  external_user_id: null,
  source: "ig_comment",
  social_account_id: idOf("acc", 1),
  account: { id: idOf("acc", 1), network: "instagram", name: "Acme", avatar_url: null },
  external_id: `${n}`,
  parent_external_id: null,
  linked_post_id: null,
  thread_id: idOf("thr", n),
  thread_key: `${n}`,
  thread_status: "open",
  assigned_to: null,
  author_id: `${n}`,
  author_name: `Person ${n}`,
  author_avatar_url: null,
  body,
  attachments: [],
  url: null,
  is_read: false,
  is_own: false,
  is_hidden: false,
  is_liked: false,
  private_replied_at: null,
  capabilities: ["reply", "hide", "delete"],
  reply_window: null,
  post_id: null,
  received_at: at,
  created_at: at,
  edited_at: null
})

/** A host of so many conversations that are made up as they are asked for, with one page that holds the inbox. */
export const startPageServer = async (threads: number) => {
  const now = Date.now()
  /** The last event of a conversation. */
  const told = new Map<number, number>()
  /** The newest first: those that were told of stand above the others. */
  const placeOf = (place: number): number => {
    if (told.size === 0) return place
    const changed = Array.from(told).toSorted(([, a], [, b]) => b - a)
    return (
      changed[place]?.[0] ??
      Array.from({ length: threads }, (_, n) => n).filter((n) => !told.has(n))[place - changed.length] ??
      0
    )
  }
  const answer = (path: string, query: URLSearchParams): unknown => {
    const [, n = ""] = /^\/v1\/inbox\/threads\/thr_01k9j8(\w+)$/.exec(path) ?? []
    if (n !== "") {
      const number = Array.from(n).reduce((sum, letter) => sum * 32 + base32.indexOf(letter), 0)
      return { data: threadOf(number, now, told), request_id: "req_1" }
    }
    if (path !== "/v1/inbox/threads") return { data: [], count: 0, next_cursor: null, request_id: "req_1" }
    const from = Number(query.get("cursor") ?? 0)
    const to = Math.min(threads, from + Number(query.get("limit") ?? 50))
    const data = Array.from({ length: to - from }, (_, at) => threadOf(placeOf(from + at), now, told))
    return { data, next_cursor: to < threads ? String(to) : null, request_id: "req_1" }
  }
  const server = createServer((asked, response) => {
    const { pathname, searchParams } = new URL(asked.url ?? "/", "http://page")
    if (pathname === "/") return response.writeHead(200, { "content-type": "text/html" }).end(page)
    if (pathname.endsWith(".js")) {
      return response
        .writeHead(200, { "content-type": "text/javascript" })
        .end(readFileSync(`${elements}${pathname.slice(1)}`))
    }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer(pathname, searchParams)))
  })
  const sockets = new Set<WebSocket>()
  const live = new WebSocketServer({ server })
  live.on("connection", (socket) => {
    sockets.add(socket)
    socket.send(JSON.stringify({ type: "hello", seq: 0 }))
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`,
    /** Whether the page listens. */
    isHeard: () => sockets.size > 0,
    /** Tells of an item that is new, in a conversation of these. */
    tell: (seq: number) => {
      told.delete(seq % threads)
      told.set(seq % threads, seq)
      const item = itemOf(seq % threads, `Event ${seq}`, new Date(now + seq).toISOString())
      const event = { type: "inbox.new_item", seq, item: { ...item, id: idOf("itm", 10_000_000 + seq) } }
      for (const socket of sockets) socket.send(JSON.stringify(event))
    },
    close: () => {
      live.close()
      server.closeAllConnections()
      server.close()
    }
  }
}
