import { Redacted } from "effect"
import { administrator, request } from "../apiClient.ts"
import { lastNumber, userScope, workspaceScope } from "../inboxStream.ts"
import { seeded } from "../seeded.ts"
import { makeCaller } from "./caller.ts"
import { makeFollower } from "./follower.ts"
import type { Hosts } from "./hosts.ts"
import { type ConnectedAccount, idOf, makeLanes, one } from "./lanes.ts"
import { makeLedger } from "./ledger.ts"
import { type Account, accountsOfOne, accountsOfOther } from "./networks.ts"
import type { Receivers } from "./receivers.ts"

/** The managed user of the first customer who owns an account. */
export const owner = "customer 1"

interface Plan {
  readonly name: string
  readonly accounts: ReadonlyArray<Account>
  /** The account of the managed user. */
  readonly owned: Account | undefined
  /** Which events go to which receiver; those that take none of them by name take all. */
  readonly endpoints: ReadonlyArray<{
    readonly name: string
    readonly events?: ReadonlyArray<string>
    readonly is_ordered?: boolean
  }>
}

export const planOfOne: Plan = {
  name: "one",
  accounts: accountsOfOne,
  owned: accountsOfOne.find(({ network }) => network === "facebook"),
  endpoints: [
    { name: "well" },
    { name: "ordered", events: ["inbox.new_item", "inbox.item_updated"], is_ordered: true },
    { name: "slow", events: ["inbox.note_added"] },
    { name: "twice", events: ["post.published"] },
    { name: "dead", events: ["post.published"] }
  ]
}

export const planOfOther: Plan = {
  name: "other",
  accounts: accountsOfOther,
  owned: undefined,
  endpoints: [{ name: "another's" }]
}

const connectAll = async (hosts: Hosts, { accounts, name, owned }: Plan) => {
  const [{ url }] = hosts.api
  const admin = administrator(url, hosts.adminToken)
  const limits = { active_jobs: 100, gif_conversions_per_24h: 10_000 }
  const workspace = await admin.createWorkspace("enterprise", limits)
  const key = await admin.createOwnerKey(workspace)
  if (owned !== undefined) await admin.addManagedUser(workspace, encodeURIComponent(owner))
  const connected: Array<ConnectedAccount & Account> = []
  for (const account of accounts) {
    const answer = await request(`${url}/v1/admin/workspaces/${workspace}/social-accounts`, {
      method: "POST",
      token: hosts.adminToken,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        network: account.network,
        network_account_id: account.accountId,
        name: account.name,
        username: account.username,
        access_token: Redacted.value(account.accessToken),
        ...(account === owned ? { external_user_id: owner } : {})
      })
    })
    if (answer.status !== 201) throw new Error(`${name}, ${account.network}: ${answer.status} ${answer.text}`)
    connected.push({ ...account, id: idOf(answer) })
  }
  return { workspace, key, connected }
}

/** Tells the product of the receivers; gives the ids of their endpoints. */
const subscribeAll = async (hosts: Hosts, plan: Plan, key: string, workspace: string, receivers: Receivers) => {
  const endpoints: Array<Plan["endpoints"][number] & { readonly id: string }> = []
  for (const endpoint of plan.endpoints) {
    const { name, ...more } = endpoint
    const answer = await request(`${hosts.api[0].url}/v1/webhook-endpoints?${workspaceScope}`, {
      method: "POST",
      token: key,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: receivers.urlOf(name), ...more })
    })
    if (answer.status !== 201) throw new Error(`${name}: ${answer.status} ${answer.text}`)
    const secret = String(Reflect.get(Object(Reflect.get(Object(answer.json), "data")), "secret"))
    receivers.know(name, secret, workspace)
    endpoints.push({ ...endpoint, id: idOf(answer) })
  }
  return endpoints
}

/** A customer with a workspace, accounts, receivers, clients with open sockets, and what they were promised. */
export const startTenant = async (plan: Plan, hosts: Hosts, receivers: Receivers, seed: number) => {
  const { api } = hosts
  const { connected, key, workspace } = await connectAll(hosts, plan)
  const endpoints = await subscribeAll(hosts, plan, key, workspace, receivers)
  const after = await lastNumber(api[0].url, key)
  const caller = makeCaller(api, key)
  const ledger = makeLedger()
  const next = seeded(seed)
  let turn = 0
  const inTurn = () => {
    turn += 1
    return api[turn % api.length]
  }
  const follower = (name: string, find: Parameters<typeof makeFollower>[1], scope = workspaceScope) =>
    makeFollower(`${plan.name}'s ${name}`, find, key, scope, after)
  return {
    name: plan.name,
    workspace,
    key,
    accounts: connected,
    /** The account of the managed user, by its id here. */
    ownedId: connected.find(({ accountId }) => accountId === plan.owned?.accountId)?.id,
    endpoints,
    after,
    caller,
    ledger,
    followers: [
      follower("socket at one", () => api[0]),
      follower("socket at the other", () => api[1]),
      follower("socket in turn", inTurn),
      follower("socket at either", () => one(api, next)),
      ...(plan.owned === undefined ? [] : [follower("socket of a user", inTurn, userScope(owner))])
    ],
    lanes: makeLanes(caller, ledger, connected, plan.name)
  }
}

export type Tenant = Awaited<ReturnType<typeof startTenant>>
