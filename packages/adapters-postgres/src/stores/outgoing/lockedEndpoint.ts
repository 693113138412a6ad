import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { endpointColumnsOf, EndpointRow, toEndpoint } from "../../rows/OutgoingRow.ts"
import { at } from "../../rows/rows.ts"

const Secrets = Schema.Array(Schema.Struct({ sealed: Schema.String, until: Schema.NullOr(Schema.Finite) }))
/** An endpoint with the secrets that sign now. */
export const LockedRow = Schema.Struct({ ...EndpointRow.fields, secrets: Secrets })

export const toLocked = (row: typeof LockedRow.Type) => ({
  endpoint: toEndpoint(row),
  secrets: row.secrets.map(({ sealed, until }) => ({
    sealed,
    until: Option.map(Option.fromNullOr(until), DateTime.makeUnsafe)
  }))
})

/** Columns of an endpoint `e` with the secrets that sign now. */
export const makeLockedColumns = Effect.map(SqlClient, (sql) => {
  const endpoint = sql.literal(endpointColumnsOf("e"))
  return (workspaceId: WorkspaceId, now: DateTime.Utc) => sql`${endpoint}, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('sealed', s.sealed,
      'until', (extract(epoch FROM s.valid_until) * 1000)::float8) ORDER BY s.number DESC), '[]')
    FROM outgoing_secrets s WHERE s.workspace_id = ${workspaceId} AND s.endpoint_id = e.id
      AND (s.valid_until IS NULL OR s.valid_until > ${at(now)})) AS secrets`
})
