import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import * as Schema from "effect/Schema"
import { administrator, customer, request } from "./apiClient.ts"
import { until } from "./hostProcess.ts"
import { listItems, sendReply } from "./inboxClient.ts"
import type { Customer } from "./installationPhoto.ts"

const scope = "inbox_scope=workspace"
const made = Schema.decodeUnknownSync(
  Schema.Struct({ data: Schema.Struct({ id: Schema.String, status: Schema.optionalKey(Schema.String) }) })
)
const page = Schema.decodeUnknownSync(
  Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String, status: Schema.optionalKey(Schema.String) })) })
)

/** One call with a body, of which the answer has to be well. */
export const call = async (url: string, token: string, method: string, path: string, body?: unknown, key?: string) => {
  const answer = await request(`${url}${path}`, {
    method,
    token,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer
}
const idOf = ({ json }: { readonly json: unknown }): string => made(json).data.id

/** Runs a command of the sandbox; gives what it prints as JSON. */
type Sandbox = (...args: ReadonlyArray<string>) => Promise<{ readonly id: string }>

const names = ["instagram", "facebook", "threads", "x"] as const

export const gif = (seed: number) => Uint8Array.from(animatedGif([10, 20, 10 + seed]))

/** A reply until it is known what became of it. */
export const replyTo = (url: string, key: string, item: string, text: string, idempotencyKey: string) =>
  until("the outcome", async () => {
    const answer = await sendReply(url, key, item, text, idempotencyKey)
    return /X_WRITE_OUTCOME_PENDING|X_REMOTE_ACCEPTED_RECONCILING/.test(answer.text) ? undefined : answer
  })

/** Somebody writes to an account; the item that it makes, once it is there. */
export const ask = async (url: string, key: string, sandbox: Sandbox, text: string, ...more: ReadonlyArray<string>) => {
  const { id } = await sandbox("comment", text, ...more)
  return until("the item", async () => (await listItems(url, key)).find(({ external_id }) => external_id === id))
}

const settled = async (url: string, key: string, path: string, open: string): Promise<void> =>
  void (await until(path, async () => {
    const { data } = made((await request(`${url}${path}`, { token: key })).json)
    return data.status === open ? undefined : true
  }))

/** A customer of whom there is something of everything; accounts' ids at the networks end in `digit`. */
const fill = async (url: string, adminToken: string, sandbox: Sandbox, hooks: string, digit: number) => {
  const admin = administrator(url, adminToken)
  const workspace = await admin.createWorkspace("enterprise")
  const base = `/v1/admin/workspaces/${workspace}`
  const key = await admin.createOwnerKey(workspace)
  await call(url, adminToken, "PUT", `${base}/members/second`, { role: "editor" })
  await admin.addManagedUser(workspace, "customer_1")
  await admin.createKey(workspace)
  const post = (path: string, body: unknown, idempotencyKey?: string) =>
    call(url, key, "POST", path, body, idempotencyKey)
  const endpoint = idOf(await post(`/v1/webhook-endpoints?${scope}`, { url: hooks }))
  const accounts: Array<string> = []
  const accountIds: Array<string> = []
  for (const [n, network] of names.entries()) {
    const network_account_id = `1784140530921${n}00${digit}`
    const account = { network, network_account_id, name: `Shop ${digit} on ${network}`, username: `shop${digit}` }
    const body = {
      ...account,
      access_token: `token-${digit}-${n}`,
      ...(n === 1 ? { external_user_id: "customer_1" } : {})
    }
    accounts.push(idOf(await call(url, adminToken, "POST", `${base}/social-accounts`, body)))
    accountIds.push(network_account_id)
  }
  // Otherwise they would come by polls only.
  await sandbox("subscribe")
  const items: Array<string> = []
  for (const [n, network] of names.entries()) {
    for (const text of ["Do you deliver on Sundays?", "Größe? 😀", "Third"]) {
      const to = ["--network", network, "--account", accountIds[n] ?? ""]
      items.push((await ask(url, key, sandbox, text, ...to)).id)
    }
  }
  const [first = "", second = "", third = ""] = items
  const reply = await replyTo(url, key, first, "Yes, until six.", "sundays")
  if (reply.status !== 200) throw new Error(reply.text)
  await post(`/v1/inbox/${second}/read?${scope}`, undefined)
  await post(`/v1/inbox/${third}/thread-state?${scope}`, { thread_status: "assigned", assigned_to: "kim" })
  const threads = page((await request(`${url}/v1/inbox/threads?${scope}`, { token: key })).json).data
  for (const { id } of threads.slice(0, 3)) {
    await call(url, key, "PUT", `/v1/inbox/threads/${id}/labels?${scope}`, { labels: ["Refund", "später"] })
    await post(`/v1/inbox/threads/${id}/notes?${scope}`, { text: "Ask the warehouse first.", author: "kim" })
  }
  for (const name of ["Hours", "Thanks"]) await post(`/v1/inbox/saved-replies?${scope}`, { name, text: `${name}!` })
  const calls = customer(url, key)
  const videos: Array<string> = []
  for (let n = 0; n < 3; n++) {
    const job = await calls.settled((await calls.submit(await calls.upload(gif(n + digit)), `gif-${n}`)).id)
    videos.push(job.output_media_id ?? "")
  }
  const targets = accounts.map((social_account_id) => ({ social_account_id }))
  const published = idOf(await post("/v1/posts", { text: "A cat", media_ids: videos.slice(0, 1), targets }, "our-cat"))
  await settled(url, key, `/v1/posts/${published}`, "publishing")
  // Where a network does not tell a post's link at once, it is asked for it a moment later.
  await until("the links", async () =>
    (await request(`${url}/v1/posts/${published}`, { token: key })).text.includes('"url":null') ? undefined : true
  )
  const in_an_hour = new Date(Date.now() + 3_600_000).toISOString()
  const scheduled = idOf(
    await post("/v1/posts", { text: "Later", scheduled_at: in_an_hour, targets: targets.slice(1, 3) })
  )
  return { workspace, key, accounts, accountIds, items, endpoint, videos, published, scheduled, reply }
}
export type Filled = Customer & Awaited<ReturnType<typeof fill>>

/** Waits until an endpoint has had all that is to be told. */
const told = (url: string, { endpoint, key }: Filled) =>
  until("the deliveries", async () => {
    const path = `/v1/webhook-endpoints/${endpoint}/deliveries?${scope}&status=pending`
    return page((await request(`${url}${path}`, { token: key })).json).data.length === 0 ? true : undefined
  })

/** Two customers with something of everything that a host keeps, nothing of it under way. */
export const fillInstallation = async (url: string, adminToken: string, sandbox: Sandbox, hooks: string) => {
  const customers = [await fill(url, adminToken, sandbox, hooks, 1), await fill(url, adminToken, sandbox, hooks, 2)]
  for (const one of customers) await told(url, one)
  return customers
}
