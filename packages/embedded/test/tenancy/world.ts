import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { samples } from "@loopbox/testing/fixtures/mediaSamples"
import { createServer } from "node:http"
import { createLoopbox, type Loopbox } from "../../src/createLoopbox.ts"
import type { LoopboxOptions } from "../../src/presets/LoopboxOptions.ts"
import { makeAsk, type Answer, type Ask, type Wire } from "./wire.ts"

export const adminToken = "an-admin-token-of-more-than-32-characters"

/** Two users of each tenant's customers; both tenants have the same two. */
export const users = ["ann", "bob"] as const
export type User = (typeof users)[number]

/** What a tenant has of each kind of thing that an operation can name, for one managed user. */
export type Things = Readonly<Record<Kind, string>>
export type Kind = (typeof kinds)[number]
/** By the last fixed part of the path before the id. */
export const kinds = [
  "inbox",
  "sync",
  "outbound-operations",
  "x-outbound-operations",
  "saved-replies",
  "threads",
  "notes",
  "sessions",
  "accounts",
  "posts",
  "targets",
  "gif-conversions",
  "audio-overlays",
  "media",
  "webhook-endpoints",
  "deliveries"
] as const

export interface Tenant {
  /** Stands in every text and name of the tenant, and nowhere else. */
  readonly marker: string
  readonly workspace: string
  /** A key that may use workspace scope. */
  readonly key: string
  readonly things: Readonly<Record<User, Things>>
}

const must = (answer: Answer, what: string): Wire => {
  if (answer.status >= 300) throw new Error(`${what}: ${answer.status} ${answer.text}`)
  return answer.body["data"] ?? {}
}

const makeThings = async (ask: Ask, loopbox: Loopbox, tenant: Omit<Tenant, "things">, user: User): Promise<Things> => {
  const { key, marker, workspace } = tenant
  const scope = { inbox_scope: "workspace" }
  const send = async (method: string, path: string, body?: unknown, headers = {}) =>
    must(await ask({ method, path, query: scope, token: key, body, headers }), `${method} ${path}`)
  const id = (answer: Wire) => String(answer["id"])
  const page = `page-${marker}-${user}`
  const account = id(
    must(
      await ask({
        method: "POST",
        path: `/v1/admin/workspaces/${workspace}/social-accounts`,
        token: adminToken,
        body: {
          network: "facebook",
          network_account_id: page,
          name: `${marker} ${user}`,
          external_user_id: user,
          access_token: `token-${marker}-${user}`,
          check: false
        }
      }),
      "connect"
    )
  )
  const externalId = `comment-${marker}-${user}`
  await loopbox.inbox.ingest([
    {
      type: "posted",
      source: "fb_comment",
      networkAccountId: page,
      externalId,
      threadKey: `post-${marker}-${user}`,
      linkedPostId: `post-${marker}-${user}`,
      authorId: `person-${marker}`,
      authorName: `Person ${marker}`,
      body: `Comment ${marker} ${user}`,
      receivedAt: new Date()
    }
  ])
  const listed = must(
    await ask({ method: "GET", path: "/v1/inbox", query: { ...scope, social_account_id: account }, token: key }),
    "list"
  )
  const item = Object.values(listed)[0] ?? {}
  const thread = String(item["thread_id"])
  await send("PUT", `/v1/inbox/threads/${thread}/labels`, { labels: [`label ${marker} ${user}`] })
  const note = await send("POST", `/v1/inbox/threads/${thread}/notes`, { text: `Note ${marker} ${user}` })
  const saved = await send("POST", "/v1/inbox/saved-replies", { name: `${marker} ${user}`, text: `Saved ${marker}` })
  const synced = must(
    await ask({
      method: "POST",
      path: "/v1/inbox/sync",
      query: { inbox_scope: "managed_user", external_user_id: user },
      token: key,
      body: {}
    }),
    "sync"
  )
  const replied = await ask({
    method: "POST",
    path: `/v1/inbox/${id(item)}/reply`,
    query: scope,
    token: key,
    body: { text: `Reply ${marker} ${user}` }
  })
  const operation = String(replied.headers.get("x-operation-id"))
  const gif = id(
    await send("POST", "/v1/media", new Uint8Array(animatedGif([10, 20])), { "content-type": "image/gif" })
  )
  const upload = (type: "video/mp4" | "audio/mpeg") =>
    send("POST", "/v1/media", Object.values(samples[type])[0], { "content-type": type })
  const conversion = await send("POST", "/v1/media/gif-conversions", { gif_media_id: gif })
  const video = id(await upload("video/mp4"))
  const audio = id(await upload("audio/mpeg"))
  const overlay = await send("POST", "/v1/media/audio-overlays", { video_media_id: video, audio_media_id: audio })
  const post = await send("POST", "/v1/posts", {
    status: "draft",
    text: `Post ${marker} ${user}`,
    targets: [{ social_account_id: account }]
  })
  const endpoint = await send("POST", "/v1/webhook-endpoints", {
    url: `https://93.184.215.14/${marker}/${user}`,
    events: ["inbox.*"]
  })
  const tested = await send("POST", `/v1/webhook-endpoints/${id(endpoint)}/test`, { type: "inbox.new_item" })
  const session = await send("POST", "/v1/connect/sessions", { network: "facebook", external_user_id: user })
  return {
    inbox: id(item),
    sync: String(synced["sync_id"] ?? synced["id"]),
    "outbound-operations": operation,
    "x-outbound-operations": operation,
    "saved-replies": id(saved),
    threads: thread,
    notes: id(note),
    sessions: id(session),
    accounts: account,
    posts: id(post),
    targets: String(post["targets"]?.["0"]?.["id"]),
    "gif-conversions": id(conversion),
    "audio-overlays": id(overlay),
    media: gif,
    "webhook-endpoints": id(endpoint),
    deliveries: String(tested["delivery_id"] ?? tested["id"])
  }
}

