import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { inboxEpoch, inboxWorld } from "@loopbox/testing/fixtures/inboxFixtures"
import { claimAt, makeQueued, makeWorkspace } from "@loopbox/testing/fixtures/storeFixtures"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { layerStores } from "../testDatabase.ts"

const isCluster = () => (inject("loopboxTestServer").workers ?? []).length > 0

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

/** As if the node were gone: nobody listens at the port at which the coordinator of this test's database looks for it. */
const awayFor = <A, E, R>(node: typeof NodeRow.Type, self: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const moveTo = (port: number) => sql`SELECT citus_update_node(${node.nodeid}::int, ${node.nodename}, ${port}::int)`
    yield* moveTo(1)
    return yield* Effect.ensuring(self, Effect.orDie(moveTo(node.nodeport)))
  })

layer(inboxWorld(layerStores()), { excludeTestServices: true })("While a node of the database is away", (it) => {
  it.effect("a claim gives what lies on the others, and what lies on it once it is back", (ctx) =>
    Effect.gen(function* () {
      if (!isCluster()) return ctx.skip("LOOPBOX_TEST_CITUS names no distributed database")
      const now = yield* inboxEpoch
      const first = yield* makeWorkspace("team", now)
      const away = yield* nodeOf(first.id)
      const gone = yield* makeQueued(first.id, now)
      // Until one lies elsewhere.
      let other = yield* makeWorkspace("team", now)
      while ((yield* nodeOf(other.id)).nodeid === away.nodeid) other = yield* makeWorkspace("team", now)
      const reachable = yield* makeQueued(other.id, now)

      const [claims, found] = yield* awayFor(
        away,
        Effect.gen(function* () {
          const claims = [yield* claimAt(now), yield* claimAt(now)]
          return [claims, yield* (yield* Workspaces).find(other.id)] as const
        })
      )
      const ids = claims.flatMap((outcome) => (outcome._tag === "Claimed" ? [outcome.claim.job.id] : []))
      assert.deepStrictEqual([ids, Option.isSome(found)], [[reachable.id], true])

      const later = yield* claimAt(now)
      assert.strictEqual(later._tag === "Claimed" ? later.claim.job.id : later._tag, gone.id)
    })
  )
})
