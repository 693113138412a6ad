import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type HostProcess, startHost, temporaryFolder, until, type Variables } from "../support/hostProcess.ts"
import { runCli } from "../support/runCli.ts"
import { makeDatabase } from "../support/testServer.ts"

const { folder, remove } = temporaryFolder()
const ofOurPage = { "sec-fetch-site": "same-origin" }
let host: HostProcess

/** Signs in by a link, as the page does with what stands after the `#`. */
const open = async (link: string) => {
  const answer = await fetch(new URL("/console/session", link), {
    method: "POST",
    headers: { ...ofOurPage, "content-type": "application/json" },
    body: JSON.stringify({ ticket: new URL(link).hash.slice(1) })
  })
  return { status: answer.status, cookie: answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "" }
}

const read = async (path: string, cookie: string, init: RequestInit = {}) => {
  const answer = await fetch(`${host.url}${path}`, { ...init, headers: { ...ofOurPage, cookie, ...init.headers } })
  return { status: answer.status, body: await answer.json() }
}

beforeAll(async () => {
  host = await startHost(folder, { LOOPBOX_DATA: folder })
})
afterAll(async () => {
  await host.stop()
  remove()
})

describe("the console of a host with nothing configured", () => {
  it("opens by the link that the start prints, once, and shows what is there", async () => {
    const link = await until("the link", () => /http:\S+\/console#[\w-]{43}/.exec(host.output())?.[0])
    const page = await fetch(link)
    assert.strictEqual(page.status, 200)
    const asset = /src="(\/console\/assets\/[^"]+)"/.exec(await page.text())?.[1] ?? ""
    const script = await fetch(`${host.url}${asset}`)
    assert.strictEqual(script.status, 200)
    assert.include(script.headers.get("cache-control"), "immutable")
    const { cookie, status } = await open(link)
    assert.strictEqual(status, 204)
    assert.strictEqual((await open(link)).status, 401)

    const session = await read("/console/session", cookie)
    const [demo] = session.body.data.workspaces
    assert.deepStrictEqual([demo.name, session.body.data.sandbox], ["Demo", true])
    const written = await read("/console/sandbox/comment", cookie, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ network: "instagram", from: "Ada", text: "Is the console there?" })
    })
    assert.strictEqual(written.status, 201)
    await until("the comment", async () => {
      const threads = await read(`/console/v1/inbox/threads?workspace_id=${demo.id}`, cookie)
      return JSON.stringify(threads.body).includes("Is the console there?") || undefined
    })
    const items = await read("/console/sandbox/items?network=instagram", cookie)
    assert.isTrue(items.body.data.some(({ id }: { id: string }) => id === written.body.data.id))
    const activity = await until("a step of the activity", async () => {
      const { body } = await read("/console/activity?range=hour", cookie)
      return body.data.times.length > 0 ? body.data : undefined
    })
    assert.isTrue(activity.series.some(({ name }: { name: string }) => name === "requests"))
  })

  it("opens by another link that `loopbox console` prints", async () => {
    const { code, output } = await runCli(["console"], folder, { LOOPBOX_DATA: folder })
    assert.strictEqual(code, 0, output)
    const link = output.trim()
    assert.isTrue(link.startsWith(`${host.url}/console#`), link)
    assert.strictEqual((await open(link)).status, 204)
  })
})

describe("the console of a host with a database server", () => {
  const newToken = () => randomBytes(24).toString("hex")
  const variables = async (name: string, more: Variables = {}): Promise<Variables> => ({
    DATABASE_URL: await makeDatabase(),
    LOOPBOX_SECRET_KEYS: `test:${randomBytes(32).toString("base64")}`,
    LOOPBOX_DATA: join(folder, name),
    LOOPBOX_BLOBS: join(folder, `blobs of ${name}`),
    ...more
  })

  it("is off unless it is asked for, and wants the admin token then", async () => {
    const off = await variables("plain", { LOOPBOX_ADMIN_TOKEN: newToken() })
    const plain = await startHost(folder, off)
    try {
      assert.strictEqual((await fetch(`${plain.url}/console`)).status, 404)
      assert.notInclude(plain.output(), "/console#")
      const link = await runCli(["console"], folder, off)
      assert.strictEqual(link.code, 1)
      assert.include(link.output, "LOOPBOX_CONSOLE=on")
    } finally {
      await plain.stop()
    }
    const without = await runCli(
      ["serve", "--port", "0"],
      folder,
      await variables("without", { LOOPBOX_CONSOLE: "on" })
    )
    assert.strictEqual(without.code, 1)
    assert.include(without.output, "LOOPBOX_ADMIN_TOKEN must be set")
  })

  it("is entered by the admin token at each of its hosts, until there is a new token", async () => {
    const token = newToken()
    const shared = await variables("shared", { LOOPBOX_CONSOLE: "on", LOOPBOX_ADMIN_TOKEN: token })
    const second = { ...shared, LOOPBOX_DATA: join(folder, "second") }
    const one = await startHost(folder, shared)
    const two = await startHost(folder, second)
    try {
      const signedIn = await fetch(`${one.url}/console/session`, {
        method: "POST",
        headers: { ...ofOurPage, "content-type": "application/json" },
        body: JSON.stringify({ admin_token: token })
      })
      assert.strictEqual(signedIn.status, 204)
      const cookie = signedIn.headers.get("set-cookie")?.split(";", 1)[0] ?? ""
      const at = async ({ url }: HostProcess) =>
        (await fetch(`${url}/console/session`, { headers: { ...ofOurPage, cookie } })).status
      assert.deepStrictEqual([await at(one), await at(two)], [200, 200])
      assert.strictEqual(
        (await fetch(`${two.url}/console/sandbox/items`, { headers: { ...ofOurPage, cookie } })).status,
        404
      )
      await two.stop()
      const renewed = await startHost(folder, { ...second, LOOPBOX_ADMIN_TOKEN: newToken() })
      assert.strictEqual(await at(renewed), 401)
      await renewed.stop()
    } finally {
      await one.stop()
      await two.stop()
    }
  })
})
