/** A small Mastodon on a socket of this machine: people mention the account, and the account answers. */
import { Effect } from "effect"
import type { Behaviour } from "../loopback.ts"
import { serve } from "../loopback.ts"

export const token = "token of our account"
export const ourId = "100"

const pageSize = 2

export const mastodonServer = Effect.gen(function* () {
  const statuses: Array<Record<string, unknown> & { readonly id: string }> = []
  const mode: { answers: "all" | "nothing" | "losesAnswers" } = { answers: "all" }
  let ids = 1_000
  const write = (author: string, text: string, parent: string | null) => {
    const id = String(ids++)
    const root = statuses.find((one) => one.id === parent)
    const status = {
      id,
      created_at: new Date(Date.UTC(2026, 10, 21, 7, 0, ids - 1_000)).toISOString(),
      text,
      in_reply_to_id: parent,
      conversation_id: typeof root?.["conversation_id"] === "string" ? root["conversation_id"] : id,
      account: { id: author, acct: `${author}@example.social`, display_name: `Person ${author}` }
    }
    statuses.push(status)
    return status
  }
  const isOurs = ({ account }: Record<string, unknown>) => JSON.stringify(account).includes(`"id":"${ourId}"`)

  const behave: Behaviour = ({ body, headers, method, path, query }) => {
    if (mode.answers === "nothing") return "reset"
    if (headers["authorization"] !== `Bearer ${token}`) return { status: 401 }
    if (path === "/mentions") {
      const all = statuses.filter((one) => !isOurs(one)).toReversed()
      const from = all.findIndex((one) => one.id === query.get("after")) + 1
      const page = all.slice(from, from + pageSize)
      return {
        body: { statuses: page, next: from + pageSize < all.length ? (page[page.length - 1]?.id ?? null) : null }
      }
    }
    if (path === "/own") {
      const own = statuses.filter((one) => isOurs(one) && one["in_reply_to_id"] === query.get("in_reply_to_id"))
      return { body: { statuses: own, next: null } }
    }
    if (method === "POST" && path === "/statuses") {
      const asked: Record<string, string> = JSON.parse(body)
      const status = write(ourId, asked["status"] ?? "", asked["in_reply_to_id"] ?? null)
      return mode.answers === "losesAnswers" ? "reset" : { body: status }
    }
    const found = statuses.find((one) => path === `/statuses/${one.id}`)
    return found === undefined ? { status: 404 } : { body: found }
  }
  return { ...(yield* serve(behave)), mode, write }
})
