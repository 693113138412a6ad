import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { createHmac, randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { administrator, customer, request } from "./support/apiClient.ts"
import { ffmpegPath } from "./support/ffmpeg.ts"
import {
  allOutput,
  type HostProcess,
  startHost,
  temporaryFolder,
  until,
  type Variables
} from "./support/hostProcess.ts"
import { listItems, openSocket } from "./support/inboxClient.ts"
import { makeDatabase } from "./support/testServer.ts"

const places = temporaryFolder()
const { folder } = places
const newKey = (id: string) => `${id}:${randomBytes(32).toString("base64")}`
const firstKey = newKey("first")
const adminToken = randomBytes(24).toString("hex")
const gif = Uint8Array.from(animatedGif([10, 20]))

let server: Variables = {}
const running: Array<HostProcess> = []
const start = async (name: string, variables: Variables, args: ReadonlyArray<string>) => {
  // Each process has a data folder of its own, as on machines of their own; they share database and blobs.
  const host = await startHost(folder, { ...server, LOOPBOX_DATA: join(folder, name), ...variables }, args)
  running.push(host)
  return host
}

beforeAll(async () => {
  server = {
    DATABASE_URL: await makeDatabase(),
    LOOPBOX_SECRET_KEYS: firstKey,
    LOOPBOX_BLOBS: join(folder, "blobs"),
    LOOPBOX_ADMIN_TOKEN: adminToken,
    // Beside a server of one's own the ffmpeg of 2018 is not taken by itself; here it may be the only one.
    LOOPBOX_FFMPEG: await ffmpegPath()
  }
})
afterAll(async () => {
  await Promise.all(running.map((host) => host.stop("SIGKILL")))
  places.remove()
})

/** One that answers requests, and one that works; both go on over the tests that need them. */
describe("loopbox serve, as an api and a worker process on a database server", () => {
  let api: HostProcess
  let worker: HostProcess
  beforeAll(async () => {
    api = await start("api", {}, ["--role", "api", "--port", "0"])
    worker = await start("worker", { LOOPBOX_INSTAGRAM_BASE_URL: "http://127.0.0.1:1" }, ["--role", "worker"])
  })

  it("runs the jobs that an api process takes in a worker process, which listens only when told", async () => {
    assert.strictEqual(worker.url, "")
    const admin = administrator(api.url, adminToken)
    const key = await admin.createKey(await admin.createWorkspace("basic"))
    assert.match(key, /^lbx_live_/)
    const calls = customer(api.url, key)
    const { id } = await calls.submit(await calls.upload(gif))
    const job = await calls.settled(id)
    assert.strictEqual(job.status, "succeeded")
    assert.isAbove((await calls.download(job.output_media_id ?? "")).length, 1000)

    const second = await start("worker2", {}, ["--role", "worker", "--port", "0"])
    assert.strictEqual((await request(`${second.url}/livez`)).status, 200)
    const ready = await request(`${second.url}/readyz`)
    assert.strictEqual(ready.status, 200, ready.text)
    const metrics = (await request(`${second.url}/metrics`)).text
    for (const gauge of [
      "conversions_queued",
      "webhook_deliveries_pending",
      "webhook_deliveries_oldest_pending_seconds"
    ]) {
      assert.include(metrics, `loopbox_${gauge}`)
    }
    assert.strictEqual((await request(`${second.url}/v1/media`)).status, 404)
    assert.strictEqual((await second.stop()).code, 0)
  })

  it("takes a webhook in one process, ingests it in a second, and tells and judges a socket of a third", async () => {
    // An account's token is tried at its network before it is stored: here at the simulated one.
    const withNetworks = { LOOPBOX_META_APP_SECRETS: "an-app-secret", LOOPBOX_NETWORKS: "sandbox" }
    const taking = await start("taking", withNetworks, ["--role", "api", "--port", "0"])
    const admin = administrator(taking.url, adminToken)
    const workspace = await admin.createWorkspace("basic")
    const put = (path: string, body: unknown, method = "POST") =>
      request(`${taking.url}/v1/admin/workspaces/${workspace}${path}`, {
        method,
        token: adminToken,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body)
      })
    await put("/members/u1", { role: "owner" }, "PUT")
    const account = { network: "instagram", network_account_id: "17841405309211844", name: "Ours", access_token: "t" }
    const connected = await put("/social-accounts", account)
    assert.strictEqual(connected.status, 201, connected.text)
    const key: unknown = Reflect.get(
      Object((await put("/api-keys", { name: "k", creator_user_id: "u1" })).json),
      "data"
    )
    const token = String(Reflect.get(Object(key), "key"))

    const socket = await openSocket(api.url, token)
    const value = {
      id: "18000000000000001",
      text: "Across three",
      from: { id: "5", username: "reader" },
      media: { id: "9" }
    }
    const entry = [{ id: account.network_account_id, time: 1_771_322_400, changes: [{ field: "comments", value }] }]
    const body = JSON.stringify({ object: "instagram", entry })
    const signature = `sha256=${createHmac("sha256", "an-app-secret").update(body).digest("hex")}`
    const deliver = (url: string) =>
      request(`${url}/v1/webhooks/meta`, { method: "POST", body, headers: { "x-hub-signature-256": signature } })
    assert.strictEqual((await deliver(api.url)).status, 503)
    assert.strictEqual((await deliver(taking.url)).status, 200)
    const frame = await until("the new item", () => socket.frames.find(({ type }) => type === "inbox.new_item"))
    assert.strictEqual(frame.item?.body, "Across three")
    assert.strictEqual((await listItems(taking.url, token)).length, 1)
    // Before the sockets are judged again by themselves, every 45 seconds.
    await put("/members/u1", { role: "editor" }, "PUT")
    await until("the close", () => socket.closedWith() || undefined, 30_000)
    assert.strictEqual(socket.closedWith(), 4403)
    for (const host of [api, worker, taking]) assert.strictEqual((await host.stop()).code, 0)
  })
})

