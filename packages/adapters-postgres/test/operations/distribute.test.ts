import {
  distributeDatabase,
  type Distributed,
  exportDatabase,
  importDatabase,
  Migrations,
  PgAdapters
} from "@loopbox/adapters-postgres"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { isDistributed, placedTables, readStanding } from "../../src/distributed/places.ts"
import { beforeDdl, placeTables } from "../../src/distributed/placeTables.ts"
import { clusterDatabase, clusterDatabaseOf, onTarget, testCluster } from "../clusterDatabase.ts"
import { testDatabase } from "../testDatabase.ts"
import { contents, fillDatabase } from "./filledDatabase.ts"

const run = <A, E>(target: PgAdapters.Target, self: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  PgAdapters.withLongRunningClient(target, {}, self)

const migrate = (target: PgAdapters.Target) => run(target, Migrations.run)

/** Few parts, for each is a table of its own to make. */
const shards = 2

const joinedDatabase = Effect.gen(function* () {
  const database = yield* clusterDatabase
  yield* database.join
  yield* migrate(database.coordinator)
  return database
})

const distributedDatabase = Effect.tap(joinedDatabase, ({ coordinator }) => distributeDatabase(coordinator, { shards }))

const refusal = (target: PgAdapters.Target) =>
  Effect.map(Effect.flip(distributeDatabase(target, { shards })), (error) =>
    error._tag === "DistributeRefused" ? error : assert.fail(error._tag)
  )

const inTransaction = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(self))

const after = () => Effect.void

/** As a version before this one left it. */
const migrateTo = (newest: number) => {
  const older = Object.entries(Migrations.migrations).filter(([name]) => Number(name.slice(0, 4)) <= newest)
  const loader = Migrator.fromRecord(Object.fromEntries(older.map(([name, { run }]) => [name, run])))
  return Migrator.make({})({ loader, table: Migrations.migrationsTable })
}

