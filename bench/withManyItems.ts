import type { PgAdapters } from "@loopbox/adapters-postgres"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { administrator } from "../examples/http-host/test/support/apiClient.ts"
import { startHost, temporaryFolder } from "../examples/http-host/test/support/hostProcess.ts"
import { busy, fillManyItems } from "../packages/adapters-postgres/test/stores/inbox/manyItems.ts"
import { type DatabaseServer, withServer } from "./withServer.ts"

export interface ManyItems {
  readonly server: DatabaseServer
  /** Address of a host that answers requests. */
  readonly url: string
  readonly pid: number
  /** A key of an owner of the workspace that has the items. */
  readonly key: string
}

type Fill = (target: PgAdapters.Target) => Effect.Effect<void, unknown>

/** Nothing here is to survive, and filling takes a third of the time. */
export const forgetful = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_wal_size: "8GB" }

/** A host that answers requests, as production has it, with a call for its administrator. */
export const withApiHost = async <A>(
  server: DatabaseServer,
  use: (host: {
    readonly url: string
    readonly pid: number
    readonly admin: ReturnType<typeof administrator>
  }) => Promise<A>
): Promise<A> => {
  const { folder, remove } = temporaryFolder()
  const adminToken = randomBytes(24).toString("hex")
  const host = await startHost(
    folder,
    {
      DATABASE_URL: server.url,
      LOOPBOX_SECRET_KEYS: `bench:${randomBytes(32).toString("base64")}`,
      LOOPBOX_ADMIN_TOKEN: adminToken,
      // On, for it is part of every request, and out of reach.
      LOOPBOX_RATE_LIMIT: "999999"
    },
    ["--role", "api", "--port", "0"]
  )
  try {
    return await use({ url: host.url, pid: host.pid, admin: administrator(host.url, adminToken) })
  } finally {
    await host.stop()
    remove()
  }
}

/** Runs with 1,000,000 items in one workspace, and a host of its own on them. */
export const withManyItems = <A>(use: (items: ManyItems) => Promise<A>, fill: Fill = fillManyItems): Promise<A> =>
  withServer(forgetful, async (server) => {
    await Effect.runPromise(fill(server.target))
    return withApiHost(server, async ({ admin, pid, url }) =>
      use({ server, url, pid, key: await admin.createOwnerKey(busy) })
    )
  })
