import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { channel } from "../../connection/PgSignalBus.ts"
import { accessChanged } from "../../connection/Signals.ts"

/**
 * Notifies all nodes, at commit, that access to a workspace may have been revoked.
 *
 * NOTIFY serialises commits behind one lock, which is acceptable for the rare changes of administrators.
 */
export const makeTellAccessChanged = Effect.map(
  SqlClient,
  (sql) => (workspaceId: WorkspaceId) => sql`SELECT pg_notify(${channel}, ${accessChanged + workspaceId})`
)