describe("loopbox serve, with a database server", () => {
  it("follows the test clock in every process", async () => {
    const on = { LOOPBOX_TEST_CLOCK: "on" }
    const [one, two] = await Promise.all([start("one", on, ["--port", "0"]), start("two", on, ["--port", "0"])])
    assert.include(one.output(), "LOOPBOX_TEST_CLOCK is on")
    const admin = administrator(one.url, adminToken)
    // Of the larger plans: how often the other process is asked depends on the machine's speed.
    const key = await admin.createKey(await admin.createWorkspace("growth"))
    const before = await customer(two.url, key).submit(await customer(two.url, key).upload(gif))
    await customer(two.url, key).settled(before.id)
    const moved = await request(`${one.url}/v1/admin/test/clock`, {
      method: "POST",
      token: adminToken,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ advance: "25 hours" })
    })
    assert.strictEqual(moved.status, 200, moved.text)
    await until("the other process's clock", async () => {
      const media = await customer(two.url, key).upload(gif)
      const after = await customer(two.url, key).submit(media)
      await customer(two.url, key).settled(after.id)
      return Date.parse(after.created_at) - Date.parse(before.created_at) > 24 * 3_600_000 ? true : undefined
    })
    await Promise.all([one.stop(), two.stop()])
  })

  it("takes new keys before the old ones, and stops at keys or a blob folder that are not the database's", async () => {
    const rotated = `${newKey("second")},${firstKey}`
    const host = await start("rotated", { LOOPBOX_SECRET_KEYS: rotated }, ["--port", "0"])
    await host.stop()
    const refused = async (variables: Variables) =>
      start("refused", { LOOPBOX_SECRET_KEYS: rotated, ...variables }, ["--port", "0"]).then(
        () => "started",
        (error: Error) => error.message
      )
    assert.include(await refused({ LOOPBOX_SECRET_KEYS: firstKey }), 'the key "second" is missing')
    assert.include(await refused({ LOOPBOX_SECRET_KEYS: newKey("second") }), 'the key "second" is another one')
    assert.match(await refused({ LOOPBOX_BLOBS: join(folder, "elsewhere") }), /has no (file|object) INSTALLATION/)
    const other = { DATABASE_URL: await makeDatabase(), LOOPBOX_SECRET_KEYS: firstKey }
    assert.include(await refused(other), "belongs to another database")
    rmSync(join(folder, "refused"), { recursive: true, force: true })
  })

  it("has no admin API without a token", async () => {
    const host = await start(
      "no-admin",
      { DATABASE_URL: await makeDatabase(), LOOPBOX_ADMIN_TOKEN: "", LOOPBOX_BLOBS: join(folder, "blobs3") },
      ["--port", "0"]
    )
    assert.strictEqual((await request(`${host.url}/v1/admin/workspaces`, { token: adminToken })).status, 404)
    await host.stop()
  })

  it("writes no secret", () => {
    const output = allOutput(folder)
    for (const text of [adminToken, firstKey.split(":")[1] ?? "", new URL(server["DATABASE_URL"] ?? "").password]) {
      if (text !== "") assert.notInclude(output, text)
    }
    assert.notMatch(output, /lbx_(live|test)_[0-9a-z]{26}_/)
  })
})
