import { Redacted } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { administrator, request } from "../apiClient.ts"
import { temporaryFolder } from "../hostProcess.ts"
import { lastNumber, userScope, workspaceScope } from "../inboxStream.ts"
import { serverFolder } from "../ownServer.ts"
import { seeded } from "../seeded.ts"
import { makeCaller } from "./caller.ts"
import { type CloseLater, startDatabase } from "./database.ts"
import { makeFollower } from "./follower.ts"
import { type Hosts, type Member, startHosts } from "./hosts.ts"
import { idOf, makeLanes, one } from "./lanes.ts"
import { makeLedger } from "./ledger.ts"
import { accounts, startNetworks } from "./networks.ts"
import { makePeople } from "./people.ts"
import { startReceivers } from "./receivers.ts"

/** The managed user who owns the account at Facebook. */
export const owner = "customer 1"

/** Which events go to which receiver; those that take none of them by name take all. */
const endpoints: ReadonlyArray<{
  readonly name: string
  readonly events?: ReadonlyArray<string>
  readonly is_ordered?: boolean
}> = [
  { name: "well" },
  { name: "ordered", events: ["inbox.new_item", "inbox.item_updated"], is_ordered: true },
  { name: "slow", events: ["inbox.note_added"] },
  { name: "twice", events: ["post.published"] },
  { name: "dead", events: ["post.published"] }
]

const connectAll = async (hosts: Hosts) => {
  const [{ url }] = hosts.api
  const admin = administrator(url, hosts.adminToken)
  const limits = { active_jobs: 100, gif_conversions_per_24h: 10_000 }
  const workspace = await admin.createWorkspace("enterprise", limits)
  const key = await admin.createOwnerKey(workspace)
  await admin.addManagedUser(workspace, encodeURIComponent(owner))
  const ids = new Map<string, string>()
  for (const { accessToken, accountId, name, network, username } of accounts) {
    const answer = await request(`${url}/v1/admin/workspaces/${workspace}/social-accounts`, {
      method: "POST",
      token: hosts.adminToken,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        network,
        network_account_id: accountId,
        name,
        username,
        access_token: Redacted.value(accessToken),
        ...(network === "facebook" ? { external_user_id: owner } : {})
      })
    })
    if (answer.status !== 201) throw new Error(`${network}: ${answer.status} ${answer.text}`)
    ids.set(network, idOf(answer))
  }
  return { workspace, key, ids }
}

/** Tells the product of the receivers; gives the ids of their endpoints. */
const subscribeAll = async (hosts: Hosts, key: string, receivers: Awaited<ReturnType<typeof startReceivers>>) => {
  const ids = new Map<string, string>()
  for (const { name, ...more } of endpoints) {
    const answer = await request(`${hosts.api[0].url}/v1/webhook-endpoints?${workspaceScope}`, {
      method: "POST",
      token: key,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: receivers.urlOf(name), ...more })
    })
    if (answer.status !== 201) throw new Error(`${name}: ${answer.status} ${answer.text}`)
    receivers.know(name, String(Reflect.get(Object(Reflect.get(Object(answer.json), "data")), "secret")))
    ids.set(name, idOf(answer))
  }
  return ids
}

/** Two hosts, two workers, a pooler, a primary and its standby, four networks, receivers, and clients with open sockets. */
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
  const { api } = hosts
  members.push(...api)
  const receivers = await startReceivers()
  closeLater(receivers.stop)
  const { ids, key, workspace } = await connectAll(hosts)
  const endpointIds = await subscribeAll(hosts, key, receivers)
  const after = await lastNumber(api[0].url, key)
  const caller = makeCaller(api, key)
  const ledger = makeLedger()
  const next = seeded(seed)
  let turn = 0
  const inTurn = () => {
    turn += 1
    return api[turn % api.length]
  }
  const followers = [
    makeFollower("socket at one", () => api[0], key, workspaceScope, after),
    makeFollower("socket at the other", () => api[1], key, workspaceScope, after),
    makeFollower("socket in turn", inTurn, key, workspaceScope, after),
    makeFollower("socket at either", () => one(api, next), key, workspaceScope, after),
    makeFollower("socket of a user", inTurn, key, userScope(owner), after)
  ]
  return {
    database,
    networks,
    hosts,
    receivers,
    endpoints: endpoints.map((endpoint) => ({ ...endpoint, id: endpointIds.get(endpoint.name) ?? "" })),
    workspace,
    key,
    accountIds: ids,
    after,
    caller,
    ledger,
    followers,
    people: makePeople(networks),
    lanes: makeLanes(caller, ledger, ids)
  }
}

export type System = Awaited<ReturnType<typeof startSystem>>
