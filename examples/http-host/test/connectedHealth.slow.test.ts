import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { request } from "./support/apiClient.ts"
import { type HostProcess, sleep, startHost, until } from "./support/hostProcess.ts"
import { listItems, openSocket } from "./support/inboxClient.ts"
import {
  atNetwork,
  connectBy,
  type ConnectSession,
  happen,
  idAtNetwork,
  makeCustomer,
  sandboxOf,
  type Secrets
} from "./support/personBrowser.ts"
import { preparedFolder } from "./support/preparedFolder.ts"

const places = await preparedFolder()
const { folder } = places
const data = join(folder, ".loopbox")
const secrets: Secrets = new Set()

let host: HostProcess | undefined
afterAll(async () => {
  await host?.stop()
  places.remove()
})

const start = async () => {
  host ??= await startHost(folder, {
    LOOPBOX_TEST_CLOCK: "on",
    LOOPBOX_META_APP_SECRETS: "the-secret-of-our-meta-app"
  })
  const { url } = host
  const customer = makeCustomer(url, readFileSync(join(data, "demo-key"), "utf8").trim(), secrets)
  return { url, ...customer, sandboxUrl: sandboxOf(data) }
}

/** What a socket has told of an account's health, from now on. */
const follow = async (url: string, key: string, accountId: string) => {
  const socket = await openSocket(url, key)
  const problems = () =>
    socket.frames.flatMap(({ account, type }) =>
      account?.id === accountId && type.startsWith("account.") ? [account.health.problems] : []
    )
  let seen = 0
  /** Sees a problem, with words for it. */
  const sees = async (code: string) => {
    const problem = await until(code, async () => {
      const found = problems().findIndex((told, index) => index >= seen && told.some((one) => one.code === code))
      if (found < 0) return undefined
      seen = found + 1
      return problems()[found]?.find((one) => one.code === code)
    })
    assert.isAbove(problem.message.length, 20)
    assert.isAbove(problem.remedy.length, 20)
  }
  const seesItGo = async () => {
    await until("no problem", () => {
      const found = problems().findIndex((told, index) => index >= seen && told.length === 0)
      if (found < 0) return undefined
      seen = found + 1
      return true
    })
  }
  return { sees, seesItGo, close: socket.close }
}

describe("what goes wrong with a connected account is told on the socket, with what mends it, and goes", () => {
  let connected: ConnectSession | undefined

  /** A connected Page, and what may happen to it. */
  const page = async () => {
    const { key, make, read, reconnect, sandboxUrl, url } = await start()
    if (connected === undefined) {
      const session = await make("facebook")
      await connectBy(session, "Stein Bakery", secrets)
      connected = await read(session.id)
    }
    const accountId = connected.accounts[0]?.id ?? assert.fail("nothing is connected")
    const pageId = await idAtNetwork(sandboxUrl, "facebook", "Stein Bakery")
    await until("the subscription", async () =>
      (await atNetwork(sandboxUrl, "facebook", pageId)).is_subscribed ? true : undefined
    )
    const named = { network: "facebook", account_id: pageId }
    return {
      happens: (path: string, more: object = {}) => happen(sandboxUrl, path, { ...named, ...more }),
      check: () => request(`${url}/v1/accounts/${accountId}/check`, { method: "POST", token: key }),
      sync: () => request(`${url}/v1/inbox/sync?inbox_scope=workspace`, { method: "POST", token: key }),
      advance: async (by: string) => {
        const answer = await request(`${url}/v1/admin/test/clock`, {
          method: "POST",
          token: readFileSync(join(data, "admin-token"), "utf8").trim(),
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ advance: by })
        })
        assert.strictEqual(answer.status, 200, answer.text)
      },
      arrives: (text: string) => until(text, async () => (await listItems(url, key)).find(({ body }) => body === text)),
      again: async () => {
        const session = await reconnect(accountId)
        await connectBy(session, "Stein Bakery", secrets)
        assert.strictEqual((await read(session.id)).status, "completed")
      },
      follow: () => follow(url, key, accountId)
    }
  }

  it("a subscription that was deleted, and can't be made again", async () => {
    const { check, follow, happens } = await page()
    const { close, sees, seesItGo } = await follow()
    await happens("faults", { account_id: undefined, kind: "server_error", endpoint: "subscribe", times: 100 })
    await happens("unsubscribe")
    await check()
    await sees("webhook_not_subscribed")
    await happens("faults/clear", { account_id: undefined })
    await check()
    await seesItGo()
    close()
  }, 300_000)

  it("a scope that was withdrawn", async () => {
    const { again, check, follow, happens } = await page()
    const { close, sees, seesItGo } = await follow()
    await happens("account/withdraw", { permissions: ["pages_messaging"] })
    await check()
    await sees("missing_scopes")
    await again()
    await seesItGo()
    close()
  }, 300_000)

  it("a token that was revoked", async () => {
    const { again, check, follow, happens } = await page()
    const { close, sees, seesItGo } = await follow()
    await happens("account/die")
    await check()
    await sees("reconnect_required")
    await again()
    await seesItGo()
    close()
  }, 300_000)

  it("webhooks that have gone quiet, while polls find what they did not bring", async () => {
    const { arrives, check, follow, happens, sync } = await page()
    const { close, sees, seesItGo } = await follow()
    // New credentials are checked at once, and until then it is not known since when webhooks should come.
    await check()
    // Facebook tells when something was written to the second, and what is older than the subscription says nothing.
    await sleep(1_100)
    for (const n of [1, 2, 3]) await happens("comment", { text: `unheard ${n}`, faults: { times: 0 } })
    await sync()
    await arrives("unheard 3")
    await sees("webhook_quiet")
    await happens("comment", { text: "heard again" })
    await arrives("heard again")
    await seesItGo()
    close()
  }, 300_000)

  it("a role on the Page that was lost", async () => {
    const { advance, check, follow, happens } = await page()
    const { close, sees, seesItGo } = await follow()
    await happens("account/role", { has_role: false })
    await check()
    await sees("permission_missing")
    await happens("account/role", { has_role: true })
    await advance("26 hours")
    await check()
    await seesItGo()
    close()
  }, 300_000)
})
