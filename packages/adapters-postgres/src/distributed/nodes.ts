import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { all, one } from "../rows/rows.ts"

/** A server of a distributed database. */
export interface Node {
  readonly address: string
  readonly isCoordinator: boolean
  /** Whether rows of workspaces lie on it, or may. */
  readonly hasShards: boolean
  /** Whether it is part of the database, with all that the coordinator knows. */
  readonly isActive: boolean
}

const NodeRow = Schema.Struct({
  address: Schema.String,
  is_coordinator: Schema.Boolean,
  has_shards: Schema.Boolean,
  is_active: Schema.Boolean
})

/** The servers that the coordinator knows, itself first; standbys aside. */
export const readNodes = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    all(NodeRow)(sql`SELECT nodename || ':' || nodeport AS address, groupid = 0 AS is_coordinator,
        shouldhaveshards AS has_shards, isactive AND (groupid = 0 OR (hasmetadata AND metadatasynced)) AS is_active
      FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`),
    (rows) =>
      rows.map(({ address, has_shards, is_active, is_coordinator }): Node => ({
        address,
        isCoordinator: is_coordinator,
        hasShards: has_shards,
        isActive: is_active
      }))
  )
)

const VersionRow = Schema.Struct({ version: Schema.String })
const GroupRow = Schema.Struct({ group: Schema.Int })
const AnswerRow = Schema.Struct({
  address: Schema.String,
  success: Schema.Boolean,
  result: Schema.NullOr(Schema.String)
})

/** The extension's version in this database, as "13.2-1". */
export const readVersion = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    one(VersionRow)(sql`SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`),
    ({ version }) => version
  )
)

/** Whether the server asked is the coordinator, which alone may place tables. */
export const isCoordinator = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(one(GroupRow)(sql`SELECT groupid AS group FROM pg_dist_local_group`), ({ group }) => group === 0)
)

/** What each node answers to a statement of one value, the coordinator too; one that is away gives its error. */
export const askNodes = Effect.fnUntraced(function* (statement: string) {
  const sql = yield* SqlClient
  return yield* all(AnswerRow)(sql`SELECT n.nodename || ':' || n.nodeport AS address, a.success, a.result
    FROM run_command_on_all_nodes(${statement}, give_warning_for_connection_errors := true) a
    JOIN pg_dist_node n ON n.nodeid = a.nodeid ORDER BY 1`)
})

const ReachRow = Schema.Struct({ from: Schema.String, to: Schema.String })

/** Which nodes don't reach which; every node has to reach every other. */
export const readUnreachable = Effect.flatMap(SqlClient, (sql) =>
  all(ReachRow)(sql`SELECT from_nodename || ':' || from_nodeport AS from, to_nodename || ':' || to_nodeport AS to
    FROM citus_check_cluster_node_health() WHERE result IS NOT true ORDER BY 1, 2`)
)
