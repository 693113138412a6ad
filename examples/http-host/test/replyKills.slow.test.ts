import { assert } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { administrator, request } from "./support/apiClient.ts"
import { ffmpegPath } from "./support/ffmpeg.ts"
import { type HostProcess, sleep, startHost, temporaryFolder, until, type Variables } from "./support/hostProcess.ts"
import { findOperation, openSocket, sendReply } from "./support/inboxClient.ts"
import { makeDatabase } from "./support/testServer.ts"
import { runCli } from "./support/runCli.ts"

const places = temporaryFolder()
const { folder } = places
const running: Array<HostProcess> = []
afterAll(async () => {
  await Promise.all(running.map((host) => host.stop("SIGKILL")))
  places.remove()
})

const adminToken = randomBytes(24).toString("hex")
const networks: Variables = { LOOPBOX_DATA: join(folder, "api") }

/** Each process has a data folder of its own; they share the database. */
const start = async (name: string, variables: Variables, args: ReadonlyArray<string>) => {
  const host = await startHost(folder, { ...variables, LOOPBOX_DATA: join(folder, name) }, args)
  running.push(host)
  return host
}

const sandbox = async (...args: ReadonlyArray<string>) => {
  const { code, output } = await runCli(["sandbox", ...args, "--json"], folder, networks)
  assert.strictEqual(code, 0, output)
  return JSON.parse(output)
}

/** What was posted below a comment on the simulated network. */
const answersTo = async (commentId: string): Promise<ReadonlyArray<string>> => {
  const sent: ReadonlyArray<{ readonly text: string; readonly in_reply_to: { readonly id: string } | null }> =
    await sandbox("sent")
  return sent.filter(({ in_reply_to }) => in_reply_to?.id === commentId).map(({ text }) => text)
}

const makeKey = async (url: string) => {
  const workspace = await administrator(url, adminToken).createWorkspace("growth")
  const call = async (method: string, path: string, body: unknown) => {
    const answer = await request(`${url}/v1/admin/workspaces/${workspace}${path}`, {
      method,
      token: adminToken,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    assert.isBelow(answer.status, 300, answer.text)
    return Object(Reflect.get(Object(answer.json), "data"))
  }
  await call("PUT", "/members/u1", { role: "owner" })
  const account = { network_account_id: "100000000000001", name: "Shop", access_token: "a-token-of-the-network" }
  await call("POST", "/social-accounts", { network: "facebook", ...account })
  return String(Reflect.get(await call("POST", "/api-keys", { name: "k", creator_user_id: "u1" }), "key"))
}

const advance = async (url: string, by: string) => {
  const answer = await request(`${url}/v1/admin/test/clock`, {
    method: "POST",
    token: adminToken,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advance: by })
  })
  assert.strictEqual(answer.status, 200, answer.text)
}

/** The networks live in the api process, so that they outlive the worker. */
const startAll = async () => {
  const server: Variables = {
    DATABASE_URL: await makeDatabase(),
    LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
    LOOPBOX_BLOBS: join(folder, "blobs"),
    LOOPBOX_ADMIN_TOKEN: adminToken,
    LOOPBOX_FFMPEG: await ffmpegPath(),
    LOOPBOX_META_APP_SECRETS: "a-secret-of-an-app-of-meta",
    LOOPBOX_LEASE: "3 seconds",
    LOOPBOX_TEST_CLOCK: "on"
  }
  const api = await start("api", { ...server, LOOPBOX_NETWORKS: "sandbox" }, ["--role", "api", "--port", "0"])
  const { sandbox_url } = JSON.parse(readFileSync(join(folder, "api", "serve.json"), "utf8"))
  const worker = () =>
    start("worker", { ...server, LOOPBOX_NETWORKS: "live", LOOPBOX_FACEBOOK_BASE_URL: `${sandbox_url}/facebook` }, [
      "--role",
      "worker"
    ])
  const key = await makeKey(api.url)
  await sandbox("subscribe")
  return { api, worker, key }
}

/** `.ci/run` has the fewer. */
const atAnyTime_ms = process.env["LOOPBOX_SLOW"] === "short" ? [40, 90] : [20, 40, 60, 90, 130]

/** When the worker dies: while the network, which has or has not posted it, does not answer; or whenever it is. */
const rounds: ReadonlyArray<{ readonly fault?: "hang" | "hang_after"; readonly killAfter_ms: number }> = [
  { fault: "hang_after", killAfter_ms: 0 },
  { fault: "hang", killAfter_ms: 300 },
  { fault: "hang_after", killAfter_ms: 300 },
  ...atAnyTime_ms.map((killAfter_ms) => ({ killAfter_ms }))
]

describe("kill -9 of a worker that sends a reply (design §6)", () => {
  it("leaves one post at most, and an operation that is settled by looking for it", async () => {
    const { api, key, worker } = await startAll()
    let victim = await worker()
    const socket = await openSocket(api.url, key)
    const item = (externalId: string) => socket.frames.find((frame) => frame.item?.external_id === externalId)?.item
    const posts: Array<{ readonly fault: string | undefined; readonly sent: number; readonly status: string }> = []

    for (const [round, { fault, killAfter_ms }] of rounds.entries()) {
      const text = `Answer ${round}`
      const { id: commentId } = await sandbox("comment", `Question ${round}`, "--network", "facebook")
      const itemId = (await until("the item", () => item(commentId))).id
      if (fault !== undefined) {
        await sandbox("fault", "set", fault, "--network", "facebook", "--endpoint", "reply", "--times", "1")
      }
      const before = socket.frames.length
      const asked = sendReply(api.url, key, itemId, text, `key-${round}`)
      const operationIn = (status: string) =>
        socket.frames.slice(before).find(({ operation }) => operation?.status === status)?.operation?.id
      if (fault === "hang_after") {
        await until("the post", async () => ((await answersTo(commentId)).length > 0 ? true : undefined))
      } else if (fault === "hang") await until("the attempt", () => operationIn("sending"), 120_000, 5)
      await sleep(killAfter_ms)
      await victim.stop("SIGKILL")
      victim = await worker()

      const { operationId } = await asked
      const settled = () =>
        until(
          "the outcome",
          async () => {
            const { status } = await findOperation(api.url, key, operationId)
            return status === "completed" || status === "needs_reconciliation" ? status : undefined
          },
          120_000
        )
      // Where nothing was posted, nothing is found until the deadline.
      if (fault === "hang" || (fault === undefined && (await answersTo(commentId)).length === 0)) {
        await advance(api.url, "31 minutes")
      }
      const status = await settled()
      const again = await sendReply(api.url, key, itemId, text, `key-${round}`)
      assert.strictEqual(again.status, status === "completed" ? 200 : 409, again.text)
      assert.strictEqual(again.operationId, operationId)
      posts.push({ fault, sent: (await answersTo(commentId)).length, status })
      await sandbox("fault", "clear")
    }

    for (const { fault, sent, status } of posts) {
      assert.strictEqual(sent, status === "completed" ? 1 : 0, JSON.stringify(posts))
      if (fault !== undefined) assert.strictEqual(status, fault === "hang" ? "needs_reconciliation" : "completed")
    }
    socket.close()
    assert.strictEqual((await victim.stop()).code, 0)
    assert.strictEqual((await api.stop()).code, 0)
  })
})
