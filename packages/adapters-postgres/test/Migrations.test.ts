import { Migrations, PgAdapters } from "@loopbox/adapters-postgres"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { idlePolls } from "../src/migrations/0013_idle_polls.ts"
import { unknownTokenEnds } from "../src/migrations/0006_unknown_token_ends.ts"
import { withDatabase } from "./testCluster.ts"
import { testDatabase } from "./testDatabase.ts"

const on = <A, E>(target: PgAdapters.Target, self: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  PgAdapters.withLongRunningClient(target, {}, self)

const execute = (target: PgAdapters.Target, statement: string) =>
  on(
    target,
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))
  )

/** An empty database, and another one beside it as a server makes it that has no locale. */
const asciiDatabase = Effect.gen(function* () {
  const target = yield* testDatabase("empty")
  const name = `ascii_${process.pid}`
  yield* Effect.acquireRelease(
    execute(
      target,
      `CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER libc ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'`
    ),
    () => Effect.orDie(execute(target, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  )
  return { target, encoded: withDatabase(target, name) }
})

describe("Migrations", () => {
  it("are numbered without gaps", () => {
    const numbers = Object.keys(Migrations.migrations).map((name) => name.slice(0, 4))
    assert.deepStrictEqual(
      numbers.toSorted(),
      numbers.map((_, i) => String(i + 1).padStart(4, "0"))
    )
    assert.isTrue(Object.keys(Migrations.migrations).every((name) => /^\d{4}_[a-z0-9_]+$/.test(name)))
  })

  it.live("run once when several processes start at once", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("empty")
      const runs = yield* Effect.all(
        Array.from({ length: 4 }, () => on(target, Migrations.run)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(runs.map((names) => names.length).toSorted(), [
        0,
        0,
        0,
        Object.keys(Migrations.migrations).length
      ])
      assert.strictEqual((yield* on(target, Migrations.check)).known, Object.keys(Migrations.migrations).at(-1))
    }).pipe(Effect.scoped)
  )

  it.live("are said to be pending where there is no table", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(on(yield* testDatabase("empty"), Migrations.check))
      assert.strictEqual(error._tag === "MigrationRefused" && error.reason, "Pending")
      assert.include(error.message, "no table of Loopbox")
    }).pipe(Effect.scoped)
  )

  it.live("refuse a new database that can't keep every character", () =>
    Effect.gen(function* () {
      const { encoded, target } = yield* asciiDatabase
      const error = yield* Effect.flip(on(encoded, Migrations.run))
      assert.strictEqual(error._tag === "MigrationRefused" && error.reason, "OtherEncoding")
      assert.match(error.message, /SQL_ASCII.*--encoding=UTF8/)
      assert.strictEqual((yield* on(target, Migrations.run)).length, Object.keys(Migrations.migrations).length)
    }).pipe(Effect.scoped)
  )

  it.live("tell why the database lets them make no table", () =>
    Effect.gen(function* () {
      const role = `without_rights_${process.pid}`
      // Its sessions keep their rights, unlike those of the databases below.
      const other = yield* testDatabase("empty")
      yield* Effect.acquireRelease(execute(other, `CREATE ROLE ${role}`), () =>
        Effect.orDie(execute(other, `DROP ROLE IF EXISTS ${role}`))
      )
      for (const [setting, reason] of [
        [`role = ${role}`, "permission denied for schema public"],
        ["search_path = missing", "no schema has been selected"],
        ["default_transaction_read_only = on", "read-only transaction"]
      ] as const) {
        const target = yield* testDatabase("empty")
        yield* execute(target, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        yield* execute(
          target,
          `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting}', current_database()); END $$`
        )
        const error = yield* Effect.flip(on(target, Migrations.run))
        assert.include(error._tag === "SqlError" ? String(error.reason.cause) : error.message, reason)
      }
    }).pipe(Effect.scoped)
  )

  it.live("refuse a database that a newer version migrated", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("alone")
      yield* execute(target, `INSERT INTO ${Migrations.migrationsTable} (migration_id, name) VALUES (9998, 'future')`)
      for (const self of [Migrations.run, Migrations.check]) {
        const error = yield* Effect.flip(on<unknown, unknown>(target, self)).pipe(Effect.map(String))
        assert.include(error, "newer version")
      }
    }).pipe(Effect.scoped)
  )

  it.live("refuse a database whose recorded names are others", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("alone")
      yield* execute(target, `UPDATE ${Migrations.migrationsTable} SET name = 'something_else'`)
      const error = yield* Effect.flip(on(target, Migrations.run))
      assert.strictEqual(error._tag === "MigrationRefused" && error.reason, "NamesDiffer")
    }).pipe(Effect.scoped)
  )

  it.live("are tried again where their locks and those of a version that serves cross", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("alone")
      const undone = Object.keys(Migrations.migrations).slice(16)
      // Whoever adds a migration undoes it here too.
      const undo = [
        "DROP TABLE posts, post_targets",
        "ALTER TABLE account_polls DROP COLUMN alive_at, DROP COLUMN every_ms",
        "DROP TABLE account_health",
        "DROP INDEX events_of_accounts",
        "ALTER TABLE media DROP COLUMN traits, DROP COLUMN made_by, DROP COLUMN content_hash",
        "ALTER TABLE media_jobs DROP COLUMN audio_media_id, DROP COLUMN settings",
        "ALTER TABLE items DROP COLUMN is_liked, DROP COLUMN private_replied_at, DROP COLUMN is_on_own_post, DROP COLUMN post_id, DROP COLUMN worded CASCADE",
        "DROP FUNCTION IF EXISTS loopbox_item_unworded CASCADE",
        "DROP TABLE action_paces",
        "DROP TABLE saved_replies, item_hours, item_words",
        "DROP INDEX media_sizes",
        "DROP TABLE thread_labels, thread_notes, console_grants, sweep_turns",
        "DROP FUNCTION loopbox_follow_thread CASCADE",
        `ALTER TABLE threads DROP COLUMN id, DROP COLUMN is_kept, DROP COLUMN item_count, DROP COLUMN unread_count,
          DROP COLUMN last_item_at, DROP COLUMN last_item_id, DROP COLUMN last_inbound_at, DROP COLUMN participants,
          DROP COLUMN created_at, DROP COLUMN snoozed_until, DROP COLUMN labels`,
        "DROP TABLE thread_recounts",
        "DROP FUNCTION loopbox_note_thread CASCADE",
        "ALTER TABLE items DROP COLUMN rev",
        "DROP TABLE audit_events",
        "DROP TABLE outgoing_endpoints, outgoing_secrets, outgoing_lanes, outgoing_positions, outgoing_deliveries",
        "DROP FUNCTION audit_refuse, audit_kept_since",
        "DROP TABLE api_key_uses, test_clock",
        "ALTER TABLE webhook_deliveries DROP COLUMN lane",
        `DELETE FROM ${Migrations.migrationsTable} WHERE migration_id > 16`
      ]
      for (const statement of undo) yield* execute(target, statement)

      // It has written events and asks for the accounts, while the migration has read accounts and asks for the events.
      const isWaiting = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.unsafe<{ found: boolean }>(`SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS found`)
      ).pipe(
        Effect.filterOrFail(([row]) => row?.found === true),
        Effect.retry({ schedule: Schedule.spaced("10 millis") })
      )
      const written = yield* Deferred.make<void>()
      const serving = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            // The migration is the one that finds out.
            yield* sql.unsafe("SET LOCAL deadlock_timeout = '30s'")
            yield* sql.unsafe("LOCK TABLE events IN ROW EXCLUSIVE MODE")
            yield* Deferred.succeed(written, undefined)
            yield* isWaiting
            yield* sql.unsafe("LOCK TABLE social_accounts IN ACCESS EXCLUSIVE MODE")
          })
        )
      )
      const migrating = Effect.andThen(Deferred.await(written), on(target, Migrations.run))
      const [, ran] = yield* Effect.all([on(target, serving), migrating], { concurrency: "unbounded" })
      assert.deepStrictEqual(ran, undone)
    }).pipe(Effect.scoped)
  )

  it.live("stop the layer's start, with their reason", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("alone")
      yield* execute(target, `UPDATE ${Migrations.migrationsTable} SET name = 'something_else'`)
      const error = yield* Effect.flip(
        Effect.scoped(Effect.provide(SqlClient.SqlClient, PgAdapters.layerTarget(target)))
      )
      assert.strictEqual(error._tag, "MigrationRefused")
    }).pipe(Effect.scoped)
  )

  it.live("make a token due of which nobody told the end, on the networks that renew one by itself", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("alone")
      for (const [id, network, ends] of [
        ["acc_1", "instagram", "NULL"],
        ["acc_2", "threads", "NULL"],
        ["acc_3", "facebook", "NULL"],
        ["acc_4", "instagram", "timestamptz '2026-03-01'"]
      ]) {
        yield* execute(
          target,
          `INSERT INTO social_accounts
            (workspace_id, id, network, network_account_id, name, status, permissions, token_expires_at, created_at)
            VALUES ('ws_1', '${id}', '${network}', '${id}', '', 'connected', '[]', ${ends}, '2026-01-01T00:00:00Z')`
        )
        yield* execute(
          target,
          `INSERT INTO account_credentials (workspace_id, account_id, sealed) VALUES ('ws_1', '${id}', 'sealed')`
        )
      }
      yield* on(target, unknownTokenEnds)
      assert.deepStrictEqual(
        yield* execute(
          target,
          "SELECT account_id AS id, to_char(renew_at AT TIME ZONE 'UTC', 'MM-DD HH24') AS at FROM account_credentials ORDER BY 1"
        ),
        [
          { id: "acc_1", at: "01-02 00" },
          { id: "acc_2", at: "01-02 00" },
          { id: "acc_3", at: null },
          { id: "acc_4", at: null }
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.live("take accounts that are not connected out of the queue of polls, and no others (store H6)", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("alone")
      const old = "'2026-01-01T00:00:00Z'"
      for (const [id, status, due, wake] of [
        ["acc_1", "connected", old, old],
        ["acc_2", "reauth_required", old, old],
        ["acc_3", "disconnected", "NULL", old],
        ["acc_4", "reauth_required", "now()", "now()"],
        ["acc_5", "reauth_required", "NULL", old],
        ["acc_6", "connected", "NULL", "NULL"]
      ]) {
        yield* execute(
          target,
          `INSERT INTO social_accounts (workspace_id, id, network, network_account_id, name, status, disconnected_at, permissions,
              created_at)
            VALUES ('ws_1', '${id}', 'instagram', '${id}', '', '${status}', ${status === "disconnected" ? old : "NULL"}, '[]',
              ${old})`
        )
        yield* execute(
          target,
          `INSERT INTO account_polls (workspace_id, account_id, network, due_at, wake_at)
            VALUES ('ws_1', '${id}', 'instagram', ${due}, ${wake})`
        )
      }
      yield* execute(
        target,
        "INSERT INTO sync_tasks (workspace_id, run_id, account_id, is_backfill) VALUES ('ws_1', 'syn_1', 'acc_5', false)"
      )
      yield* on(target, idlePolls)
      const awake = yield* execute(
        target,
        "SELECT account_id AS id FROM account_polls WHERE wake_at IS NOT NULL ORDER BY 1"
      )
      assert.deepStrictEqual(
        awake,
        ["acc_1", "acc_4", "acc_5", "acc_6"].map((id) => ({ id }))
      )
    }).pipe(Effect.scoped)
  )
})
