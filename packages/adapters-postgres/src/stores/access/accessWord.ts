import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { accessChanged, channel } from "../../connection/Signals.ts"

/**
 * Tells all nodes that callers of a workspace may now be refused, if the transaction around it commits.
 *
 * NOTIFY makes commits queue behind one lock, which changes as rare as an administrator's may do.
 */
export const makeTellAccessChanged = Effect.map(
  SqlClient,
  (sql) => (workspaceId: WorkspaceId) => sql`SELECT pg_notify(${channel}, ${accessChanged + workspaceId})`
)
