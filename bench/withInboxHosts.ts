import { EmbeddedPostgres } from "@loopbox/adapters-postgres"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { createHmac } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { request } from "../examples/http-host/test/support/apiClient.ts"
import { type HostProcess, startHost, temporaryFolder } from "../examples/http-host/test/support/hostProcess.ts"

const adminToken = "an-admin-token-of-a-benchmark-in-32-characters"
const appSecret = "a-secret-of-an-app-of-meta"

const environment = (url: string) => ({
  DATABASE_URL: url,
  LOOPBOX_ADMIN_TOKEN: adminToken,
  LOOPBOX_SECRET_KEYS: `bench:${Buffer.alloc(32, 7).toString("base64")}`,
  LOOPBOX_NETWORKS: "sandbox",
  LOOPBOX_META_APP_SECRETS: appSecret,
  LOOPBOX_RATE_LIMIT: "off"
})

const post = async (url: string, method: string, body: unknown): Promise<{ readonly data: Record<string, string> }> => {
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
  return await answer.json()
}

/** A workspace with an Instagram account, and a key that may see all of it. */
export interface BenchInbox {
  readonly key: string
  /** The account's id in webhooks. */
  readonly page: string
}

export const makeInbox = async ({ url }: HostProcess, page: string, users = 0): Promise<BenchInbox> => {
  const workspaces = `${url}/v1/admin/workspaces`
  const workspaceId = (await post(workspaces, "POST", { name: "Bench", plan: "enterprise" })).data["id"] ?? ""
  const own = `${workspaces}/${workspaceId}`
  await post(`${own}/members/ann`, "PUT", { role: "owner" })
  const { data } = await post(`${own}/api-keys`, "POST", { name: "bench", creator_user_id: "ann" })
  await post(`${own}/social-accounts`, "POST", {
    network: "instagram",
    network_account_id: page,
    name: "Bench",
    access_token: "a-token-of-the-network"
  })
  for (let user = 0; user < users; user++) await post(`${own}/managed-users/user_${user}`, "PUT", {})
  return { key: data["key"] ?? "", page }
}

/** Delivers comments by one signed webhook. */
export const deliver = async ({ url }: HostProcess, { page }: BenchInbox, ids: ReadonlyArray<string>) => {
  const changes = ids.map((id) => ({
    field: "comments",
    value: { id, text: `Comment ${id}`, from: { id: "5", username: "reader" }, media: { id: "9" } }
  }))
  const body = JSON.stringify({ object: "instagram", entry: [{ id: page, time: 1_771_322_400, changes }] })
  const signature = `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`
  const answer = await request(`${url}/v1/webhooks/meta`, {
    method: "POST",
    body,
    headers: { "x-hub-signature-256": signature }
  })
  if (answer.status !== 200) throw new Error(`webhook: ${answer.status} ${answer.text}`)
}

/** Where a workspace is followed, or one of its managed users. */
export const socketUrl = ({ url }: HostProcess, user?: string): string => {
  const scope = user === undefined ? "workspace" : `managed_user&external_user_id=${user}`
  return `${url.replace(/^http/, "ws")}/v1/inbox/ws?inbox_scope=${scope}`
}

/** Runs with hosts on a database that keeps what it is told, as in production; each that is started is a node. */
export const withInboxHosts = async <A>(use: (start: () => Promise<HostProcess>) => Promise<A>): Promise<A> => {
  const { folder, remove } = temporaryFolder()
  const runtime = ManagedRuntime.make(EmbeddedPostgres.layer({ folder: join(folder, "database") }))
  const hosts: Array<HostProcess> = []
  let socketFolder = ""
  try {
    const server = await runtime.runPromise(Effect.service(EmbeddedPostgres))
    socketFolder = server.socketFolder
    const url = new URL(`postgres://localhost/${server.database}`)
    url.searchParams.set("host", server.socketFolder)
    url.username = server.username
    url.password = Redacted.value(server.password)
    return await use(async () => {
      const own = { LOOPBOX_DATA: join(folder, `data ${hosts.length}`), LOOPBOX_BLOBS: join(folder, "blobs") }
      const host = await startHost(folder, { ...environment(url.toString()), ...own })
      hosts.push(host)
      return host
    })
  } finally {
    for (const host of hosts) await host.stop()
    await runtime.dispose()
    if (socketFolder !== "") rmSync(socketFolder, { recursive: true, force: true })
    remove()
  }
}
