import { ItemBody } from "@loopbox/adapters-http/api/inbox/ItemBody"
import { pageBody } from "@loopbox/adapters-http/api/DataBody"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { sleep } from "../hostProcess.ts"
import { workspaceScope } from "../inboxStream.ts"
import type { seeded } from "../seeded.ts"
import type { Answer, Caller } from "./caller.ts"
import type { Ledger } from "./ledger.ts"

export type Chance = ReturnType<typeof seeded>

const decodeItems = Schema.decodeUnknownSync(pageBody(ItemBody))
const decodeThreads = Schema.decodeUnknownSync(pageBody(Schema.Struct({ id: Schema.String })))
const decodeId = Schema.decodeUnknownSync(Schema.Struct({ data: Schema.Struct({ id: Schema.String }) }))
const decodeStatus = Schema.decodeUnknownSync(Schema.Struct({ data: Schema.Struct({ status: Schema.String }) }))

export const idOf = ({ json }: Answer): string => decodeId(json).data.id
export const statusOf = ({ json }: Answer): string => decodeStatus(json).data.status

/** A start of a JPEG that says its size. */
const photo = Uint8Array.from([
  ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0],
  ...[0xff, 0xc0, 0, 17, 8, 4, 56, 4, 56, ...Array.from({ length: 12 }, () => 0)]
])

/** Conversions that have not ended, at most. */
const mostJobs = 3

export const one = <A>(list: ReadonlyArray<A>, next: Chance): A | undefined => list[next(Math.max(1, list.length))]

/** An account by its id here. */
export interface ConnectedAccount {
  readonly id: string
  readonly network: string
  /** Whether its network tells of it by webhook. */
  readonly isSubscribed: boolean
}

