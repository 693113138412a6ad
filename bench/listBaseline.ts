/** The list's baseline, a process of its own: `node:http` and `pg`, written as one writes it for this request alone. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { Pool, type QueryResultRow } from "pg"
import { threadIdOf } from "@loopbox/core/items/threading/InboxThread"
import type { SocialAccountId } from "@loopbox/core/kernel/Ids"
import type { Source } from "@loopbox/core/networks/Source"
import { findKey } from "./findKey.ts"
import { type JsonAnswer, serveJson } from "./serveJson.ts"
import type { List, ListStatements, SqlText } from "./listStatements.ts"

export interface BaselineConfig {
  readonly list: List
  readonly databaseUrl: string
  readonly connections: number
  readonly statements: ListStatements
}

const secret = "a secret that signs cursors"

interface ItemRow extends QueryResultRow {
  readonly id: string
  readonly workspace_id: string
  readonly external_user_id: string | null
  readonly source: Source
  readonly account_id: SocialAccountId
  readonly network: string
  readonly account_name: string
  readonly avatar_url: string | null
  readonly external_id: string
  readonly parent_external_id: string | null
  readonly linked_post_id: string | null
  readonly thread_key: string
  readonly thread_status: string
  readonly assignee: string
  readonly author_id: string | null
  readonly author_name: string | null
  readonly author_avatar_url: string | null
  readonly body: string
  readonly attachments: unknown
  readonly url: string | null
  readonly is_read: boolean
  readonly is_own: boolean
  readonly is_hidden: boolean
  readonly is_liked: boolean | null
  readonly post_id: string | null
  readonly received_at: Date
  readonly created_at: Date
  readonly edited_at: Date | null
}

const toItem = (row: ItemRow) => ({
  id: row.id,
  workspace_id: row.workspace_id,
  external_user_id: row.external_user_id,
  source: row.source,
  social_account_id: row.account_id,
  account: { id: row.account_id, network: row.network, name: row.account_name, avatar_url: row.avatar_url },
  external_id: row.external_id,
  parent_external_id: row.parent_external_id,
  linked_post_id: row.linked_post_id,
  thread_id: threadIdOf({ accountId: row.account_id, source: row.source, threadKey: row.thread_key }),
  thread_key: row.thread_key,
  thread_status: row.thread_status,
  assigned_to: row.assignee === "" ? null : row.assignee,
  author_id: row.author_id,
  author_name: row.author_name ?? (row.is_own ? row.account_name : "Unknown"),
  author_avatar_url: row.author_avatar_url ?? (row.is_own ? row.avatar_url : null),
  body: row.body,
  attachments: row.attachments,
  url: row.url,
  is_read: row.is_read,
  is_own: row.is_own,
  is_hidden: row.is_hidden,
  is_liked: row.is_liked === true,
  private_replied_at: null,
  // Not judged here, but as long as what the host finds.
  capabilities: ["reply", "hide", "delete"],
  reply_window: null,
  post_id: row.post_id,
  received_at: row.received_at.toISOString(),
  created_at: row.created_at.toISOString(),
  edited_at: row.edited_at?.toISOString() ?? null
})

/** A thread with its last item. */
interface ThreadRow extends ItemRow {
  readonly is_match: boolean
  readonly snoozed_until: Date | null
  readonly labels: ReadonlyArray<string>
  readonly item_count: number
  readonly unread_count: number
  readonly newest_inbound_at: Date | null
  readonly thread_created_at: Date
  readonly people: ReadonlyArray<{
    readonly authorId: string | null
    readonly authorName: string | null
    readonly authorAvatarUrl: string | null
  }>
}

