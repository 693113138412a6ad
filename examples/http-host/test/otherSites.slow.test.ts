import { assert } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { runCli } from "./support/runCli.ts"

const folder = mkdtempSync(join(tmpdir(), "loopbox-other-site-"))
/** A site that has a page for any address, as an app in a browser has. */
const site = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<html>")
})
let url = ""
beforeAll(async () => {
  await new Promise<void>((done) => site.listen(0, "127.0.0.1", done))
  const address = site.address()
  url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : assert.fail()
})
afterAll(() => {
  site.close()
  rmSync(folder, { recursive: true })
})

describe("the address of somebody else", () => {
  it.each([
    ["list", []],
    ["resolve", ["itm_1"]],
    ["reply", ["itm_1", "hi"]],
    ["watch", []]
  ])("is told of by inbox %s", async (name, more) => {
    const variables = { LOOPBOX_API_KEY: "lbx_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG" }
    const { code, output } = await runCli(["inbox", name, ...more, "--url", url], folder, variables)
    assert.notStrictEqual(code, 0)
    assert.include(output, `${url} answered 200, but not as Loopbox does. Is this the address of a host?`)
  })
})
