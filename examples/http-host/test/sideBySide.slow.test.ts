import * as PgClient from "@effect/sql-pg/PgClient"
import { assert } from "@effect/vitest"
import { Migrations, PgAdapters } from "@loopbox/adapters-postgres"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { administrator, customer, request } from "./support/apiClient.ts"
import { ffmpegPath } from "./support/ffmpeg.ts"
import {
  type HostProcess,
  sleep,
  startHost,
  startHostOf,
  temporaryFolder,
  until,
  type Variables
} from "./support/hostProcess.ts"
import { findOperation, listItems, openSocket, sendReply } from "./support/inboxClient.ts"
import { replay, walk, workspaceScope } from "./support/inboxStream.ts"
import { metaDelivery } from "./support/metaDelivery.ts"
import { preparePreviousRelease, type PreviousRelease } from "./support/previousRelease.ts"
import { makeDatabase } from "./support/testServer.ts"
import { runCli } from "./support/runCli.ts"
import { describeUnmoved } from "./support/unmoved.ts"

const places = temporaryFolder()
const { folder } = places
const adminToken = randomBytes(24).toString("hex")
const appSecret = "a-secret-of-an-app-of-meta"
const instagramAccount = "17841405309211844"
const page = "100000000000001"
const gif = Uint8Array.from(animatedGif([10, 20]))

const running: Array<HostProcess> = []
let previous: PreviousRelease
let ffmpeg = ""
beforeAll(async () => {
  previous = preparePreviousRelease(join(folder, "previous"))
  ffmpeg = await ffmpegPath()
})
afterAll(async () => {
  await Promise.all(running.map((host) => host.stop("SIGKILL")))
  places.remove()
})

const kept = (host: HostProcess): HostProcess => {
  running.push(host)
  return host
}

/** Settings of all processes of one database. */
const makeServer = async (): Promise<Variables> => ({
  DATABASE_URL: await makeDatabase(),
  LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
  LOOPBOX_BLOBS: join(folder, `blobs ${randomBytes(4).toString("hex")}`),
  LOOPBOX_ADMIN_TOKEN: adminToken,
  LOOPBOX_FFMPEG: ffmpeg,
  LOOPBOX_META_APP_SECRETS: appSecret,
  LOOPBOX_POLL_EVERY: "off",
  LOOPBOX_RATE_LIMIT: "off"
})

/** The networks live in the process that is started with this. */
const withSandbox: Variables = { LOOPBOX_NETWORKS: "sandbox" }

const networksOf = (data: string): Variables => {
  const { sandbox_url } = JSON.parse(readFileSync(join(folder, data, "serve.json"), "utf8"))
  return {
    LOOPBOX_NETWORKS: "live",
    LOOPBOX_FACEBOOK_BASE_URL: `${sandbox_url}/facebook`,
    LOOPBOX_INSTAGRAM_BASE_URL: `${sandbox_url}/instagram`
  }
}

const makeOwner = async (url: string): Promise<string> => {
  const admin = administrator(url, adminToken)
  const workspace = await admin.createWorkspace("growth")
  await admin.connectAccount(workspace, "instagram", instagramAccount)
  await admin.connectPage(workspace, page)
  return admin.createOwnerKey(workspace)
}

const deliver = async (url: string, id: string): Promise<number> => {
  const value = { id, text: `Number ${id}`, from: { id: "5", username: "reader" }, media: { id: "9" } }
  const entry = [{ id: instagramAccount, time: 1_771_322_400, changes: [{ field: "comments", value }] }]
  return (await request(`${url}/v1/webhooks/meta`, metaDelivery(appSecret, { object: "instagram", entry }))).status
}

/** Comments that are delivered without a pause, until told to stop; the ids that were answered 200. */
const startTraffic = (findUrl: () => string, prefix: string) => {
  const taken: Array<string> = []
  const others = new Set<number>()
  let isOver = false
  const done = (async () => {
    for (let at = 0; !isOver; at++) {
      const id = `${prefix}${String(at).padStart(8, "0")}`
      const status = await deliver(findUrl(), id).catch(() => 0)
      if (status === 200) taken.push(id)
      else others.add(status)
      await sleep(30)
    }
  })()
  const stop = async () => {
    isOver = true
    await done
    assert.deepStrictEqual(Array.from(others), [], "every delivery is answered 200")
    return taken
  }
  return { stop }
}

