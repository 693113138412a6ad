import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"

/**
 * What stands in a text for the workspace's id, as a parameter. A table that is joined from the outside, or asked by a query
 * inside another one, names its workspace itself: a distributed database looks no further.
 */
export const itsWorkspace = "$workspace"

/** Makes a fragment of a text that names its workspace. */
export const inWorkspace = (sql: SqlClient, text: string) => {
  const [head = "", ...rest] = text.split(itsWorkspace).map((part) => sql.literal(part))
  return (workspaceId: WorkspaceId): Fragment =>
    rest.reduce<Fragment>((left, part) => sql`${left}${workspaceId}${part}`, sql`${head}`)
}
