import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { administrator, customer, request } from "./support/apiClient.ts"
import { citus, makeCitusDatabase } from "./support/citusDatabase.ts"
import { ffmpegPath } from "./support/ffmpeg.ts"
import { type HostProcess, startHost, temporaryFolder, until, type Variables } from "./support/hostProcess.ts"
import { listItems, openSocket, sendReply } from "./support/inboxClient.ts"
import { runCli } from "./support/runCli.ts"

const places = citus === undefined ? undefined : temporaryFolder()
const folder = places?.folder ?? ""
const adminToken = randomBytes(24).toString("hex")

let settings: Variables = {}
let host: HostProcess | undefined

const command = async (...args: ReadonlyArray<string>) => {
  const { code, output } = await runCli(args, folder, settings)
  assert.strictEqual(code, 0, output)
  return output
}

// Where nobody gives a cluster (LOOPBOX_TEST_CITUS, .ci/citus.sh), this is left out.
describe.skipIf(citus === undefined)("loopbox on a distributed database", () => {
  beforeAll(async () => {
    settings = {
      DATABASE_URL: await makeCitusDatabase(),
      LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
      LOOPBOX_BLOBS: join(folder, "blobs"),
      LOOPBOX_ADMIN_TOKEN: adminToken,
      LOOPBOX_NETWORKS: "sandbox",
      LOOPBOX_META_APP_SECRETS: "an-app-secret",
      LOOPBOX_FFMPEG: await ffmpegPath()
    }
  })
  afterAll(async () => {
    await host?.stop("SIGKILL")
    places?.remove()
  })

  it("is distributed by a command, once, and is well", async () => {
    await command("migrate")
    const { output } = await runCli(["db", "distribute", "--shards", "4", "--json"], folder, settings)
    // Before the answer it says on the other stream how far it is.
    assert.match(output, /^items: 0 rows$/m)
    const done = JSON.parse(output.slice(output.indexOf("{\n")))
    assert.deepStrictEqual([done.workers, done.placed.includes("items"), done.rows > 0], [2, true, true])
    assert.include(await command("db", "distribute"), "distributed already")
    const found = await command("doctor")
    assert.match(found, /ok +nodes +all 3 nodes answer/)
    assert.match(found, /ok +tables/)
  })

  it("takes a webhook, lists its item, tells a socket, sends a reply and converts a GIF", async () => {
    host = await startHost(folder, settings, ["--port", "0"])
    const { url } = host
    const admin = administrator(url, adminToken)
    const workspace = await admin.createWorkspace("basic")
    const put = (path: string, body: unknown, method = "POST") =>
      request(`${url}/v1/admin/workspaces/${workspace}${path}`, {
        method,
        token: adminToken,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body)
      })
    const account = { network: "instagram", network_account_id: "17841405309211844", name: "Ours", access_token: "t" }
    const connected = await put("/social-accounts", account)
    assert.strictEqual(connected.status, 201, connected.text)
    const key = await admin.createOwnerKey(workspace)

    const socket = await openSocket(url, key)
    const said: { readonly id: string } = JSON.parse(
      await command("sandbox", "comment", "Open on Sundays?", "--network", "instagram", "--json")
    )
    const frame = await until("the new item", () =>
      socket.frames.find(({ item, type }) => type === "inbox.new_item" && item?.external_id === said.id)
    )
    assert.strictEqual((await listItems(url, key)).filter(({ external_id }) => external_id === said.id).length, 1)
    const answer = await until("the outcome", async () => {
      const sent = await sendReply(url, key, frame.item?.id ?? "", "Yes, until six.", "sundays")
      return /X_WRITE_OUTCOME_PENDING|X_REMOTE_ACCEPTED_RECONCILING/.test(sent.text) ? undefined : sent
    })
    assert.strictEqual(answer.status, 200, answer.text)
    socket.close()

    const calls = customer(url, key)
    const job = await calls.settled((await calls.submit(await calls.upload(Uint8Array.from(animatedGif([10, 20]))))).id)
    assert.strictEqual(job.status, "succeeded")
    assert.isAbove((await calls.download(job.output_media_id ?? "")).length, 1000)

    const ready = await request(`${url}/readyz`, { token: adminToken })
    assert.strictEqual(ready.status, 200, ready.text)
    assert.include(ready.text, "all 3 nodes answer")
    assert.match((await request(`${url}/metrics`)).text, /^loopbox_database_nodes_away 0$/m)
    // No background loop met a statement that a distributed database refuses.
    assert.notInclude(host.output(), "a loop met a defect")
    assert.strictEqual((await host.stop()).code, 0)
  })
})
