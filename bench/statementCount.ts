import type { Pool } from "pg"

/** What `pg_stat_statements` needs of the server. */
export const countingServer = { shared_preload_libraries: "pg_stat_statements" }

/** Prepares the counting, and a role to look with: what it asks is not counted. */
export const prepareCounting = async (pool: Pool): Promise<void> => {
  await pool.query("CREATE EXTENSION pg_stat_statements")
  await pool.query("CREATE ROLE onlooker")
  await pool.query("GRANT pg_read_all_data, pg_read_all_stats TO onlooker")
  await pool.query("GRANT EXECUTE ON FUNCTION pg_stat_statements_reset TO onlooker")
}

/** Statements that everybody but the onlooker has sent since the last reset, BEGIN and COMMIT among them. */
export const countStatements = async (onlooker: Pool): Promise<number> => {
  const { rows } = await onlooker.query<{ readonly calls: number }>(
    `SELECT coalesce(sum(calls), 0)::int AS calls FROM pg_stat_statements
     WHERE userid <> 'onlooker'::regrole AND toplevel`
  )
  return rows[0]?.calls ?? 0
}
