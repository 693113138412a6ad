import { readFileSync } from "node:fs"
import { join } from "node:path"
import { administrator, customer } from "../examples/http-host/test/support/apiClient.ts"
import { startHost, temporaryFolder } from "../examples/http-host/test/support/hostProcess.ts"

/** Runs with a host of its own, as `npm start` makes it, and a customer whose plan does not stand in the way. */
export const withHost = async <A>(use: (calls: ReturnType<typeof customer>) => Promise<A>): Promise<A> => {
  const { folder, remove } = temporaryFolder()
  const host = await startHost(folder, { LOOPBOX_CONVERSIONS_AT_ONCE: "1" })
  try {
    const token = readFileSync(join(folder, ".loopbox", "admin-token"), "utf8").trim()
    const admin = administrator(host.url, token)
    return await use(customer(host.url, await admin.createKey(await admin.createWorkspace("team"))))
  } finally {
    await host.stop()
    remove()
  }
}
