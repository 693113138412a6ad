import { rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../hostProcess.ts"
import { serverFolder } from "../ownServer.ts"
import { type CloseLater, startDatabase } from "./database.ts"
import { type Member, startHosts } from "./hosts.ts"
import { startNetworks } from "./networks.ts"
import { makePeople } from "./people.ts"
import { startReceivers } from "./receivers.ts"
import { planOfOne, planOfOther, startTenant } from "./tenant.ts"

/** Two hosts, two workers, a pooler, a primary and its standby, four networks, and two customers who know nothing of each other. */
export const startSystem = async (seed: number, closeLater: CloseLater) => {
  const places = temporaryFolder()
  closeLater(places.remove)
  const work = serverFolder(join("/tmp", `loopbox-soak-${process.pid}`))
  closeLater(() => rmSync(work, { recursive: true, force: true }))
  const database = await startDatabase(work, closeLater)
  const members: Array<Member> = []
  const networks = await startNetworks(seed, () => members.filter((one) => one.isUp()).map(({ url }) => url))
  closeLater(networks.stop)
  const hosts = await startHosts(places.folder, work, database, networks, closeLater)
  members.push(...hosts.api)
  const receivers = await startReceivers()
  closeLater(receivers.stop)
  const one = await startTenant(planOfOne, hosts, receivers, seed)
  const other = await startTenant(planOfOther, hosts, receivers, seed + 1)
  return { database, networks, hosts, receivers, one, other, tenants: [one, other], people: makePeople(networks) }
}

export type System = Awaited<ReturnType<typeof startSystem>>