/** The calls of a customer, each of which keeps what was promised; `name` is in all that they send. */
export const makeLanes = (caller: Caller, ledger: Ledger, accounts: ReadonlyArray<ConnectedAccount>, name: string) => {
  const { insist } = caller
  const listItems = async (query: string) =>
    decodeItems((await insist(`/v1/inbox?${workspaceScope}&limit=20${query}`, { wanted: [200] })).json).data
  const listThreads = async () =>
    decodeThreads((await insist(`/v1/inbox/threads?${workspaceScope}&limit=20`, { wanted: [200] })).json).data

  /** The same call once more at another host, at the same time: both tell of the same. */
  const twice = async (is: boolean, call: () => Promise<string>): Promise<string> => {
    const told = await Promise.all(is ? [call(), call()] : [call()])
    if (new Set(told).size > 1) ledger.doubts.push(`one key, two results: ${told.join(", ")}`)
    return told[0] ?? ""
  }

  let replies = 0
  const reply = async (next: Chance): Promise<void> => {
    const item = one(await listItems("&is_own=false"), next)
    if (item === undefined || !item.capabilities.includes("reply")) return
    // X allows few of them.
    if (item.account.network === "x" && next(4) > 0) return
    replies += 1
    const [key, text] = [`reply-${replies}`, `Answer ${replies} of ${name}.`]
    const operationId = await twice(next(3) === 0, async () => {
      const answer = await insist(`/v1/inbox/${item.id}/reply?${workspaceScope}`, {
        method: "POST",
        body: { text },
        idempotencyKey: key,
        // It may be gone by now; the network may refuse it; what becomes of it may not be known yet.
        wanted: [200, 202, 404, 409, 422],
        again: [429, 502]
      })
      return answer.headers.get("x-operation-id") ?? ""
    })
    if (operationId === "") return
    ledger.replies.push({ key, text, operationId, account: item.social_account_id })
  }

  let posts = 0
  let photoId = ""
  const publish = async (next: Chance): Promise<void> => {
    if (photoId === "")
      photoId = idOf(await insist("/v1/media", { method: "POST", bytes: photo, type: "image/jpeg", wanted: [201] }))
    posts += 1
    const [key, text] = [`post-${posts}`, `Post ${posts} of ${name}.`]
    const files = next(2)
    // A poll reads below the newest 25 posts: more of them would hide those on which people write.
    const heard = accounts.filter(({ isSubscribed }) => isSubscribed)
    // Instagram has no posts of words alone; X allows few.
    const able = heard.filter(({ network }) => (network === "instagram" ? files > 0 : network !== "x" || next(4) === 0))
    const targets = able.slice(next(able.length)).map(({ id }) => ({ social_account_id: id }))
    const body = { text, targets, ...(files > 0 ? { media_ids: [photoId] } : {}) }
    const id = await twice(next(3) === 0, async () =>
      idOf(await insist("/v1/posts", { method: "POST", body, idempotencyKey: key, wanted: [202] }))
    )
    ledger.posts.set(key, { id, files })
  }

  const unended = new Set<string>()
  let jobs = 0
  let files = 0
  const convert = async (next: Chance): Promise<void> => {
    for (const id of unended) {
      const answer = await insist(`/v1/media/gif-conversions/${id}`, { wanted: [200] })
      if (["succeeded", "failed"].includes(statusOf(answer))) unended.delete(id)
    }
    if (unended.size >= mostJobs) return
    if (files < 5 || next(10) === 0) {
      files += 1
      const bytes = Uint8Array.from(animatedGif([10 + (files % 200), 20]))
      const uploaded = idOf(await insist("/v1/media", { method: "POST", bytes, type: "image/gif", wanted: [201] }))
      ledger.files.set(uploaded, createHash("sha256").update(bytes).digest("hex"))
    }
    jobs += 1
    const key = `job-${jobs}`
    const body = { gif_media_id: one([...ledger.files.keys()], next) }
    const id = await twice(next(3) === 0, async () =>
      idOf(await insist("/v1/media/gif-conversions", { method: "POST", body, idempotencyKey: key, wanted: [202] }))
    )
    unended.add(id)
    ledger.jobs.set(key, { id, accepted_ms: performance.now() })
  }

  let notes = 0
  const work = async (next: Chance): Promise<void> => {
    const thread = one(await listThreads(), next)
    if (thread === undefined) return
    const path = (name: string) => `/v1/inbox/threads/${thread.id}/${name}?${workspaceScope}`
    // A thread whose last item is gone is none.
    const change = (name: string, method: "POST" | "PUT", body: unknown, wanted: number) =>
      insist(path(name), { method, body, wanted: [wanted, 404] })
    switch (next(4)) {
      case 0: {
        const labels = ["late", "refund", "thanks"].slice(next(3))
        const { status } = await change("labels", "PUT", { labels }, 200)
        if (status === 200) ledger.labels.set(thread.id, labels)
        return
      }
      case 1: {
        notes += 1
        const text = `Note ${notes} of ${name}.`
        const { status } = await change("notes", "POST", { text }, 201)
        if (status === 201) ledger.notes.set(text, thread.id)
        return
      }
      case 2:
        await change("state", "POST", { thread_status: "assigned", assigned_to: `person ${next(3)}` }, 200)
        return
      default:
        await change("state", "POST", { thread_status: next(2) === 0 ? "resolved" : "open" }, 200)
    }
  }

  const mark = async (next: Chance): Promise<void> => {
    const items = await listItems("&is_own=false")
    const item = one(items, next)
    if (item === undefined) return
    const call = (path: string, wanted: ReadonlyArray<number>) =>
      insist(`${path}?${workspaceScope}`, { method: "POST", wanted })
    const choice = next(20)
    if (choice === 0) await call("/v1/inbox/mark-all-read", [200])
    else if (choice < 4) {
      // Whatever comes of it, it is no longer known to be read.
      ledger.read.delete(item.id)
      await call(`/v1/inbox/${item.id}/unread`, [204, 404])
    } else if (choice < 8) await call(`/v1/inbox/threads/${item.thread_id}/read`, [200, 404])
    else if ((await call(`/v1/inbox/${item.id}/read`, [204, 404])).status === 204) ledger.read.add(item.id)
  }

  const look = async (): Promise<void> => {
    await listItems("")
    await insist(`/v1/inbox/unread-count?${workspaceScope}`, { wanted: [200] })
  }

  return { reply, publish, convert, work, mark, look, hasEnded: (id: string) => !unended.has(id) }
}

/** Does it again and again until it is over, with pauses of about that length. */
export const repeat = async (
  isOver: () => boolean,
  pause_ms: number,
  next: Chance,
  step: (next: Chance) => Promise<unknown>
): Promise<void> => {
  while (!isOver()) {
    await step(next)
    await sleep(pause_ms / 2 + next(pause_ms))
  }
}
