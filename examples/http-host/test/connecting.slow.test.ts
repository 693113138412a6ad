import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { request } from "./support/apiClient.ts"
import { databaseUrl, dumpDatabase } from "./support/databaseDump.ts"
import { type HostProcess, startHost, until } from "./support/hostProcess.ts"
import { listItems, openSocket } from "./support/inboxClient.ts"
import {
  connectBy,
  type ConnectSession,
  decide,
  happen,
  lookIn,
  makeBrowser,
  makeCustomer,
  sandboxOf,
  wentTo
} from "./support/personBrowser.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { runCli } from "./support/runCli.ts"

const places = await preparedFolder()
const { folder } = places

const appSecrets = {
  LOOPBOX_META_APP_SECRETS: "the-secret-of-our-meta-app",
  LOOPBOX_INSTAGRAM_APP_SECRETS: "the-secret-of-our-instagram-app",
  LOOPBOX_THREADS_APP_SECRETS: "the-secret-of-our-threads-app",
  LOOPBOX_X_CLIENT_ID: "our-client-at-x",
  LOOPBOX_X_CLIENT_SECRET: "the-secret-of-our-client-at-x",
  LOOPBOX_X_BEARER_TOKEN: "the-bearer-token-of-our-app-at-x"
}

/** Whatever nobody may read who reads logs, metrics and pages. */
const secrets = new Set(
  Object.entries(appSecrets).flatMap(([name, value]) => (name.endsWith("CLIENT_ID") ? [] : [value]))
)
/** What the run has shown to others than the person's own browser. */
const shown: Array<string> = []

/** Gets the host's spans and metrics. */
const collector = createServer((asked, answer) => {
  asked.setEncoding("utf8").on("data", (text: string) => shown.push(text))
  asked.on("end", () => answer.writeHead(200, { "content-type": "application/json" }).end("{}"))
})
await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve))
const collectorAddress = collector.address()
const collectorPort = typeof collectorAddress === "object" ? collectorAddress?.port : undefined

const data = join(folder, ".loopbox")
let host: HostProcess | undefined

/** Takes what there is to see of a host that runs, and every token that its networks ever gave. */
const look = async ({ url }: HostProcess) => {
  for (const token of await lookIn<ReadonlyArray<string>>(sandboxOf(data), "tokens")) secrets.add(token)
  const key = readFileSync(join(data, "demo-key"), "utf8").trim()
  const adminToken = readFileSync(join(data, "admin-token"), "utf8").trim()
  const socket = await openSocket(url, key, "&after=0")
  const listed = await request(`${url}/v1/accounts`, { token: key })
  const workspaces = await request(`${url}/v1/admin/workspaces`, { token: adminToken })
  const [workspace]: ReadonlyArray<{ readonly id: string }> = JSON.parse(workspaces.text).data
  const administered = await request(`${url}/v1/admin/workspaces/${workspace?.id}/social-accounts`, {
    token: adminToken
  })
  await until("what happened", () => socket.frames.find(({ type }) => type === "account.connected"))
  const metrics = await request(`${url}/metrics`)
  const stored = await dumpDatabase(databaseUrl(folder))
  // What is searched is what one thinks it is.
  assert.include(stored, "hello to Stein Bakery by facebook")
  for (const { status } of [listed, administered, metrics]) assert.strictEqual(status, 200)
  shown.push(listed.text, administered.text, metrics.text, stored, ...socket.texts)
  socket.close()
}

const stop = async (): Promise<void> => {
  if (host === undefined) return
  await look(host)
  shown.push((await host.stop()).output)
  host = undefined
}
const start = async (variables: Readonly<Record<string, string>> = {}): Promise<HostProcess> => {
  await stop()
  host = await startHost(folder, {
    ...appSecrets,
    LOOPBOX_LOG_LEVEL: "debug",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
    ...variables
  })
  return host
}
afterAll(async () => {
  await host?.stop()
  collector.close()
  places.remove()
})

/** A customer's server, with Demo's key. */
const customer = (url: string) =>
  makeCustomer(url, readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim(), secrets)

/** Connects an account as a person does; `name`: which one, where there is a choice. */
const connect = async (url: string, network: string, name: string): Promise<ConnectSession> => {
  const { make, read } = customer(url)
  const session = await make(network)
  const page = await connectBy(session, name, secrets)
  assert.strictEqual(page.status, 200, page.text)
  assert.match(page.text, /<h1>Connected<\/h1>/)
  shown.push(page.text)
  return read(session.id)
}