const toThread = (row: ThreadRow) => {
  const last = toItem(row)
  return {
    id: last.thread_id,
    thread_key: row.thread_key,
    source: row.source,
    social_account_id: row.account_id,
    account: last.account,
    external_user_id: row.external_user_id,
    thread_status: row.thread_status,
    assigned_to: last.assigned_to,
    snoozed_until: row.snoozed_until?.toISOString() ?? null,
    labels: row.labels,
    unread_count: row.unread_count,
    item_count: row.item_count,
    last_item: last,
    last_item_at: last.received_at,
    last_inbound_at: row.newest_inbound_at?.toISOString() ?? null,
    reply_window: null,
    participants: row.people
      .filter(({ authorName }) => authorName !== null)
      .slice(0, 5)
      .map(({ authorAvatarUrl, authorId, authorName }) => ({
        author_id: authorId,
        author_name: authorName,
        author_avatar_url: authorAvatarUrl
      })),
    post_id: row.post_id,
    linked_post_id: row.linked_post_id,
    created_at: row.thread_created_at.toISOString()
  }
}

const serve = ({ connections, databaseUrl, list: path, statements }: BaselineConfig) => {
  const pool = new Pool({ connectionString: databaseUrl, max: connections })
  const query = async <Row extends QueryResultRow>(name: string, { text, values }: SqlText) => {
    const { rows } = await pool.query<Row>({ name, text, values: [...values] })
    return rows
  }
  let requests = 0

  const isKnown = async (authorization: string | undefined): Promise<boolean> => {
    if (authorization === undefined || !authorization.startsWith("Bearer lbx_")) return false
    const key = await findKey(query, statements.key)
    if (key === undefined) return false
    const hash = createHash("sha256").update(authorization.slice("Bearer ".length)).digest("hex")
    if (!timingSafeEqual(Buffer.from(hash), Buffer.from(key.secret_hash))) return false
    if (key.expires_at !== null && key.expires_at.getTime() <= Date.now()) return false
    return (key.creator_user_id === null || key.creator_role !== null) && key.plan !== "free"
  }

  /** The statement of a page, or the transaction of a search, whose last rows are the whole page or what follows on it. */
  const pageOf = async (): Promise<ReadonlyArray<ThreadRow>> => {
    const [only, ...more] = statements.page
    if (only !== undefined && more.length === 0) return query<ThreadRow>("page", only)
    const client = await pool.connect()
    const found = new Map<string, ThreadRow>()
    try {
      await client.query("BEGIN")
      for (const [n, { text, values }] of statements.page.entries()) {
        const { rows } = await client.query<ThreadRow>({ name: `page ${n}`, text, values: [...values] })
        for (const row of rows) if (row.is_match) found.set(row.id, row)
      }
      await client.query("COMMIT")
    } finally {
      client.release()
    }
    return [...found.values()].sort(
      (a, b) => b.received_at.getTime() - a.received_at.getTime() || (a.id < b.id ? 1 : -1)
    )
  }

  const list = async (request: IncomingMessage, limit: number): Promise<readonly [number, object]> => {
    if (!(await isKnown(request.headers.authorization))) return [401, { error: { code: "UNAUTHORIZED" } }]
    const [user] = await query("user", statements.user)
    if (user === undefined) return [404, { error: { code: "MANAGED_USER_NOT_FOUND" } }]
    // Of items, what an item has is there.
    const rows = await pageOf()
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    const position = last === undefined ? "" : `${last.received_at.getTime()}.${last.id}`
    const tag = createHmac("sha256", secret).update(position).digest().subarray(0, 16).toString("base64url")
    const next_cursor = last === undefined ? null : Buffer.from(`${tag}.${position}`).toString("base64url")
    return [
      200,
      {
        data: path === "/v1/inbox" ? page.map(toItem) : page.map(toThread),
        next_cursor,
        request_id: `req_${(requests += 1)}`
      }
    ]
  }

  const answer = async (request: IncomingMessage): Promise<JsonAnswer> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
    const limit = Number(searchParams.get("limit"))
    return pathname === path && searchParams.get("inbox_scope") === "managed_user"
      ? list(request, limit)
      : [404, { error: { code: "NOT_FOUND" } }]
  }

  serveJson(answer)
}

process.once("message", serve)
process.once("disconnect", () => process.exit())
