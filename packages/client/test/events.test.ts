import { assert, describe, it } from "vitest"
import { Loopbox, type Socket } from "../src/index.ts"

const lastSeq = 2_500

type Listener = (event: { readonly data: unknown; readonly code: number }) => void

/** A plain request to the path of the socket: nothing is wrong with it but that it is none. */
const asHost = () => new Response(null, { status: 426 })

/** A host whose sockets send everything at once, faster than anybody reads; or what stands there in place of one. */
const floodingHost = (answer: () => Response = asHost, isHost = true) => {
  const handshakes: Array<string> = []
  class FloodingSocket implements Socket {
    readonly #listeners: Record<"message" | "close" | "error", Array<Listener>> = { message: [], close: [], error: [] }

    constructor(url: string) {
      handshakes.push(new URL(url).search)
      const after = Number(new URL(url).searchParams.get("after") ?? lastSeq)
      queueMicrotask(() => {
        if (!isHost) return this.close()
        this.#send({ type: "hello", seq: lastSeq, heartbeat_seconds: 30 })
        for (let seq = after + 1; seq <= lastSeq; seq++) this.#send({ type: "inbox.item_deleted", seq, item_id: "i" })
        // What came before is sent again, as no host does: it must not come twice.
        this.#send({ type: "inbox.item_deleted", seq: 1, item_id: "i" })
        this.#send("no frame")
      })
    }

    #send(frame: unknown) {
      for (const listener of this.#listeners.message) listener({ data: JSON.stringify(frame), code: 0 })
    }

    addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void
    addEventListener(type: "close", listener: (event: { readonly code: number }) => void): void
    addEventListener(type: "error", listener: () => void): void
    addEventListener(type: "message" | "close" | "error", listener: Listener) {
      this.#listeners[type].push(listener)
    }

    close() {
      for (const listener of this.#listeners.close) listener({ data: "", code: 1000 })
    }
  }
  const fetch: typeof globalThis.fetch = async () => answer()
  return {
    handshakes,
    loopbox: new Loopbox({ baseUrl: "http://127.0.0.1:1", apiKey: "k", fetch, WebSocket: FloodingSocket })
  }
}

describe("loopbox.inbox.events", () => {
  it("keeps a bounded number of frames for a slow reader, who gets every one all the same", async () => {
    const { handshakes, loopbox } = floodingHost()
    const seen: Array<number> = []
    for await (const event of loopbox.inbox.events({ inbox_scope: "workspace", after: 0 })) {
      if (!("seq" in event)) return assert.fail(event.type)
      seen.push(event.seq)
      if (seen.length === lastSeq) break
    }
    assert.deepStrictEqual(
      seen,
      Array.from({ length: lastSeq }, (_, i) => i + 1)
    )
    // 1,000 frames a line, of which one is the hello.
    assert.deepStrictEqual(handshakes, [
      "?inbox_scope=workspace&after=0",
      "?inbox_scope=workspace&after=999",
      "?inbox_scope=workspace&after=1998"
    ])
  })

  it("goes on behind the last event although a page stands in for the host for a while", async () => {
    const pages = [
      () => new Response("404 page not found", { status: 404, headers: { "content-type": "text/plain" } }),
      () => new Response("<html>", { headers: { "content-type": "text/html" } })
    ]
    const { handshakes, loopbox } = floodingHost(() => (pages.shift() ?? asHost)())
    const seen: Array<number> = []
    for await (const event of loopbox.inbox.events({ inbox_scope: "workspace", after: 0 })) {
      if ("seq" in event) seen.push(event.seq)
      if (seen.length === lastSeq) break
    }
    assert.deepStrictEqual([seen.at(-1), handshakes.length, pages.length], [lastSeq, 3, 0])
  })

  it("ends with a page that was never a host", async () => {
    const { loopbox } = floodingHost(() => new Response("404 page not found", { status: 404 }), false)
    const events = loopbox.inbox.events({ inbox_scope: "workspace", after: 0 })
    const error: unknown = await events.next().catch((reason: unknown) => reason)
    assert.include({ ...Object(error) }, { status: 404, code: "INVALID_ANSWER" })
  })
})
