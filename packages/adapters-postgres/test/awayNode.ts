import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { inboxEpoch, inboxWorld } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeWorkspace } from "@loopbox/testing/fixtures/storeFixtures"
import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { layerStores } from "./testDatabase.ts"

/** Whether the tests have a distributed database. */
export const isCluster = () => (inject("loopboxTestServer").workers ?? []).length > 0

const NodeRow = Schema.Struct({ nodeid: Schema.Int, nodename: Schema.String, nodeport: Schema.Int })
const decodeNode = Schema.decodeUnknownEffect(Schema.Tuple([NodeRow]))

/** The node on which a workspace lies. */
const nodeOf = Effect.fnUntraced(function* (id: WorkspaceId) {
  const sql = yield* SqlClient.SqlClient
  const [node] = yield* decodeNode(
    yield* sql`SELECT n.nodeid, n.nodename, n.nodeport FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
      WHERE p.shardid = get_shard_id_for_distribution_column('workspaces', ${id}::text)`
  )
  return node
})

/** Two workspaces on two nodes, of which one goes away. */
export const apart = Effect.gen(function* () {
  const now = yield* inboxEpoch
  const first = yield* makeWorkspace("team", now)
  const away = yield* nodeOf(first.id)
  let other = yield* makeWorkspace("team", now)
  while ((yield* nodeOf(other.id)).nodeid === away.nodeid) other = yield* makeWorkspace("team", now)
  return { away, first, other }
})

/**
 * Until Citus' own maintenance runs on the database: `citus_update_node` wakes it by a latch that it has not set before, and ends
 * the whole server with that.
 */
const maintained = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const running = sql`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'Citus Maintenance Daemon'`
  while ((yield* running).length === 0) yield* Effect.sleep("50 millis")
})

/** As if the node were gone: nobody listens at the port at which the coordinator of this test's database looks for it. */
export const awayFor = <A, E, R>(node: typeof NodeRow.Type, self: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* maintained
    const moveTo = (port: number) => sql`SELECT citus_update_node(${node.nodeid}::int, ${node.nodename}, ${port}::int)`
    yield* moveTo(1)
    return yield* Effect.ensuring(self, Effect.orDie(moveTo(node.nodeport)))
  })

/** With stores of its own, for they remember for 5 s who can be reached. */
export const worldOfItsOwn = () => layer(inboxWorld(layerStores()), { excludeTestServices: true })
