import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { request } from "./support/apiClient.ts"
import { type HostProcess, startHost, until } from "./support/hostProcess.ts"
import { listItems } from "./support/inboxClient.ts"
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

let host: HostProcess | undefined
const start = async (variables: Readonly<Record<string, string>> = {}): Promise<HostProcess> => {
  if (host !== undefined) shown.push((await host.stop()).output)
  host = await startHost(folder, { ...appSecrets, LOOPBOX_LOG_LEVEL: "debug", ...variables })
  return host
}
afterAll(async () => {
  await host?.stop()
  places.remove()
})

interface Session {
  readonly id: string
  readonly url: string
  readonly status: string
  readonly error: { readonly code: string } | null
}

/** A customer's server: makes sessions with its key, and reads what came of them. */
const customer = (url: string) => {
  const key = readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim()
  const sessionOf = (text: string): Session => JSON.parse(text).data
  const make = async (network: string, more: object = {}) => {
    const body = JSON.stringify({ network, external_user_id: "customer_7", ...more })
    const answer = await request(`${url}/v1/connect/sessions`, {
      method: "POST",
      token: key,
      headers: { "content-type": "application/json" },
      body
    })
    assert.strictEqual(answer.status, 201, answer.text)
    const session = sessionOf(answer.text)
    secrets.add(session.url.slice(session.url.lastIndexOf("/") + 1))
    return session
  }
  const read = async (id: string) => sessionOf((await request(`${url}/v1/connect/sessions/${id}`, { token: key })).text)
  return { key, make, read }
}

interface Page {
  readonly status: number
  readonly text: string
  readonly location: string | undefined
}

/** A person's browser, as far as it matters: it keeps cookies, and is told where to go. */
const makeBrowser = () => {
  const jar = new Map<string, string>()
  const open = async (url: string, form?: URLSearchParams): Promise<Page> => {
    const { host: there } = new URL(url)
    const kept = [...jar]
      .filter(([name]) => name.startsWith(`${there} `))
      .map(([name, value]) => `${name.split(" ")[1]}=${value}`)
    const response = await fetch(url, {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: kept.join("; ") },
      ...(form === undefined ? {} : { body: form })
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=")
      jar.set(`${there} ${name}`, value)
      secrets.add(value)
    }
    const text = await response.text()
    return { status: response.status, text, location: response.headers.get("location") ?? undefined }
  }
  return { open }
}

type Browser = ReturnType<typeof makeBrowser>

const wentTo = ({ location, status, text }: Page): string => {
  if (location === undefined) return assert.fail(`${status} leads nowhere: ${text}`)
  return location
}

/** Opens a session's address and decides in the network's dialog; the address of the callback, with its code. */
const decide = async (browser: Browser, sessionUrl: string, choices: Readonly<Record<string, string>>) => {
  const dialog = new URL(wentTo(await browser.open(sessionUrl)))
  const state = dialog.searchParams.get("state") ?? ""
  assert.isAbove(state.length, 20)
  secrets.add(state)
  const form = new URLSearchParams([...dialog.searchParams, ...Object.entries(choices)])
  const callback = wentTo(await browser.open(`${dialog.origin}${dialog.pathname}`, form))
  const code = new URL(callback).searchParams.get("code")
  if (code !== null) secrets.add(code)
  return callback
}

/** The page on which one chooses: what it offers, and how it is sent. */
const readChoices = (text: string) => {
  const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? assert.fail(text)
  secrets.add(token)
  const action = /action="([^"]+)"/.exec(text)?.[1] ?? assert.fail(text)
  const offered = [
    ...text.matchAll(/<input type="(?:radio|checkbox)" name="account" value="([^"]+)"([^>]*)>.*?<span>([^<]+)/g)
  ]
  return {
    token,
    action,
    accounts: offered.map(([, key = "", attributes = "", name = ""]) => ({
      key,
      name,
      isOff: attributes.includes("disabled")
    }))
  }
}

