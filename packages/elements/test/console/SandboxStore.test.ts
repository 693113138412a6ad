import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { ConsoleHost } from "../../src/console/shell/ConsoleHost.ts"
import { RequestLog } from "../../src/console/shell/RequestLog.ts"
import { SandboxStore } from "../../src/console/sandbox/SandboxStore.ts"

describe("what the page of the sandbox says of a host that was away", () => {
  beforeEach(() => void vi.stubGlobal("fetch", () => Promise.reject(new TypeError("refused"))))
  afterEach(() => void vi.unstubAllGlobals())

  it("is gone once the host answers again", async () => {
    const host = new ConsoleHost("http://host.test", new RequestLog(() => undefined), () => undefined)
    const store = new SandboxStore(host, () => undefined)
    await store.look()
    assert.isDefined(store.away)
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ data: [], request_id: "req_1" })))
    await store.look()
    assert.isUndefined(store.away)
    assert.deepStrictEqual(store.items, [])
  })

  it("stays apart from what was not done for the person", async () => {
    const host = new ConsoleHost("http://host.test", new RequestLog(() => undefined), () => undefined)
    const store = new SandboxStore(host, () => undefined)
    await store.mend()
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ data: [], request_id: "req_1" })))
    await store.look()
    assert.isUndefined(store.away)
    assert.isDefined(store.failure)
  })
})
