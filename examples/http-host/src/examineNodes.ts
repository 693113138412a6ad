import { type ClusterExamination, examineCluster } from "@loopbox/adapters-postgres"
import type { Finding } from "@loopbox/adapters-http/server/system/readiness"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { layerShared } from "./database.ts"
import type { HostConfig } from "./hostConfig.ts"
import { explainFailure } from "./startFailure.ts"

const tablesOf = ({ copied, misplaced, unplaced }: ClusterExamination): Finding => {
  const found = (status: Finding["status"], message: string): Finding => ({ name: "tables", status, message })
  if (misplaced.length > 0) {
    return found(
      "failed",
      `${misplaced.join("; ")}: bring it back with undistribute_table, then \`loopbox db distribute\``
    )
  }
  if (unplaced.length > 0) {
    return found(
      "failed",
      `${unplaced.join(", ")}: on the coordinator only; \`loopbox db distribute\` moves what is not in its place`
    )
  }
  if (copied.length === 0) return found("ok", "all tables are in their places")
  return found(
    "degraded",
    `${copied.join(", ")}: copied to every node, so that writing them needs every one; with all hosts stopped, ` +
      "`loopbox db distribute` brings them to the coordinator"
  )
}

const judge = (found: ClusterExamination): ReadonlyArray<Finding> => {
  const { away, citus, nodes, unset } = found
  const nodesFinding: Finding =
    away.length === 0
      ? { name: "nodes", status: "ok", message: `all ${nodes.length} nodes answer, Citus ${citus}` }
      : { name: "nodes", status: "failed", message: `${away.join(", ")} is away: the workspaces that lie there wait` }
  const tablesFinding = tablesOf(found)
  if (unset.length === 0) return [nodesFinding, tablesFinding]
  const message = `${unset.join(", ")} lacks the settings of its database; --repair gives them`
  return [nodesFinding, tablesFinding, { name: "node settings", status: "failed", message }]
}

/** What is to be said of a distributed database, while hosts may run; nothing of any other. */
export const examineNodes = (config: HostConfig, repair: boolean) =>
  examineCluster({ mend: repair }).pipe(
    Effect.map(Option.match({ onNone: (): ReadonlyArray<Finding> => [], onSome: judge })),
    Effect.provide(layerShared(config, { patience: "1 minute" })),
    explainFailure,
    Effect.catchCause(() =>
      Effect.succeed<ReadonlyArray<Finding>>([{ name: "nodes", status: "failed", message: "they cannot be asked now" }])
    )
  )