/** Connects an account as a person does; `name`: which one, where there is a choice. */
const connect = async (url: string, network: string, name: string): Promise<Session> => {
  const { make, read } = customer(url)
  const session = await make(network)
  const browser = makeBrowser()
  let page = await browser.open(await decide(browser, session.url, { decision: "approve" }))
  if (page.text.includes("form_token")) {
    const { accounts, action, token } = readChoices(page.text)
    const chosen = accounts.find((one) => !one.isOff && one.name === name)
    if (chosen === undefined) return assert.fail(`${name} is not offered: ${page.text}`)
    page = await browser.open(`${url}${action}`, new URLSearchParams({ form_token: token, account: chosen.key }))
    page = await browser.open(new URL(wentTo(page), url).href)
  }
  assert.strictEqual(page.status, 200, page.text)
  assert.match(page.text, /<h1>Connected<\/h1>/)
  shown.push(page.text)
  return read(session.id)
}

/** Somebody writes to the account at its network. */
const written = async (network: string, accountName: string): Promise<string> => {
  const serving: { readonly sandbox_url: string } = JSON.parse(
    readFileSync(join(folder, ".loopbox", "serve.json"), "utf8")
  )
  interface Known {
    readonly network: string
    readonly name: string
    readonly network_account_id: string
  }
  const known: ReadonlyArray<Known> = JSON.parse((await request(`${serving.sandbox_url}/sandbox/accounts`)).text)
  const account = known.find((one) => one.network === network && one.name === accountName)
  if (account === undefined) return assert.fail(`${network} does not know ${accountName}`)
  const mentioned = network === "x" ? "@norablum " : ""
  const text = `${mentioned}hello to ${accountName} by ${network}`
  const answer = await request(`${serving.sandbox_url}/sandbox/${network === "x" ? "mention" : "comment"}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ network, account_id: account.network_account_id, text })
  })
  assert.strictEqual(answer.status, 201, answer.text)
  return text
}

/** Until what somebody wrote to the account is in its owner's inbox, by webhook or by a poll. */
const inInbox = async (url: string, network: string, session: Session, name: string) => {
  assert.deepInclude(session, { status: "completed", error: null })
  const { key } = customer(url)
  const text = await written(network, name)
  const scope = "inbox_scope=managed_user&external_user_id=customer_7"
  const find = async () => {
    const found = (await listItems(url, key, scope)).find(({ body }) => body?.includes(text))
    if (found === undefined) await request(`${url}/v1/inbox/sync?${scope}`, { method: "POST", token: key })
    return found
  }
  await until(text, find, 30_000, 500)
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
  }, 120_000)

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
    const browser = makeBrowser()
    const back = await browser.open(await decide(browser, session.url, { decision: "deny" }))
    const returned = new URL(wentTo(back))
    assert.deepStrictEqual(Object.fromEntries(returned.searchParams), {
      a: "1",
      connect_session: session.id,
      connect_status: "denied",
      reason: "denied"
    })
    assert.strictEqual((await read(session.id)).status, "denied")
    const callback = await decide(browser, session.url, { decision: "approve" })
    const stranger = await makeBrowser().open(callback)
    assert.strictEqual(stranger.status, 400)
    shown.push(stranger.text)
    assert.notStrictEqual((await read(session.id)).status, "completed")
  })

  it("connects Instagram by Facebook's login, beside accounts of the other login", async () => {
    const { url } = await start({ LOOPBOX_INSTAGRAM_LOGIN: "facebook" })
    await inInbox(url, "instagram", await connect(url, "instagram", "Stein Bakery"), "Stein Bakery")
  }, 120_000)

  it("leaves no secret in logs, metrics and pages", async () => {
    const { url } = host ?? assert.fail("no host")
    shown.push((await request(`${url}/metrics`)).text)
    shown.push((await request(`${url}/connect/${"0".repeat(52)}`)).text)
    if (host !== undefined) shown.push((await host.stop()).output)
    host = undefined
    const all = shown.join("\n")
    assert.isAbove(secrets.size, 20)
    assert.deepStrictEqual(
      [...secrets].filter((secret) => all.includes(secret)),
      []
    )
  })
})
