import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { request } from "./apiClient.ts"

/** A customer of whom everything is looked at. */
export interface Customer {
  readonly workspace: string
  readonly key: string
}

const Page = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.optionalKey(Schema.String) })),
  next_cursor: Schema.optionalKey(Schema.NullOr(Schema.String))
})
const pageOf = Schema.decodeUnknownSync(Page)

/** Links and cursors are signed anew with each answer, polls go on, and the last use of a key is written late. */
const lasting = (text: string): string =>
  text
    .replaceAll(/"(?:download|upload)_url":"[^"]*"/g, '"url":"signed"')
    .replaceAll(/"request_id":"[^"]*"/g, '"request_id":"its own"')
    .replaceAll(/"next_cursor":"[^"]*"/g, '"next_cursor":"signed"')
    .replaceAll(/"(last_used_at|last_poll_at)":(?:null|"[^"]*")/g, '"$1":"late"')

const ask = async (url: string, path: string, token: string) => {
  const answer = await request(`${url}${path}`, { token })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer
}

/** What an address answers, without what is different each time. */
export const readLasting = async (url: string, path: string, token: string): Promise<string> =>
  lasting((await ask(url, path, token)).text)

const scope = "inbox_scope=workspace"

/** All that the API tells of these customers, by path, byte for byte; files by their SHA-256. */
export const photograph = async (url: string, adminToken: string, customers: ReadonlyArray<Customer>) => {
  const answers = new Map<string, string>()
  const owners = new Map(customers.map(({ key, workspace }) => [key, workspace]))
  const named = (path: string, token: string): string => `${owners.get(token) ?? "operator"}: ${path}`
  /** Addresses with a cursor, each with the answer that it gave and the key that it wants. */
  const cursors: Array<{ readonly name: string; readonly path: string; readonly token: string }> = []
  /** Every page of a list; answers the ids of all. */
  const list = async (path: string, token: string): Promise<ReadonlyArray<string>> => {
    const ids: Array<string> = []
    const first = `${path}${path.includes("?") ? "&" : "?"}limit=7`
    for (let at = first; ;) {
      const name = named(`${path} after ${ids.length}`, token)
      if (at !== first) cursors.push({ name, path: at, token })
      const { json, text } = await ask(url, at, token)
      answers.set(name, lasting(text))
      const { data, next_cursor: next = null } = pageOf(json)
      ids.push(...data.flatMap(({ id }) => (id === undefined ? [] : [id])))
      if (next === null) return ids
      at = `${first}&cursor=${encodeURIComponent(next)}`
    }
  }
  const whole = async (path: string, token: string) => {
    answers.set(named(path, token), lasting((await ask(url, path, token)).text))
  }
  await list("/v1/admin/workspaces", adminToken)
  for (const { key, workspace } of customers) {
    const admin = `/v1/admin/workspaces/${workspace}`
    await whole(admin, adminToken)
    for (const name of ["members", "api-keys", "managed-users", "social-accounts"]) {
      await list(`${admin}/${name}`, adminToken)
    }
    await list("/v1/accounts", key)
    const items = await list(`/v1/inbox?${scope}`, key)
    for (const id of items) await whole(`/v1/inbox/${id}?${scope}`, key)
    await whole(`/v1/inbox/unread-count?${scope}`, key)
    const threads = await list(`/v1/inbox/threads?${scope}`, key)
    for (const id of threads) {
      await whole(`/v1/inbox/threads/${id}?${scope}`, key)
      await list(`/v1/inbox/threads/${id}/items?${scope}`, key)
      await list(`/v1/inbox/threads/${id}/notes?${scope}`, key)
    }
    await whole(`/v1/inbox/labels?${scope}`, key)
    await list(`/v1/inbox/saved-replies?${scope}`, key)
    for (const id of await list("/v1/posts", key)) await whole(`/v1/posts/${id}`, key)
    for (const id of await list("/v1/media/gif-conversions", key)) await whole(`/v1/media/gif-conversions/${id}`, key)
    await list("/v1/media/audio-overlays", key)
    for (const id of await list("/v1/media", key)) {
      await whole(`/v1/media/${id}`, key)
      const file = await fetch(`${url}/v1/media/${id}/content`, { headers: { authorization: `Bearer ${key}` } })
      const bytes = new Uint8Array(await file.arrayBuffer())
      answers.set(`content of ${id}`, `${file.status} ${createHash("sha256").update(bytes).digest("hex")}`)
    }
    for (const id of await list(`/v1/webhook-endpoints?${scope}`, key)) {
      await whole(`/v1/webhook-endpoints/${id}?${scope}`, key)
      await list(`/v1/webhook-endpoints/${id}/deliveries?${scope}`, key)
    }
    await list("/v1/audit-events", key)
    await whole("/v1/usage", key)
  }
  return { answers, cursors }
}
export type Photo = Awaited<ReturnType<typeof photograph>>
