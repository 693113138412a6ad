import type { PropertyValues } from "lit"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { LoopboxUnread } from "../../src/unread/loopboxUnread.ts"

/** Without a document: it is updated where a test says so. */
class UnreadProbe extends LoopboxUnread {
  override get isConnected(): boolean {
    return true
  }
  override get ownerDocument(): Document {
    return Object.create({ baseURI: "http://page/" })
  }
  signIn(person: string): void {
    const former = this.getToken
    this.getToken = () => person
    const changed: PropertyValues = new Map([["getToken", former]])
    this.willUpdate(changed)
  }
  override requestUpdate(): void {}
}
customElements.define("unread-probe", UnreadProbe)

const settle = () => new Promise((resolve) => setTimeout(resolve, 50))

describe("the count of unread items", () => {
  let answer: Promise<void> | undefined
  const counts: Record<string, number> = { "Bearer ada": 5, "Bearer ben": 2 }

  beforeEach(() => {
    answer = undefined
    vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
      await answer
      if (!String(input).includes("unread")) return new Response(null, { status: 403 })
      const count = counts[new Headers(init?.headers).get("authorization") ?? ""]
      return Response.json({ data: { count }, request_id: "r" })
    })
    // The line is not what this is about.
    vi.stubGlobal(
      "WebSocket",
      class {
        addEventListener(): void {}
        close(): void {}
      }
    )
  })
  afterEach(() => void vi.unstubAllGlobals())

  it("is not the former person's while another signs in, and is told where it is another than was told last", async () => {
    const element = new UnreadProbe()
    const told: Array<unknown> = []
    element.tell = (_type, detail) => void told.push(detail)
    element.baseUrl = "http://host"
    element.signIn("ada")
    await settle()
    assert.strictEqual(element.count, 5)
    answer = settle().then(() => undefined)
    element.signIn("ben")
    assert.isUndefined(element.count)
    await settle()
    await settle()
    assert.strictEqual(element.count, 2)
    // A page that makes another function whenever it is told is not told without end.
    element.signIn("ben")
    await settle()
    await settle()
    assert.strictEqual(element.count, 2)
    assert.deepStrictEqual(told, [{ count: 5 }, { count: 2 }])
    element.disconnectedCallback()
  })
})
