import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import type { AccountName, ConnectedRoute } from "@loopbox/core/accounts/SocialAccounts"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { all } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"
import { ofAllWorkspaces, whereAway } from "../../connection/allWorkspaces.ts"

const RouteRow = Schema.Struct({
  place: Schema.Int,
  workspace_id: WorkspaceId,
  account_id: SocialAccountId,
  is_for_inbox: Schema.Boolean
})
const WorkspaceRow = Schema.Struct({ workspace_id: WorkspaceId })

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

  const join = (names: ReadonlyArray<AccountName>, among: Fragment) =>
    all(RouteRow)(sql`
      SELECT n.place::int AS place, r.workspace_id, r.account_id,
        (a.features = '[]' OR a.features @> '["inbox"]') AS is_for_inbox
      FROM ${columnsOf(names)} WITH ORDINALITY AS n (network, kind, value, place)
      JOIN account_routes r ON r.network = n.network AND r.kind = n.kind AND r.value = n.value
      JOIN social_accounts a ON a.workspace_id = r.workspace_id AND a.id = r.account_id ${among}
      ${sql.literal(ofAllWorkspaces("accounts.routes"))} ORDER BY n.place, r.workspace_id, r.account_id`)

  /** Asks those nodes alone on which the accounts lie. */
  const joinApart = Effect.fnUntraced(function* (names: ReadonlyArray<AccountName>) {
    const named = sql`${columnsOf(names)} AS n (network, kind, value)`
    const found = yield* all(WorkspaceRow)(sql`SELECT DISTINCT r.workspace_id FROM ${named}
      JOIN account_routes r ON r.network = n.network AND r.kind = n.kind AND r.value = n.value`)
    if (found.length === 0) return []
    return yield* join(names, sql`AND a.workspace_id = ANY(${found.map((row) => row.workspace_id)}::text[])`)
  })

  const find = Effect.fnUntraced(function* (names: ReadonlyArray<AccountName>) {
    if (names.length === 0) return []
    const rows = yield* join(names, sql.literal("")).pipe(whereAway(joinApart(names)))
    return rows.flatMap(
      ({
        account_id: accountId,
        is_for_inbox: isForInbox,
        place,
        workspace_id: workspaceId
      }): ReadonlyArray<ConnectedRoute> => {
        const name = names[place - 1]
        return name === undefined ? [] : [{ name, workspaceId, accountId, isForInbox }]
      }
    )
  })

  return { put, remove, find }
})
