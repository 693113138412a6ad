import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { LoopboxElement } from "../../src/base/LoopboxElement.ts"

class TokenProbe extends LoopboxElement {}
customElements.define("token-probe", TokenProbe)

describe("an element's client", () => {
  let asked: Array<string> = []

  beforeEach(() => {
    asked = []
    vi.stubGlobal("fetch", async (_input: RequestInfo | URL, init?: RequestInit) => {
      const headers = new Headers(init?.headers)
      asked.push([headers.get("authorization"), headers.get("x-workspace-id")].join(" ").trim())
      return Response.json({ data: [], next_cursor: null, request_id: "r" })
    })
  })
  afterEach(() => void vi.unstubAllGlobals())

  const makeElement = () => {
    const element = new TokenProbe()
    Object.defineProperty(element, "ownerDocument", { value: { baseURI: "http://page/" } })
    element.baseUrl = "http://host"
    return element
  }
  const list = (element: LoopboxElement) => element.loopbox?.inbox.list({ inbox_scope: "workspace" })

  it("asks with the token of who has signed in since, and what the former one began with theirs", async () => {
    const element = makeElement()
    element.getToken = () => "of-ada"
    await list(element)
    const former = element.loopbox
    element.getToken = () => "of-ben"
    await list(element)
    await former?.inbox.list({ inbox_scope: "workspace" })
    assert.deepStrictEqual(asked, ["Bearer of-ada", "Bearer of-ben", "Bearer of-ada"])
  })

  it("asks for a new token where the workspace or the user is another, and for none where all is as before", async () => {
    const element = makeElement()
    let tokens = 0
    element.getToken = () => `t${++tokens}`
    await list(element)
    await list(element)
    element.workspaceId = "ws_2"
    await list(element)
    element.inboxScope = "managed_user"
    await list(element)
    element.externalUserId = "u_1"
    await list(element)
    assert.deepStrictEqual(asked, ["Bearer t1", "Bearer t1", "Bearer t2 ws_2", "Bearer t3 ws_2", "Bearer t4 ws_2"])
  })
})
