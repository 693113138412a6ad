import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { request } from "./support/apiClient.ts"
import { type HostProcess, startHost } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"

const { folder, remove } = await preparedFolder()
const hosts: Array<HostProcess> = []
afterAll(async () => {
  for (const host of hosts) await host.stop()
  remove()
})

/** Where the address of a session of each network leads a browser. */
const dialogOf = async (url: string, network: string): Promise<URL> => {
  const key = readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim()
  const made = await request(`${url}/v1/connect/sessions`, {
    method: "POST",
    token: key,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ network })
  })
  const link = new URL(JSON.parse(made.text).data.url)
  const opened = await fetch(`${url}${link.pathname}`, { redirect: "manual" })
  return new URL(opened.headers.get("location") ?? "")
}

describe("the dialogs of the simulated networks", () => {
  it("open where other machines reach the host, and nothing else of the simulator does", async () => {
    const host = await startHost(folder, {
      LOOPBOX_HOST: "0.0.0.0",
      LOOPBOX_PUBLIC_URL: "http://telephone.example:8080"
    })
    hosts.push(host)
    for (const network of ["instagram", "facebook", "threads", "x"]) {
      const dialog = await dialogOf(host.url, network)
      assert.strictEqual(dialog.hostname, "telephone.example")
      const there = `http://127.0.0.1:${dialog.port}`
      const page = await fetch(`${there}${dialog.pathname}${dialog.search}`)
      assert.strictEqual(page.status, 200)
      assert.match(await page.text(), /Who signs in\?/)
    }
    const { port } = await dialogOf(host.url, "x")
    for (const path of ["/sandbox/people", "/x/2/users/me", "/facebook/v25.0/me/accounts", "/instagram/access_token"]) {
      assert.strictEqual((await fetch(`http://127.0.0.1:${port}${path}`)).status, 404, path)
    }
    assert.notInclude((await host.stop()).output, "on this machine alone")
  })

  it("are said to open on this machine alone, where others are let in by half", async () => {
    const host = await startHost(folder, { LOOPBOX_PUBLIC_URL: "http://telephone.example:8080" })
    hosts.push(host)
    assert.strictEqual((await dialogOf(host.url, "x")).hostname, "127.0.0.1")
    assert.include((await host.stop()).output, "open in browsers on this machine alone")
  })
})
