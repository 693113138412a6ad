import { pageBody } from "@loopbox/adapters-http/api/DataBody"
import { ItemBody } from "@loopbox/adapters-http/api/inbox/ItemBody"
import { JobBody } from "@loopbox/adapters-http/api/media/JobBody"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { request } from "../apiClient.ts"
import { until } from "../hostProcess.ts"
import { workspaceScope } from "../inboxStream.ts"
import type { Hosts } from "./hosts.ts"
import type { Tenant } from "./tenant.ts"

const dataOf = <S extends Schema.ConstraintDecoder<unknown>>(data: S) =>
  Schema.decodeUnknownSync(Schema.Struct({ data }))
const jobOf = dataOf(JobBody)
const Failure = Schema.NullOr(Schema.Struct({ code: Schema.String }))
const Target = Schema.Struct({ social_account_id: Schema.String, status: Schema.String, error: Failure })
const Post = Schema.Struct({ text: Schema.String, status: Schema.String, targets: Schema.Array(Target) })
const postOf = dataOf(Post)
const operationOf = dataOf(Schema.Struct({ status: Schema.String, error: Failure }))
const countOf = dataOf(Schema.Struct({ count: Schema.Int }))
const deliveriesOf = Schema.decodeUnknownSync(pageBody(Schema.Struct({ id: Schema.String })))
const itemsOf = Schema.decodeUnknownSync(pageBody(ItemBody))
const threadsOf = Schema.decodeUnknownSync(
  pageBody(
    Schema.Struct({
      id: Schema.String,
      item_count: Schema.Int,
      unread_count: Schema.Int,
      labels: Schema.Array(Schema.String)
    })
  )
)
const notesOf = Schema.decodeUnknownSync(pageBody(Schema.Struct({ text: Schema.String })))

const syncOf = dataOf(Schema.Struct({ id: Schema.String, status: Schema.String, errors: Schema.Array(Schema.Unknown) }))

/** Moves the time of all hosts; where nobody knows whether it was, it is moved once more, which is no matter. */
export const advance = (hosts: Hosts, by: string) =>
  until("another time", async () => {
    const answer = await request(`${hosts.api[0].url}/v1/admin/test/clock`, {
      method: "POST",
      token: hosts.adminToken,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ advance: by })
    })
    if (answer.status !== 200 && answer.status !== 503) throw new Error(answer.text)
    return answer.status === 200 ? true : undefined
  })

/** What a customer can ask once all is quiet; each answer is expected at once. */
export const makeEndings = ({ caller, endpoints, ledger }: Tenant, hosts: Hosts) => {
  const get = async (path: string) => (await caller.insist(path, { wanted: [200] })).json
  /** All pages of a list. */
  const all = async <A>(
    path: string,
    decode: (json: unknown) => { readonly data: ReadonlyArray<A>; readonly next_cursor: string | null }
  ): Promise<ReadonlyArray<A>> => {
    const found: Array<A> = []
    for (let cursor = ""; ;) {
      const { data, next_cursor } = decode(await get(`${path}${cursor}`))
      found.push(...data)
      if (next_cursor === null) return found
      cursor = `&cursor=${encodeURIComponent(next_cursor)}`
    }
  }
  const jobs = async () => {
    const found: Array<typeof JobBody.Type & { readonly accepted_ms: number }> = []
    for (const { accepted_ms, id } of ledger.jobs.values()) {
      found.push({ ...jobOf(await get(`/v1/media/gif-conversions/${id}`)).data, accepted_ms })
    }
    return found
  }
  const posts = async () => {
    const found: Array<typeof Post.Type & { readonly files: number }> = []
    for (const { files, id } of ledger.posts.values()) {
      found.push({ ...postOf(await get(`/v1/posts/${id}`)).data, files })
    }
    return found
  }
  const operations = async () => {
    const found = new Map<string, { readonly status: string; readonly why: string | null }>()
    for (const { operationId } of ledger.replies) {
      if (operationId === "") continue
      const path = `/v1/inbox/outbound-operations/${operationId}?${workspaceScope}`
      const { error, status } = operationOf(await get(path)).data
      found.set(operationId, { status, why: error?.code ?? null })
    }
    return found
  }
  const pending = async () => {
    const lists = await Promise.all(
      endpoints.map(async ({ id, name }) => {
        const path = `/v1/webhook-endpoints/${id}/deliveries?${workspaceScope}&status=pending&limit=1`
        return deliveriesOf(await get(path)).data.length > 0 ? [name] : []
      })
    )
    return lists.flat()
  }
  /** Asks the networks for all accounts; whether each of them answered. */
  const poll = async (): Promise<boolean> => {
    const path = `/v1/inbox/sync`
    const begun = syncOf((await caller.insist(`${path}?${workspaceScope}`, { method: "POST", wanted: [200] })).json)
    const ended = await until("the end of a sync", async () => {
      const { data } = syncOf(await get(`${path}/${begun.data.id}?${workspaceScope}`))
      return data.status === "completed" ? data : undefined
    })
    return ended.errors.length === 0
  }
  return {
    jobs,
    posts,
    operations,
    /** Receivers to which deliveries have not ended. */
    pending,
    items: (scope: string) => all(`/v1/inbox?${scope}&limit=500`, itemsOf),
    unread: async (scope: string) => countOf(await get(`/v1/inbox/unread-count?${scope}`)).data.count,
    threads: (scope: string) => all(`/v1/inbox/threads?${scope}&limit=100`, threadsOf),
    notes: (thread: string) => all(`/v1/inbox/threads/${thread}/notes?${workspaceScope}&limit=100`, notesOf),
    /** SHA-256 of a file as it is given back. */
    hashOf: (id: string) =>
      until("the bytes of a file", async () => {
        const response = await fetch(`${hosts.api[0].url}/v1/media/${id}/content`, {
          headers: { authorization: `Bearer ${caller.key}` }
        })
        const bytes = new Uint8Array(await response.arrayBuffer())
        return response.status === 503 ? undefined : createHash("sha256").update(bytes).digest("hex")
      }),
    /** All jobs have ended, whatever became of them. */
    untilJobsEnded: () =>
      until("the end of all jobs", async () =>
        (await jobs()).every(({ status }) => status === "succeeded" || status === "failed") ? true : undefined
      ),
    poll
  }
}

export type Endings = ReturnType<typeof makeEndings>
