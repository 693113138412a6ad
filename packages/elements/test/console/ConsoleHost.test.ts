import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { ConsoleHost } from "../../src/console/shell/ConsoleHost.ts"
import { RequestLog } from "../../src/console/shell/RequestLog.ts"

const addressOf = (input: RequestInfo | URL): string => {
  const address = input instanceof Request ? input.url : String(input)
  return new URL(address).pathname
}

describe("a session that has ended while a page asks", () => {
  let isSignedIn = true
  let asked: Array<string> = []
  let ended = 0
  beforeEach(() => {
    isSignedIn = true
    asked = []
    ended = 0
    vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
      const { method } = new Request(input, init)
      asked.push(`${method} ${addressOf(input)}`)
      if (method === "POST" && addressOf(input) === "/console/session") isSignedIn = true
      return isSignedIn
        ? Response.json({ data: [], next_cursor: null, request_id: "req_1" })
        : Response.json({ error: { code: "UNAUTHORIZED", message: "Sign in." }, request_id: "req_2" }, { status: 401 })
    })
  })
  afterEach(() => void vi.unstubAllGlobals())

  const makeHost = () => new ConsoleHost("http://host.test", new RequestLog(() => undefined), () => void (ended += 1))

  /** A list is asked for once somebody waits for it. */
  const listOf = async (host: ConsoleHost, signal?: AbortSignal) =>
    host.clientOf("ws_1").webhookEndpoints.list({ inbox_scope: "workspace" }, { signal })

  it("has it wait, and asks once more after signing in", async () => {
    const host = makeHost()
    isSignedIn = false
    const report = host.ask("GET", "/activity")
    const endpoints = listOf(host)
    await vi.waitUntil(() => ended === 2)
    assert.isTrue(host.isWaiting)
    await host.signIn({ admin_token: "the right one" })
    assert.deepStrictEqual(await report, [])
    assert.deepStrictEqual((await endpoints).data, [])
    assert.isFalse(host.isWaiting)
    assert.deepStrictEqual(asked.slice(2), [
      "POST /console/session",
      "GET /console/activity",
      "GET /console/v1/webhook-endpoints"
    ])
  })

  it("asks at once where somebody has signed in since it was sent", async () => {
    const host = makeHost()
    let answer = (_: Response): void => undefined
    const fetched = globalThis.fetch
    vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)))
    const report = host.ask("GET", "/activity")
    vi.stubGlobal("fetch", fetched)
    await host.signIn({ admin_token: "the right one" })
    answer(new Response(null, { status: 401 }))
    assert.deepStrictEqual(await report, [])
    assert.strictEqual(ended, 0)
  })

  it("lets go of what nobody wants any more", async () => {
    const host = makeHost()
    isSignedIn = false
    const left = new AbortController()
    const endpoints = listOf(host, left.signal)
    await vi.waitUntil(() => host.isWaiting)
    left.abort(new Error("another page"))
    assert.strictEqual(await endpoints.then(String, String), "Error: another page")
    assert.isFalse(host.isWaiting)
  })
})
