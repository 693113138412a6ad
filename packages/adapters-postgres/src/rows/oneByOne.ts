import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * True of every place of `unnest(…) WITH ORDINALITY`; the planner takes it for true of few, and looks each row that is named
 * up by its unique key.
 *
 * Without it a join is planned by how many rows a workspace is thought to have. Before the first statistics, and of a
 * workspace that has grown since the last, that is far too few, and all that it has are read to find some.
 */
export const oneByOne = (sql: SqlClient, place: Fragment): Fragment => sql`${place} > 0 AND ${place} < 1000000`
