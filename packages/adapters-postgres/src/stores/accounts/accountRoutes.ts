import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import type { AccountName, ConnectedRoute } from "@loopbox/core/accounts/SocialAccounts"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { all } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"
import { byWorkspace } from "../../connection/allWorkspaces.ts"

const RouteRow = Schema.Struct({
  place: Schema.Int,
  workspace_id: WorkspaceId,
  account_id: SocialAccountId
})
const UseRow = Schema.Struct({ id: SocialAccountId, is_for_inbox: Schema.Boolean })

/** The form in which names are compared: handles ignore case. */
const valueOf = ({ by, value }: Pick<AccountName, "by" | "value">) =>
  storable(by === "username" ? value.toLowerCase() : value)

/** The names as three columns. */
const makeColumnsOf = Effect.map(
  SqlClient,
  (sql) => (names: ReadonlyArray<AccountName>) =>
    sql`unnest(${names.map(({ network }) => network)}::text[], ${names.map(({ by }) => by)}::text[],
      ${names.map(valueOf)}::text[])`
)

/** Characters of a lane, for it stands in an index. Accounts of more workspaces than that share it with their first ones. */
const maxLane_chars = 200

/** A row with the workspaces that have connected accounts of these names, as one text; empty if there are none. */
export const makeLaneOf = Effect.gen(function* () {
  const sql = yield* SqlClient
  const columnsOf = yield* makeColumnsOf
  return (names: ReadonlyArray<AccountName>) =>
    names.length === 0
      ? sql`(SELECT '')`
      : sql`(SELECT left(coalesce(string_agg(DISTINCT r.workspace_id, ',' ORDER BY r.workspace_id), ''),
          ${sql.literal(`${maxLane_chars}`)}) FROM ${columnsOf(names)} AS n (network, kind, value)
        JOIN account_routes r ON r.network = n.network AND r.kind = n.kind AND r.value = n.value)`
})

/** What webhooks call an account, over all workspaces; in transactions of their callers. */
export const makeAccountRoutes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const columnsOf = yield* makeColumnsOf

  const remove = (workspaceId: WorkspaceId, id: SocialAccountId) =>
    sql`DELETE FROM account_routes WHERE workspace_id = ${workspaceId} AND account_id = ${id}`

  /** Replaces the routes of an account. */
  const put = Effect.fnUntraced(function* (account: SocialAccount) {
    const { id, network, networkAccountId, otherAccountId, username, workspaceId } = account
    const ids = new Set([networkAccountId, ...Option.toArray(otherAccountId)])
    const names: ReadonlyArray<Pick<AccountName, "by" | "value">> = [
      ...Array.from(ids, (value) => ({ by: "id", value }) as const),
      ...Option.toArray(Option.map(username, (value) => ({ by: "username", value }) as const))
    ]
    yield* remove(workspaceId, id)
    // As many rows as names: what is on every node cannot be filled from a query.
    const rows = names.map((name) => sql`(${network}, ${name.by}, ${valueOf(name)}, ${workspaceId}, ${id})`)
    yield* sql`INSERT INTO account_routes (network, kind, value, workspace_id, account_id) VALUES ${sql.csv(rows)}`
  })

  /** What is for the inbox of a workspace's accounts, by their ids. */
  const findUse = (workspaceId: WorkspaceId, ids: ReadonlyArray<SocialAccountId>) =>
    all(UseRow)(sql`SELECT id, (features = '[]' OR features @> '["inbox"]') AS is_for_inbox
      FROM social_accounts WHERE workspace_id = ${workspaceId} AND id = ANY(${ids}::text[])`)

  /**
   * The routes lie in one place, and accounts beside their workspaces, of which a delivery is nearly always for one: joined,
   * a distributed database would ask all of its nodes.
   */
  const find = Effect.fnUntraced(function* (names: ReadonlyArray<AccountName>) {
    if (names.length === 0) return []
    const rows = yield* all(RouteRow)(sql`SELECT n.place::int AS place, r.workspace_id, r.account_id
      FROM ${columnsOf(names)} WITH ORDINALITY AS n (network, kind, value, place)
      JOIN account_routes r ON r.network = n.network AND r.kind = n.kind AND r.value = n.value
      ORDER BY n.place, r.workspace_id, r.account_id`)
    const uses = new Map<SocialAccountId, boolean>()
    for (const [workspaceId, some] of byWorkspace(rows)) {
      const ids = Array.from(new Set(some.map(({ account_id }) => account_id)))
      for (const { id, is_for_inbox } of yield* findUse(workspaceId, ids)) uses.set(id, is_for_inbox)
    }
    return rows.flatMap(
      ({ account_id: accountId, place, workspace_id: workspaceId }): ReadonlyArray<ConnectedRoute> => {
        const [name, isForInbox] = [names[place - 1], uses.get(accountId)]
        return name === undefined || isForInbox === undefined ? [] : [{ name, workspaceId, accountId, isForInbox }]
      }
    )
  })

  return { put, remove, find }
})