const readiness = async (url: string) => {
  const { json, status } = await request(`${url}/readyz`, { token: adminToken })
  const checks: ReadonlyArray<{ readonly name: string; readonly status: string; readonly message: string }> =
    Reflect.get(Object(json), "checks")
  return { status, checks, failed: checks.filter((check) => check.status === "failed").map(({ name }) => name) }
}

/** Everything that was taken is listed once by each process, and told once. */
const assertWhole = async (urls: ReadonlyArray<string>, key: string, taken: ReadonlyArray<string>) => {
  const [first = ""] = urls
  const listed = async (url: string) => (await walk(url, key, workspaceScope)).map(({ external_id }) => external_id)
  await until("every item", async () => {
    const found = new Set(await listed(first))
    return taken.every((id) => found.has(id)) ? true : undefined
  })
  for (const url of urls) {
    const ids = (await listed(url)).filter((id) => taken.includes(id))
    assert.deepStrictEqual(ids.toSorted(), taken.toSorted())
  }
  const events = await replay(first, key, workspaceScope, 0)
  const told = events.flatMap((event) => (event.type === "inbox.new_item" ? [event.item.external_id] : []))
  assert.deepStrictEqual(told.filter((id) => taken.includes(id)).toSorted(), taken.toSorted())
}

/** Commands of the simulated networks in the process of a data folder. */
const sandboxOf =
  (data: string) =>
  async (...args: ReadonlyArray<string>) => {
    const { code, output } = await runCli(["sandbox", ...args, "--json"], folder, { LOOPBOX_DATA: join(folder, data) })
    assert.strictEqual(code, 0, output)
    return JSON.parse(output)
  }

/** A comment on the simulated network, answered by a process: posted once, and settled. */
const answer = async (url: string, key: string, data: string, text: string) => {
  const sandbox = sandboxOf(data)
  const { id } = await sandbox("comment", `Question for ${text}`, "--network", "facebook")
  const item = await until("the comment", async () =>
    (await listItems(url, key)).find(({ external_id }) => external_id === id)
  )
  const { operationId, status } = await sendReply(url, key, item.id, text, text.replaceAll(" ", "-"))
  assert.oneOf(status, [200, 202])
  await until("the reply", async () => {
    const operation = await findOperation(url, key, operationId)
    return operation.status === "succeeded" || operation.status === "completed" ? true : undefined
  })
  const sent: ReadonlyArray<{ readonly text: string }> = await sandbox("sent")
  assert.strictEqual(sent.filter((one) => one.text === text).length, 1)
}

const convert = async (url: string, key: string) => {
  const calls = customer(url, key)
  const job = await calls.settled((await calls.submit(await calls.upload(gif))).id)
  assert.strictEqual(job.status, "succeeded")
}

describeUnmoved("the release before knows no distributed database")(
  "the release before, and this version, on one database",
  () => {
    it("serve side by side from the migration on, and lose and double nothing", async () => {
      const server = await makeServer()
      const before = kept(
        await startHostOf(previous.bin, folder, { ...server, ...withSandbox, LOOPBOX_DATA: join(folder, "before") })
      )
      const key = await makeOwner(before.url)
      // Traffic goes on while the newer process migrates the database under the older one.
      const old = startTraffic(() => before.url, "181")
      await sleep(500)
      const after = kept(
        await startHost(folder, { ...server, ...networksOf("before"), LOOPBOX_DATA: join(folder, "after") })
      )
      const recent = startTraffic(() => after.url, "182")
      await answer(before.url, key, "before", "from the older one")
      await answer(after.url, key, "before", "from the newer one")
      await Promise.all([convert(before.url, key), convert(after.url, key)])
      const taken = [...(await old.stop()), ...(await recent.stop())]
      await assertWhole([before.url, after.url], key, taken)

      assert.strictEqual((await readiness(after.url)).status, 200)
      // v0.1.0 takes any newer migration for a reason to be not ready, which cannot be mended there any more; nothing else
      // may be wrong with it. What comes later stays ready: see below.
      const { failed } = await readiness(before.url)
      assert.deepStrictEqual(failed, previous.tag === "v0.1.0" ? ["migrations"] : [])

      // Alone again, the older one does all the work: none of its workers has ended.
      assert.strictEqual((await after.stop()).code, 0)
      const alone = startTraffic(() => before.url, "183")
      await answer(before.url, key, "before", "from the older one alone")
      await convert(before.url, key)
      await assertWhole([before.url], key, [...taken, ...(await alone.stop())])
      assert.notInclude(before.output(), '"level":"fatal"')
      assert.strictEqual((await before.stop()).code, 0)
    })
  }
)

