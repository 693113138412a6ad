import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { request } from "./apiClient.ts"

/** Whatever nobody may read but the person's browser and the networks. */
export type Secrets = Set<string>

export interface ConnectSession {
  readonly id: string
  readonly url: string
  readonly status: string
  readonly accounts: ReadonlyArray<{ readonly id: string }>
  readonly error: { readonly code: string } | null
}

/** A customer's server: makes sessions with its key, and reads what came of them. */
export const makeCustomer = (url: string, key: string, secrets: Secrets) => {
  const sessionOf = (text: string): ConnectSession => JSON.parse(text).data
  const ask = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" }
    const answer = await request(`${url}${path}`, { method: "POST", token: key, headers, body: JSON.stringify(body) })
    assert.strictEqual(answer.status, 201, answer.text)
    const session = sessionOf(answer.text)
    secrets.add(session.url.slice(session.url.lastIndexOf("/") + 1))
    return session
  }
  const make = (network: string, more: object = {}) =>
    ask("/v1/connect/sessions", { network, external_user_id: "customer_7", ...more })
  const reconnect = (accountId: string) => ask(`/v1/accounts/${accountId}/reconnect`, {})
  const read = async (id: string) => sessionOf((await request(`${url}/v1/connect/sessions/${id}`, { token: key })).text)
  return { key, make, reconnect, read }
}

export interface Page {
  readonly status: number
  readonly text: string
  readonly location: string | undefined
}

/** A person's browser, as far as it matters: it keeps cookies, and is told where to go. */
export const makeBrowser = (secrets: Secrets) => {
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

export type Browser = ReturnType<typeof makeBrowser>

export const wentTo = ({ location, status, text }: Page): string => {
  if (location === undefined) return assert.fail(`${status} leads nowhere: ${text}`)
  return location
}

/** Opens a session's address and decides in the network's dialog; the address of the callback, with its code. */
export const decide = async (
  browser: Browser,
  sessionUrl: string,
  choices: Readonly<Record<string, string>>,
  secrets: Secrets
) => {
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
export const readChoices = (text: string, secrets: Secrets) => {
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

/** Goes the way of a session to its last page; `name`: which account, where there is a choice. */
export const connectBy = async (session: ConnectSession, name: string, secrets: Secrets): Promise<Page> => {
  const browser = makeBrowser(secrets)
  const callback = await decide(browser, session.url, { decision: "approve" }, secrets)
  const page = await browser.open(callback)
  if (!page.text.includes("form_token")) return page
  const { accounts, action, token } = readChoices(page.text, secrets)
  const chosen = accounts.find((one) => !one.isOff && one.name === name)
  if (chosen === undefined) return assert.fail(`${name} is not offered: ${page.text}`)
  const sent = await browser.open(
    new URL(action, callback).href,
    new URLSearchParams({ form_token: token, account: chosen.key })
  )
  return browser.open(new URL(wentTo(sent), callback).href)
}

/** Where a host with a sandbox has it. */
export const sandboxOf = (dataFolder: string): string => {
  const serving: { readonly sandbox_url: string } = JSON.parse(readFileSync(join(dataFolder, "serve.json"), "utf8"))
  return serving.sandbox_url
}

/** What one looks up in the sandbox. */
export const lookIn = async <A>(sandboxUrl: string, path: string): Promise<A> => {
  const answer = await request(`${sandboxUrl}/sandbox/${path}`)
  assert.strictEqual(answer.status, 200, answer.text)
  return JSON.parse(answer.text)
}

/** What happens at the sandbox's networks. */
export const happen = async (sandboxUrl: string, path: string, body: object): Promise<void> => {
  const answer = await request(`${sandboxUrl}/sandbox/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  assert.isBelow(answer.status, 300, answer.text)
}

interface AtNetwork {
  readonly is_subscribed: boolean
}

/** An account as its network knows it. */
export const atNetwork = async (sandboxUrl: string, network: string, accountId: string) =>
  lookIn<AtNetwork>(sandboxUrl, `account?network=${network}&account_id=${accountId}`)

interface Known {
  readonly network: string
  readonly name: string
  readonly network_account_id: string
}

/** The id of an account that a network knows by a name. */
export const idAtNetwork = async (sandboxUrl: string, network: string, name: string): Promise<string> => {
  const known = await lookIn<ReadonlyArray<Known>>(sandboxUrl, "accounts")
  const found = known.find((one) => one.network === network && one.name === name)
  return found?.network_account_id ?? assert.fail(`${network} does not know ${name}`)
}
