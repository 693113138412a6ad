import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { applySettings, readUnset } from "../distributed/nodeSettings.ts"
import { type Node, readNodes, readVersion } from "../distributed/nodes.ts"
import { isDistributed, placedTables, readStanding } from "../distributed/places.ts"
import { one } from "../rows/rows.ts"

/** The nodes of a distributed database, and those that don't answer the coordinator. */
export interface ClusterNodes {
  readonly nodes: ReadonlyArray<string>
  readonly away: ReadonlyArray<string>
}

const ReachedRow = Schema.Struct({ reached: Schema.Boolean })

/** A node that hangs is one that is away. */
const patience = "3 seconds"

const isReached = Effect.fnUntraced(function* ({ address, isCoordinator }: Node) {
  if (isCoordinator) return true
  const sql = yield* SqlClient
  const [host, port] = [address.slice(0, address.lastIndexOf(":")), address.slice(address.lastIndexOf(":") + 1)]
  const asked = one(ReachedRow)(sql`SELECT citus_check_connection_to_node(${host}, ${port}::int) AS reached`)
  const answer = yield* Effect.timeoutOption(asked, patience)
  return Option.isSome(answer) && answer.value.reached
})

const findAway = Effect.gen(function* () {
  const nodes = yield* readNodes
  const reached = yield* Effect.forEach(nodes, isReached, { concurrency: 4 })
  const away = nodes.filter((node, i) => !node.isActive || reached[i] !== true)
  const found: ClusterNodes = { nodes: nodes.map(({ address }) => address), away: away.map(({ address }) => address) }
  return found
})

/** Asks every node of a distributed database whether it is there; none where the database is not distributed. */
export const findClusterNodes: Effect.Effect<Option.Option<ClusterNodes>, SqlError, SqlClient> = Effect.gen(
  function* () {
    if (!(yield* isDistributed)) return Option.none()
    return Option.some(yield* findAway)
  }
).pipe(Effect.catchTag("SchemaError", Effect.die))

/** What is to be known of a distributed database. */
export interface ClusterExamination extends ClusterNodes {
  readonly citus: string
  /** Tables that the coordinator has for itself: a migration or a move that did not end. */
  readonly unplaced: ReadonlyArray<string>
  readonly misplaced: ReadonlyArray<string>
  /** Tables that are written on every node, and need be on the coordinator only, to which `distributeDatabase` brings them. */
  readonly copied: ReadonlyArray<string>
  /** Nodes whose database lacks the settings that `distributeDatabase` gave it, as one that was added later. */
  readonly unset: ReadonlyArray<string>
}

/**
 * Looks at nodes, tables and settings of a distributed database; none where it is not distributed. With `mend` nodes that
 * lack the settings are given them.
 */
export const examineCluster = Effect.fn("examineCluster")(
  function* (options: { readonly mend: boolean }) {
    if (!(yield* isDistributed)) return Option.none<ClusterExamination>()
    const { away, nodes } = yield* findAway
    const { copied, misplaced, unplaced } = yield* readStanding(placedTables)
    if (options.mend && away.length === 0) yield* applySettings
    return Option.some<ClusterExamination>({
      nodes,
      away,
      citus: yield* readVersion,
      unplaced: unplaced.map(({ name }) => name),
      misplaced,
      copied: copied.map(({ name }) => name),
      unset: away.length === 0 ? yield* readUnset : []
    })
  },
  Effect.catchTag("SchemaError", Effect.die)
)