const makeTenant = async (ask: Ask, loopbox: Loopbox, marker: string): Promise<Tenant> => {
  const { id: workspace } = await loopbox.workspaces.create({ name: marker, plan: "enterprise" })
  await loopbox.members.set(workspace, `owner-${marker}`, "owner")
  const issued = await loopbox.keys.create({ workspaceId: workspace, name: marker, creatorUserId: `owner-${marker}` })
  const tenant = { marker, workspace, key: issued.text }
  for (const user of users) await loopbox.accounts.addManagedUser(workspace, user)
  return {
    ...tenant,
    things: {
      ann: await makeThings(ask, loopbox, tenant, "ann"),
      bob: await makeThings(ask, loopbox, tenant, "bob")
    }
  }
}

/** Until the worker has found that no network knows the accounts' tokens: from then on nothing changes by itself. */
const settle = async (ask: Ask, { key }: Tenant): Promise<void> => {
  for (;;) {
    const { body } = await ask({ method: "GET", path: "/v1/accounts", query: { inbox_scope: "workspace" }, token: key })
    const accounts = Object.values({ ...body["data"] })
    if (accounts.every((account) => String(account["status"]) === "reauth_required")) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Two tenants of one installation, each with everything that the API can name, twice. */
export const makeWorld = async (place: Pick<LoopboxOptions, "databaseUrl" | "secretKeys" | "blobs"> = {}) => {
  const tokens = new Map<string, { userId: string; workspaceId?: string; externalUserId?: string }>()
  const loopbox = await createLoopbox({
    ...place,
    networks: "sandbox",
    api: { adminToken, rateLimit: "off" },
    ffmpeg: false,
    identity: async ({ token }) => tokens.get(token) ?? null
  })
  const server = createServer(loopbox.node())
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  const ask = makeAsk(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`)
  const victim = await makeTenant(ask, loopbox, "quokka")
  const attacker = await makeTenant(ask, loopbox, "badger")
  await settle(ask, victim)
  const tokenFor = (name: string, identity: { userId: string; workspaceId?: string; externalUserId?: string }) => {
    const token = `${name}.is.signed`
    tokens.set(token, identity)
    return token
  }
  return {
    ask,
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    victim,
    attacker,
    tokenFor,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await loopbox[Symbol.asyncDispose]()
    }
  }
}

export type World = Awaited<ReturnType<typeof makeWorld>>
