import { join } from "node:path"
import { administrator } from "../examples/http-host/test/support/apiClient.ts"
import { type HostProcess, startHost, temporaryFolder } from "../examples/http-host/test/support/hostProcess.ts"
import { deliver as deliverComments } from "./webhooks.ts"
import { withServer } from "./withServer.ts"

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

/** A workspace with an Instagram account, and a key that may see all of it. */
export interface BenchInbox {
  readonly key: string
  /** The account's id in webhooks. */
  readonly page: string
}

export const makeInbox = async ({ url }: HostProcess, page: string, users = 0): Promise<BenchInbox> => {
  const admin = administrator(url, adminToken)
  const workspace = await admin.createWorkspace("enterprise")
  const key = await admin.createOwnerKey(workspace)
  await admin.connectAccount(workspace, "instagram", page)
  for (let user = 0; user < users; user++) await admin.addManagedUser(workspace, `user_${user}`)
  return { key, page }
}

/** Delivers comments by one signed webhook. */
export const deliver = ({ url }: HostProcess, { page }: BenchInbox, ids: ReadonlyArray<string>): Promise<void> =>
  deliverComments(
    url,
    appSecret,
    ids.map((id) => ({ page, id }))
  )

/** Where a workspace is followed, or one of its managed users. */
export const socketUrl = ({ url }: HostProcess, user?: string): string => {
  const scope = user === undefined ? "workspace" : `managed_user&external_user_id=${user}`
  return `${url.replace(/^http/, "ws")}/v1/inbox/ws?inbox_scope=${scope}`
}

/** Runs with hosts on a database that keeps what it is told, as in production; each that is started is a node. */
export const withInboxHosts = <A>(use: (start: () => Promise<HostProcess>) => Promise<A>): Promise<A> =>
  withServer({}, async ({ url }) => {
    const { folder, remove } = temporaryFolder()
    const hosts: Array<HostProcess> = []
    try {
      return await use(async () => {
        const own = { LOOPBOX_DATA: join(folder, `data ${hosts.length}`), LOOPBOX_BLOBS: join(folder, "blobs") }
        const host = await startHost(folder, { ...environment(url), ...own })
        hosts.push(host)
        return host
      })
    } finally {
      for (const host of hosts) await host.stop()
      remove()
    }
  })