/** What a version to come might do to a database that this one has. */
const migrateByNewer = (url: string) => {
  const known = Object.keys(Migrations.migrations).length
  const statements = [
    `INSERT INTO ${Migrations.migrationsTable} (migration_id, name, min_compatible)
      VALUES (${known + 1}, 'future_columns', ${known}), (${known + 2}, 'future_rows', ${known})`,
    "ALTER TABLE items ADD COLUMN future_note text DEFAULT 'of the future'",
    "ALTER TABLE webhook_deliveries ADD COLUMN future_note text",
    "CREATE TABLE future_things (id text PRIMARY KEY)",
    `WITH next AS (UPDATE workspace_seq SET last = last + 1 RETURNING workspace_id, last)
      INSERT INTO events (workspace_id, seq, at, event)
      SELECT workspace_id, last, now(), '{"_tag":"FutureEvent","something":1}' FROM next`,
    // Older than whatever waits, so that it is claimed first, again and again.
    `INSERT INTO webhook_deliveries (id, endpoint, body, arrived_at, state, claimable_at)
      VALUES ('future', 'future', '{}', '2026-01-01', 'pending', '2026-01-01')`
  ]
  return Effect.runPromise(
    PgAdapters.withLongRunningClient(
      { url: Redacted.make(url) },
      {},
      Effect.flatMap(PgClient.PgClient, (sql) => Effect.forEach(statements, (statement) => sql.unsafe(statement)))
    )
  )
}

describe("this version, and one to come, on one database", () => {
  it("stays ready, works on beside rows that it does not know, and starts again", async () => {
    const server = await makeServer()
    const first = kept(await startHost(folder, { ...server, ...withSandbox, LOOPBOX_DATA: join(folder, "first") }))
    const key = await makeOwner(first.url)
    await sandboxOf("first")("subscribe")
    assert.strictEqual(await deliver(first.url, "18400000000"), 200)
    await until("the first item", async () => ((await listItems(first.url, key)).length > 0 ? true : undefined))
    const socket = await openSocket(first.url, key)
    const traffic = startTraffic(() => first.url, "185")
    await migrateByNewer(server["DATABASE_URL"] ?? "")

    const ready = await until("the migrations' line", async () => {
      const found = await readiness(first.url)
      const line = found.checks.find(({ name }) => name === "migrations")?.message ?? ""
      return found.status !== 200 || line.includes("a newer version has migrated") ? found : undefined
    })
    assert.strictEqual(ready.status, 200, JSON.stringify(ready.checks))
    await answer(first.url, key, "first", "beside the future")
    await convert(first.url, key)
    const taken = ["18400000000", ...(await traffic.stop())]
    await until("an event after the unknown one", () =>
      socket.frames.some(({ item }) => item?.external_id === taken.at(-1)) ? true : undefined
    )
    socket.close()

    const second = kept(
      await startHost(folder, { ...server, ...networksOf("first"), LOOPBOX_DATA: join(folder, "second") })
    )
    assert.strictEqual((await readiness(second.url)).status, 200)
    const more = startTraffic(() => second.url, "186")
    await convert(second.url, key)
    await assertWhole([first.url, second.url], key, [...taken, ...(await more.stop())])
    assert.strictEqual((await first.stop()).code, 0)
    assert.strictEqual((await second.stop()).code, 0)
  })
})
