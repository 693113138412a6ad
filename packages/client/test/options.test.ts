import { assert, describe, it } from "vitest"
import { makeCredentials } from "../src/Credentials.ts"
import { Loopbox, type LoopboxOptions } from "../src/index.ts"

const fetch: typeof globalThis.fetch = async () => Response.json({ data: { count: 1 }, request_id: "req_1" })
const make = (options: Partial<LoopboxOptions>) => new Loopbox({ baseUrl: "https://app.example", ...options })

describe("options that no call could work with", () => {
  it.each<[string, Partial<LoopboxOptions>]>([
    ["baseUrl", { baseUrl: "" }],
    ["baseUrl", { baseUrl: "app.example" }],
    ["baseUrl", { baseUrl: "ftp://app.example" }],
    ["baseUrl", { baseUrl: "localhost:8080" }],
    ["baseUrl", { baseUrl: "https://user:secret@app.example" }],
    ["baseUrl", { baseUrl: "https://app.example?workspace=1" }],
    ["apiKey", { apiKey: undefined }],
    ["apiKey", { apiKey: undefined, getToken: undefined, fetch: undefined }],
    ["apiKey", { apiKey: "" }],
    ["apiKey", { apiKey: " \n" }],
    ["apiKey", { apiKey: "", fetch }],
    ["apiKey", { apiKey: "a\nb" }],
    ["apiKey", { apiKey: "kéy" }],
    ["timeout", { timeout: 0 }],
    ["timeout", { timeout: Number.NaN }],
    ["retries", { retries: -1 }]
  ])("are named: %s", (name, options) => {
    assert.throws(() => make(options), TypeError, new RegExp(`^${name} must be`))
  })

  it.each([
    ["baseUrl", {}],
    ["baseUrl", { baseUrl: undefined, fetch }],
    ["baseUrl", { baseUrl: null, fetch }],
    ["baseUrl", { baseUrl: new URL("https://app.example") }],
    ["apiKey", { baseUrl: "https://app.example", apiKey: null }],
    ["apiKey", { baseUrl: "https://app.example", apiKey: () => "lbx_live_1" }]
  ])("are named to plain JavaScript, too: %s", (name, options) => {
    assert.throws(() => Reflect.construct(Loopbox, [options]), TypeError, new RegExp(`^${name} must be`))
  })

  it("are not a key with a line break, which no header may have", async () => {
    const { header } = makeCredentials("lbx_live_1\r\n", undefined)
    assert.strictEqual(await header(), "Bearer lbx_live_1")
  })

  it("are not what a host or a file gives", async () => {
    for (const options of [
      { baseUrl: "http://[::1]:8080/social/" },
      { apiKey: "lbx_live_1\n" },
      { baseUrl: "/social", fetch },
      { timeout: 0.5, retries: 0 },
      { apiKey: undefined, getToken: () => "t" },
      { apiKey: undefined, fetch }
    ]) {
      assert.doesNotThrow(() => make(options))
    }
    assert.deepStrictEqual(await make({ fetch }).inbox.countUnread({ inbox_scope: "workspace" }), { count: 1 })
  })
})
