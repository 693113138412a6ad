import { assert } from "@effect/vitest"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { administrator, request } from "./support/apiClient.ts"
import { onDatabase } from "./support/databaseDump.ts"
import { type HostProcess, startHost, temporaryFolder, until, type Variables } from "./support/hostProcess.ts"
import {
  connectBy,
  type ConnectSession,
  decide,
  lookIn,
  makeBrowser,
  makeCustomer,
  sandboxOf,
  type Secrets
} from "./support/personBrowser.ts"
import { makeDatabase } from "./support/testServer.ts"

const places = temporaryFolder()
const { folder } = places
const running = new Set<HostProcess>()
afterAll(async () => {
  await Promise.all([...running].map((host) => host.stop("SIGKILL")))
  places.remove()
})

const adminToken = randomBytes(24).toString("hex")
const secrets: Secrets = new Set()

const start = async (name: string, variables: Variables, args: ReadonlyArray<string> = ["--port", "0"]) => {
  const host = await startHost(folder, { ...variables, LOOPBOX_DATA: join(folder, name) }, args)
  running.add(host)
  return host
}

const countsOf = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ count: Schema.Int })))

/**
 * Holds a table, so that whoever writes it waits, until somebody does; then runs `meanwhile`. What waited when its process
 * died writes nothing.
 */
const whileHeld = (database: string, table: string, meanwhile: () => Promise<void>) =>
  onDatabase(
    database,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      yield* Effect.gen(function* () {
        yield* sql`LOCK TABLE ${sql(table)} IN EXCLUSIVE MODE`
        yield* Effect.promise(meanwhile)
      }).pipe(sql.withTransaction)
    })
  )

/** Until somebody waits for the table. */
const isWaitedFor = (database: string, table: string) =>
  until(`a wait for ${table}`, async () => {
    const rows = await onDatabase(
      database,
      Effect.flatMap(
        PgClient.PgClient,
        (sql) => sql`SELECT count(*)::int AS count FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
          WHERE NOT l.granted AND c.relname = ${table}`
      )
    )
    return (countsOf(rows)[0]?.count ?? 0) > 0 ? true : undefined
  })

/** The networks live in a process of their own, so that they outlive the host that people connect by. */
const startAll = async () => {
  const database = await makeDatabase()
  const server: Variables = {
    DATABASE_URL: database,
    LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
    LOOPBOX_BLOBS: join(folder, "blobs"),
    LOOPBOX_ADMIN_TOKEN: adminToken,
    LOOPBOX_X_CLIENT_ID: "our-client-at-x",
    LOOPBOX_X_CLIENT_SECRET: "the-secret-of-our-client-at-x"
  }
  await start("networks", { ...server, LOOPBOX_NETWORKS: "sandbox" }, ["--role", "api", "--port", "0"])
  const sandboxUrl = sandboxOf(join(folder, "networks"))
  const live = { ...server, LOOPBOX_NETWORKS: "live", LOOPBOX_X_BASE_URL: `${sandboxUrl}/x` }
  const first = await start("host", live)
  const port = new URL(first.url).port
  const restart = () => start("host", live, ["--port", port])
  const admin = administrator(first.url, adminToken)
  const workspace = await admin.createWorkspace("growth")
  return { database, first, restart, key: await admin.createOwnerKey(workspace), sandboxUrl }
}

const tokensOfX = async (sandboxUrl: string): Promise<ReadonlyArray<string>> =>
  (await lookIn<ReadonlyArray<string>>(sandboxUrl, "tokens")).filter((token) => token.startsWith("sandbox-refresh-"))

describe("kill -9 of the host that connects an account, between the code's exchange and the account", () => {
  it("loses no token that was the only one, leaves no half account, and the session can be tried again", async () => {
    const { database, first, key, restart, sandboxUrl } = await startAll()
    let host = first
    const customer = makeCustomer(host.url, key, secrets)

    /** Goes to the callback, and kills the host while a table is held that it waits for. */
    const killAt = async (table: string, session: ConnectSession) => {
      const browser = makeBrowser(secrets)
      const callback = await decide(browser, session.url, { decision: "approve" }, secrets)
      const before = (await tokensOfX(sandboxUrl)).length
      await whileHeld(database, table, async () => {
        const cut = browser.open(callback).catch(() => undefined)
        await isWaitedFor(database, table)
        await host.stop("SIGKILL")
        await cut
      })
      running.delete(host)
      const given = (await tokensOfX(sandboxUrl)).length - before
      host = await restart()
      const accounts = await request(`${host.url}/v1/accounts?network=x`, { token: key })
      return { browser, callback, given, accounts: JSON.parse(accounts.text).data.length }
    }

    // The token was given and is stored: the browser's reload connects the account, and asks the network for nothing.
    const kept = await customer.make("x", { external_user_id: "kept" })
    const cut = await killAt("social_accounts", kept)
    assert.deepStrictEqual([cut.given, cut.accounts], [1, 0])
    const before = await tokensOfX(sandboxUrl)
    const page = await until(
      "the outcome",
      async () => {
        const shown = await cut.browser.open(cut.callback)
        return shown.status === 202 ? undefined : shown
      },
      120_000
    )
    assert.match(page.text, /<h1>Connected<\/h1>/)
    const completed = await customer.read(kept.id)
    assert.deepStrictEqual([completed.status, completed.accounts.length], ["completed", 1])
    assert.deepStrictEqual(await tokensOfX(sandboxUrl), before)
    // By the token that the killed host had got.
    const [account] = completed.accounts
    const checked = await request(`${host.url}/v1/accounts/${account?.id}/check`, { method: "POST", token: key })
    assert.strictEqual(JSON.parse(checked.text).data.status, "connected", checked.text)

    // Connecting it again, killed before anything of the new token is stored: the account has what it had.
    const again = await customer.reconnect(account?.id ?? "")
    const lost = await killAt("connect_attempts", again)
    assert.strictEqual(lost.accounts, 1)
    const still = await request(`${host.url}/v1/accounts/${account?.id}/check`, { method: "POST", token: key })
    assert.strictEqual(JSON.parse(still.text).data.status, "connected", still.text)
    assert.notStrictEqual((await customer.read(again.id)).status, "completed")
    const retried = await connectBy(again, "Nora Blum", secrets)
    assert.match(retried.text, /<h1>Connected<\/h1>/)
    assert.strictEqual((await customer.read(again.id)).status, "completed")
    const listed = await request(`${host.url}/v1/accounts?network=x`, { token: key })
    assert.deepStrictEqual(
      JSON.parse(listed.text).data.map((one: { readonly id: string }) => one.id),
      [account?.id]
    )
    assert.strictEqual((await host.stop()).code, 0)
    running.delete(host)
  }, 300_000)
})
