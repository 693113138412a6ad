import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Runs statements one after the other. */
export const runAll = (texts: ReadonlyArray<string>) =>
  SqlClient.SqlClient.use((sql) => Effect.forEach(texts, (text) => sql.unsafe(text), { discard: true }))

const drop = (table: string) => `DO $$ DECLARE d record; BEGIN
  CREATE TEMP TABLE later_${table} AS SELECT indexname, indexdef FROM pg_indexes
    WHERE tablename = '${table}' AND indexname <> '${table}_pkey';
  FOR d IN SELECT * FROM later_${table} LOOP EXECUTE format('DROP INDEX %I', d.indexname); END LOOP; END $$`

const make = (table: string) => `DO $$ DECLARE d record; BEGIN
  FOR d IN SELECT * FROM later_${table} LOOP EXECUTE d.indexdef; END LOOP; END $$`

/**
 * Fills a table by one connection, without its indexes but the key's: they are made at the end, as by a restore, which
 * takes a third of the time.
 */
export const withoutIndexes = <A, E, R>(table: string, fill: Effect.Effect<A, E, R>) =>
  runAll(["SET maintenance_work_mem = '256MB'", drop(table)]).pipe(
    Effect.andThen(fill),
    Effect.tap(runAll([make(table)]))
  )
