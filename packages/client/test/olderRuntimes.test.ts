import { afterEach, assert, describe, it, vi } from "vitest"
import { Loopbox, LoopboxError } from "../src/index.ts"

const json = (data: unknown, status = 200) =>
  new Response(JSON.stringify({ data }), { status, headers: { "content-type": "application/json" } })

const job = { id: "mpj_1", status: "succeeded", progress: 1, output_media_id: "med_3", error: null }

describe("in Node 18, which has no crypto, WebSocket and File of its own", () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  const removeGlobals = () => {
    for (const name of ["crypto", "WebSocket", "File"]) vi.stubGlobal(name, undefined)
  }

  it("a call that makes its own key is sent, and again after an answer that says no time", async () => {
    removeGlobals()
    const keys: Array<string | null> = []
    const fetch: typeof globalThis.fetch = (_, init) => {
      if (init?.method !== "POST")
        return Promise.resolve(new Response("video", { headers: { "content-type": "video/mp4" } }))
      keys.push(new Headers(init.headers).get("idempotency-key"))
      const isBusy = keys.length % 2 === 1
      return Promise.resolve(isBusy ? new Response("", { status: 503 }) : json(job, 202))
    }
    const loopbox = new Loopbox({ baseUrl: "http://127.0.0.1:1", apiKey: "k", fetch })
    for (let call = 0; call < 2; call++) {
      const video = await loopbox.overlays.layOver("med_1", "med_2")
      assert.strictEqual(await video.text(), "video")
    }
    const [first, again, second] = keys
    assert.match(first ?? "", /^[0-9a-f]{32}$/)
    assert.strictEqual(again, first)
    assert.notStrictEqual(second, first)
    assert.notMatch(first ?? "", /^(.)\1+$/)
  })

  it("the live inbox says that a WebSocket is wanted", async () => {
    removeGlobals()
    const loopbox = new Loopbox({ baseUrl: "http://127.0.0.1:1", apiKey: "k" })
    let failure: unknown
    try {
      for await (const event of loopbox.inbox.events({ inbox_scope: "workspace" })) assert.fail(event.type)
    } catch (error) {
      failure = error
    }
    assert.instanceOf(failure, LoopboxError)
    assert.strictEqual(failure instanceof LoopboxError ? failure.code : "", "WEBSOCKET_UNSUPPORTED")
  })
})
