import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { request } from "./support/apiClient.ts"
import { type HostProcess, startHost, until } from "./support/hostProcess.ts"
import {
  atNetwork,
  connectBy,
  idAtNetwork,
  lookIn,
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
    LOOPBOX_META_APP_SECRETS: "the-secret-of-our-meta-app",
    LOOPBOX_INSTAGRAM_APP_SECRETS: "the-secret-of-our-instagram-app",
    LOOPBOX_X_CLIENT_ID: "our-client-at-x",
    LOOPBOX_X_BEARER_TOKEN: "the-bearer-token-of-our-app-at-x"
  })
  const { url } = host
  const customer = makeCustomer(url, readFileSync(join(data, "demo-key"), "utf8").trim(), secrets)
  return { url, ...customer, sandboxUrl: sandboxOf(data) }
}

interface Asked {
  readonly network: string
  readonly method: string
  readonly path: string
}
const isSubscription = ({ path }: Asked): boolean => path.endsWith("/subscribed_apps")

describe("fifty sessions at once for one account", () => {
  for (const [network, name] of [
    ["instagram", "Nora Blum"],
    ["facebook", "Stein Bakery"],
    ["x", "Nora Blum"]
  ] as const) {
    it(`end as one account with one subscription, at ${network}`, async () => {
      const { key, make, read, sandboxUrl, url } = await start()
      const sessions = await Promise.all(Array.from({ length: 50 }, () => make(network)))
      const pages = await Promise.all(sessions.map((session) => connectBy(session, name, secrets)))
      for (const { status, text } of pages) {
        assert.strictEqual(status, 200, text)
        assert.include(text, `<li>${name}</li>`)
      }
      const after = await Promise.all(sessions.map(({ id }) => read(id)))
      for (const session of after) assert.deepInclude(session, { status: "completed", error: null })
      const accounts = new Set(after.flatMap((session) => session.accounts.map(({ id }) => id)))
      assert.strictEqual(accounts.size, 1)
      const scope = "inbox_scope=managed_user&external_user_id=customer_7"
      const listed = await request(`${url}/v1/accounts?network=${network}&${scope}`, { token: key })
      const owned: ReadonlyArray<{ readonly id: string }> = JSON.parse(listed.text).data
      assert.deepStrictEqual(
        owned.map(({ id }) => id),
        [...accounts]
      )
      const networkAccountId = await idAtNetwork(sandboxUrl, network, name)
      // X sends webhooks to https only, which a test's host has not.
      if (network === "x") return
      await until("the subscription", async () =>
        (await atNetwork(sandboxUrl, network, networkAccountId)).is_subscribed ? true : undefined
      )
      const asked = await lookIn<ReadonlyArray<Asked>>(sandboxUrl, "requests")
      const made = asked.filter((one) => one.network === network && one.method === "POST" && isSubscription(one))
      assert.strictEqual(made.length, 1)
    }, 120_000)
  }
})