/** Somebody writes to the account at its network. */
const written = async (network: string, accountName: string): Promise<string> => {
  const sandboxUrl = sandboxOf(join(folder, ".loopbox"))
  interface Known {
    readonly network: string
    readonly name: string
    readonly network_account_id: string
  }
  const known = await lookIn<ReadonlyArray<Known>>(sandboxUrl, "accounts")
  const account = known.find((one) => one.network === network && one.name === accountName)
  if (account === undefined) return assert.fail(`${network} does not know ${accountName}`)
  const mentioned = network === "x" ? "@norablum " : ""
  const text = `${mentioned}hello to ${accountName} by ${network}`
  const body = { network, account_id: account.network_account_id, text }
  await happen(sandboxUrl, network === "x" ? "mention" : "comment", body)
  return text
}

/** Until what somebody wrote to the account is in its owner's inbox, by webhook or by a poll. */
const inInbox = async (url: string, network: string, session: ConnectSession, name: string) => {
  assert.deepInclude(session, { status: "completed", error: null })
  const { key } = customer(url)
  const text = await written(network, name)
  const scope = "inbox_scope=managed_user&external_user_id=customer_7"
  const find = async () => {
    const found = (await listItems(url, key, scope)).find(({ body }) => body?.includes(text))
    if (found === undefined) await request(`${url}/v1/inbox/sync?${scope}`, { method: "POST", token: key })
    return found
  }
  await until(text, find, 60_000, 500)
}

describe("connecting an account of the simulated networks", () => {
  it("ends with an item in its owner's inbox, at each network", async () => {
    const { url } = await start()
    for (const [network, name] of [
      ["instagram", "Nora Blum"],
      ["facebook", "Stein Bakery"],
      ["threads", "Nora Blum"],
      ["x", "Nora Blum"]
    ] as const) {
      await inInbox(url, network, await connect(url, network, name), name)
    }
  }, 300_000)

  it("lets the doctor say which account is not well, and what mends it", async () => {
    const { url } = host ?? assert.fail("no host")
    const { key } = customer(url)
    const died = await runCli(["sandbox", "account", "die", "--network", "threads"], folder, appSecrets)
    assert.strictEqual(died.code, 0, died.output)
    const listed = await request(`${url}/v1/accounts?network=threads`, { token: key })
    const accounts: ReadonlyArray<{ readonly id: string }> = JSON.parse(listed.text).data
    const dead: Array<string> = []
    for (const { id } of accounts) {
      const { text } = await request(`${url}/v1/accounts/${id}/check`, { method: "POST", token: key })
      if (text.includes('"reauth_required"')) dead.push(id)
    }
    assert.strictEqual(dead.length, 1)
    const { code, output } = await runCli(["doctor", "--networks"], folder, appSecrets)
    assert.strictEqual(code, 1, output)
    assert.match(output, new RegExp(`^failed +threads account .*${dead[0]}.*reconnect_required`, "m"))
    assert.include(output, "Connect the account again")
    shown.push(output)
  })

  it("tells a person who declined, and takes nothing of another browser", async () => {
    const { url } = host ?? assert.fail("no host")
    const { make, read } = customer(url)
    const session = await make("threads", { return_url: "http://127.0.0.1:9/done?a=1" })
    const browser = makeBrowser(secrets)
    const back = await browser.open(await decide(browser, session.url, { decision: "deny" }, secrets))
    const returned = new URL(wentTo(back))
    assert.deepStrictEqual(Object.fromEntries(returned.searchParams), {
      a: "1",
      connect_session: session.id,
      connect_status: "denied",
      reason: "denied"
    })
    assert.strictEqual((await read(session.id)).status, "denied")
    const callback = await decide(browser, session.url, { decision: "approve" }, secrets)
    const stranger = await makeBrowser(secrets).open(callback)
    assert.strictEqual(stranger.status, 400)
    shown.push(stranger.text)
    assert.notStrictEqual((await read(session.id)).status, "completed")
  })

  it("connects Instagram by Facebook's login, beside accounts of the other login", async () => {
    const { url } = await start({ LOOPBOX_INSTAGRAM_LOGIN: "facebook" })
    await inInbox(url, "instagram", await connect(url, "instagram", "Stein Bakery"), "Stein Bakery")
  }, 300_000)

  it("leaves no secret in logs, spans, metrics, answers, events, pages and the database", async () => {
    const { url } = host ?? assert.fail("no host")
    shown.push((await request(`${url}/connect/${"0".repeat(52)}`)).text)
    await stop()
    const all = shown.join("\n")
    assert.include(all, "ConnectSessions.callback")
    assert.include(all, "account.connected")
    // Of each network what its dialog gave, of X what renews it, and of Pages their own.
    assert.isAbove([...secrets].filter((secret) => secret.startsWith("sandbox-access-")).length, 8)
    assert.isAbove([...secrets].filter((secret) => secret.startsWith("sandbox-refresh-")).length, 0)
    assert.deepStrictEqual(
      [...secrets].filter((secret) => all.includes(secret)),
      []
    )
  }, 300_000)
})