const existing = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace`
  const names = new Set((yield* Schema.decodeUnknownEffect(Schema.Array(NameRow))(rows)).map(({ name }) => name))
  return placedTables.filter(({ name }) => names.has(name))
})

const NameRow = Schema.Struct({ name: Schema.String })

/** Tables whose rows the coordinator keeps for itself. */
const leftOnCoordinator = (target: PgAdapters.Target) =>
  onTarget(
    target,
    (sql) => sql`SELECT c.relname AS name FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
      WHERE pg_relation_size(c.oid) > 0`
  ).pipe(Effect.flatMap(Schema.decodeUnknownEffect(Schema.Array(NameRow))))

const changedNothing = ({ cleared, placed, rows }: Distributed) => placed.length + cleared.length + rows === 0

describe("A database that is to be distributed", () => {
  it.live("needs the extension", () =>
    Effect.gen(function* () {
      const error = yield* refusal(yield* testDatabase("alone"))
      assert.strictEqual(error.reason, "NoCitus")
      assert.match(error.message, /CREATE EXTENSION citus/)
    }).pipe(Effect.scoped)
  )
})

// Where nobody gives a cluster, this is left out.
describe.skipIf(testCluster === undefined)("A distributed database", () => {
  it.live("has all rows of before, each table in its place, and changes nothing when it is asked for again", () =>
    Effect.gen(function* () {
      const { coordinator, join } = yield* clusterDatabase
      // As a server does that becomes a coordinator after years.
      yield* migrate(coordinator)
      yield* fillDatabase(coordinator)
      const before = yield* contents(coordinator)
      yield* join
      const heard: Array<string> = []
      const done = yield* distributeDatabase(coordinator, {
        shards,
        onPlaced: ({ table }) => Effect.sync(() => heard.push(table))
      })
      assert.deepStrictEqual(done.placed.toSorted(), placedTables.map(({ name }) => name).toSorted())
      assert.deepStrictEqual(heard.toSorted(), done.placed.toSorted())
      assert.isAbove(done.rows, 2_500)
      assert.include(done.cleared, "audit_events")
      assert.strictEqual(done.workers, 2)
      assert.deepStrictEqual(yield* contents(coordinator), before)
      const standing = yield* run(coordinator, readStanding(placedTables))
      assert.deepStrictEqual([standing.unplaced, standing.misplaced], [[], []])
      // What sessions are told at their start doesn't reach those on workers.
      assert.deepStrictEqual(
        yield* onTarget(
          coordinator,
          (sql) => sql`SELECT DISTINCT result FROM run_command_on_workers('SHOW lock_timeout')`
        ),
        [{ result: "5s" }]
      )
      assert.deepStrictEqual(yield* leftOnCoordinator(coordinator), [])
      assert.isTrue(changedNothing(yield* distributeDatabase(coordinator)))
    }).pipe(Effect.scoped)
  )

  it.live("is undone whole when it is cut off, and finished by the next run", () =>
    Effect.gen(function* () {
      const { coordinator } = yield* joinedDatabase
      yield* fillDatabase(coordinator)
      const before = yield* contents(coordinator)
      const cutOff = distributeDatabase(coordinator, {
        shards,
        onPlaced: ({ table }) => (table === "events" ? Effect.interrupt : Effect.void)
      })
      yield* Effect.exit(cutOff)
      assert.isFalse(yield* run(coordinator, isDistributed))
      assert.deepStrictEqual(yield* contents(coordinator), before)
      // As if it had been cut off between the last table and the rows that lie there twice.
      yield* run(coordinator, inTransaction(placeTables(placedTables, { shards, after })))
      assert.isAbove((yield* leftOnCoordinator(coordinator)).length, 20)
      const { cleared, placed } = yield* distributeDatabase(coordinator)
      assert.deepStrictEqual(placed, [])
      assert.include(cleared, "items")
      assert.deepStrictEqual(yield* leftOnCoordinator(coordinator), [])
      assert.deepStrictEqual(yield* contents(coordinator), before)
    }).pipe(Effect.scoped)
  )

  it.live("is refused on a worker, without workers, and while others write", () =>
    Effect.gen(function* () {
      const { addExtension, addNodes, coordinator, worker } = yield* clusterDatabase
      yield* migrate(coordinator)
      yield* addExtension
      assert.strictEqual((yield* refusal(coordinator)).reason, "NoWorkers")
      yield* addNodes
      assert.strictEqual((yield* refusal(worker)).reason, "NotCoordinator")
      yield* onTarget(coordinator, (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO members VALUES ('w', 'u', 'viewer')`
            assert.strictEqual((yield* refusal(coordinator)).reason, "Busy")
          })
        )
      )
      assert.isFalse(yield* run(coordinator, isDistributed))
    }).pipe(Effect.scoped)
  )

  it.live("is refused where a worker's database has another encoding", () =>
    Effect.gen(function* () {
      const { coordinator, join } = yield* clusterDatabaseOf("ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'")
      yield* join
      yield* migrate(coordinator)
      const error = yield* refusal(coordinator)
      assert.strictEqual(error.reason, "OtherEncoding")
      assert.match(error.message, /on 127\.0\.0\.1:\d+ it is SQL_ASCII/)
      assert.isFalse(yield* run(coordinator, isDistributed))
    }).pipe(Effect.scoped)
  )

  it.live("is refused where Citus can't keep what the schema has, by name", () =>
    Effect.gen(function* () {
      const { coordinator } = yield* joinedDatabase
      yield* onTarget(coordinator, (sql) =>
        Effect.gen(function* () {
          yield* sql`CREATE UNIQUE INDEX members_once ON members (user_id)`
          yield* sql`ALTER TABLE posts ADD CONSTRAINT posts_key FOREIGN KEY (id) REFERENCES webhook_deliveries (id)`
          yield* sql`ALTER TABLE members ADD CONSTRAINT members_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id)`
          yield* sql`CREATE CONSTRAINT TRIGGER items_checked AFTER INSERT ON items FOR EACH ROW
            EXECUTE FUNCTION loopbox_note_thread()`
        })
      )
      const { message, reason } = yield* refusal(coordinator)
      assert.strictEqual(reason, "Unsupported")
      for (const name of ["members_once", "posts_key", "items_checked"]) assert.include(message, name)
      // That one stays beside its workspace.
      assert.notInclude(message, "members_workspace")
      yield* onTarget(coordinator, (sql) =>
        Effect.gen(function* () {
          yield* sql`DROP INDEX members_once`
          yield* sql`ALTER TABLE posts DROP CONSTRAINT posts_key`
          yield* sql`ALTER TABLE members DROP CONSTRAINT members_workspace`
          yield* sql`DROP TRIGGER items_checked ON items`
          yield* sql`SELECT create_reference_table('posts')`
        })
      )
      const misplaced = yield* refusal(coordinator)
      assert.deepStrictEqual([misplaced.reason, misplaced.message.includes("posts")], ["Misplaced", true])
    }).pipe(Effect.scoped)
  )

  it.live("is migrated, and a new table goes to its place at once, with a function that reads it", () =>
    Effect.gen(function* () {
      const { coordinator, join } = yield* clusterDatabase
      yield* join
      yield* run(coordinator, migrateTo(33))
      yield* run(
        coordinator,
        inTransaction(Effect.flatMap(existing, (tables) => placeTables(tables, { shards, after })))
      )
      const ran = yield* migrate(coordinator)
      assert.strictEqual(ran[0], "0034_thread_notes")
      const standing = yield* run(coordinator, readStanding(placedTables))
      assert.deepStrictEqual([standing.unplaced, standing.misplaced], [[], []])
      const make = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* beforeDdl
        yield* sql`CREATE TABLE extras (workspace_id text COLLATE "C" PRIMARY KEY)`
        yield* sql`CREATE FUNCTION count_extras() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM extras'`
        yield* placeTables([{ name: "extras", place: { by: "workspace_id" } }], { shards, after })
      })
      yield* run(coordinator, inTransaction(make))
      assert.isTrue(changedNothing(yield* distributeDatabase(coordinator)))
    }).pipe(Effect.scoped)
  )

  it.live("keeps its triggers: labels follow their threads, the audit is append only", () =>
    Effect.gen(function* () {
      const { coordinator } = yield* joinedDatabase
      yield* fillDatabase(coordinator)
      yield* distributeDatabase(coordinator, { shards })
      yield* onTarget(coordinator, (sql) =>
        Effect.gen(function* () {
          yield* sql`INSERT INTO workspaces (id, name, plan, created_at) VALUES ('w1', 'w', 'free', now())`
          yield* sql`INSERT INTO threads (workspace_id, account_id, source, thread_key, status, assignee, labels)
            VALUES ('w1', 'a', 'ig_dm', 't', 'open', '', '{x}')`
          yield* sql`INSERT INTO thread_labels (workspace_id, account_id, source, thread_key, folded, label, id, is_resolved)
            VALUES ('w1', 'a', 'ig_dm', 't', 'x', 'x', 'i', false)`
          yield* sql`UPDATE threads SET status = 'resolved' WHERE workspace_id = 'w1' AND account_id = 'a'`
          assert.deepStrictEqual(yield* sql`SELECT is_resolved FROM thread_labels WHERE workspace_id = 'w1'`, [
            { is_resolved: true }
          ])
          for (const days of [0, 500])
            yield* sql`INSERT INTO audit_events (workspace_id, id, at, actor_type, action, target_type, target_id, details)
              VALUES ('w1', ${`e${days}`}, now() - ${days}::int * interval '1 day', 'system', 'a', 't', 'i', '{}')`
          yield* Effect.flip(sql`DELETE FROM audit_events WHERE workspace_id = 'w1' AND id = 'e0'`)
          yield* Effect.flip(sql`UPDATE audit_events SET action = 'b' WHERE workspace_id = 'w1' AND id = 'e500'`)
          yield* Effect.flip(sql`TRUNCATE audit_events`)
          yield* sql`DELETE FROM audit_events WHERE workspace_id = 'w1' AND id = 'e500'`
          assert.deepStrictEqual(yield* sql`SELECT id FROM audit_events WHERE workspace_id = 'w1'`, [{ id: "e0" }])
        })
      )
    }).pipe(Effect.scoped)
  )

  it.live("is split into more parts later by what the page says, with its rows, places and triggers", () =>
    Effect.gen(function* () {
      const { coordinator } = yield* joinedDatabase
      yield* fillDatabase(coordinator)
      const before = yield* contents(coordinator)
      yield* distributeDatabase(coordinator, { shards })
      yield* onTarget(coordinator, (sql) =>
        Effect.gen(function* () {
          yield* sql`SET citus.enable_unsafe_triggers = on`
          yield* sql`SELECT alter_distributed_table('workspaces', shard_count := ${shards * 2}::int,
            cascade_to_colocated := true)`
        })
      )
      const counted = yield* onTarget(
        coordinator,
        (sql) => sql`SELECT DISTINCT shard_count::int AS count FROM citus_tables WHERE citus_table_type = 'distributed'`
      )
      assert.deepStrictEqual(counted, [{ count: shards * 2 }])
      assert.deepStrictEqual(yield* contents(coordinator), before)
      const standing = yield* run(coordinator, readStanding(placedTables))
      assert.deepStrictEqual([standing.unplaced, standing.misplaced], [[], []])
      yield* onTarget(coordinator, (sql) =>
        Effect.gen(function* () {
          yield* sql`INSERT INTO workspaces (id, name, plan, created_at) VALUES ('w1', 'w', 'free', now())`
          yield* sql`INSERT INTO audit_events (workspace_id, id, at, actor_type, action, target_type, target_id, details)
            VALUES ('w1', 'e', now(), 'system', 'a', 't', 'i', '{}')`
          yield* Effect.flip(sql`DELETE FROM audit_events WHERE workspace_id = 'w1' AND id = 'e'`)
        })
      )
      assert.isTrue(changedNothing(yield* distributeDatabase(coordinator)))
    }).pipe(Effect.scoped)
  )

  it.live("is exported and imported as any other, into one server and into a distributed one", () =>
    Effect.gen(function* () {
      const textOf = (target: PgAdapters.Target) =>
        Effect.gen(function* () {
          let text = ""
          yield* exportDatabase(target, (lines) => Effect.sync(() => (text += lines)))
          return text
        })
      const { coordinator: source } = yield* joinedDatabase
      yield* fillDatabase(source)
      const before = yield* contents(source)
      yield* distributeDatabase(source, { shards })
      const { coordinator: other } = yield* distributedDatabase
      const single = yield* joinedDatabase
      yield* importDatabase(other, Stream.make(yield* textOf(source)))
      assert.deepStrictEqual(yield* contents(other), before)
      yield* importDatabase(single.coordinator, Stream.make(yield* textOf(other)))
      assert.deepStrictEqual(yield* contents(single.coordinator), before)
    }).pipe(Effect.scoped)
  )
})
