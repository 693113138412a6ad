import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { eraseDue } from "@loopbox/core/accounts/eraseDue"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { noon } from "@loopbox/testing/fixtures/activities"
import { connect, makeInboxWorkspace, redactNames } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { fillAccount } from "./largeAccounts.ts"
import { leftOf } from "./leftOf.ts"
import { findCostly, oneConnection } from "../stores/rowsRead.ts"
import { layerStores, testDatabase } from "../testDatabase.ts"
import { awaitWaiting } from "../waiting.ts"

// By triggers of their own, which no distributed table takes.
const world = Layer.merge(layerStores({ lockTimeout: "60 seconds" }, "alone"), SecureRandom.layerWebCrypto)

const filled = ["events", "items", "threads", "author_profiles", "media_contexts"]

/** Whoever deletes the item waits as long as somebody else has the lock of this number. */
const holdDeletionOf = Effect.fnUntraced(function* (items: Readonly<Record<string, number>>) {
  const sql = yield* SqlClient.SqlClient
  const cases = Object.entries(items).map(([name, lock]) => `WHEN '${name}' THEN ${lock}`)
  yield* sql.unsafe(`CREATE OR REPLACE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_advisory_xact_lock_shared(CASE OLD.external_id ${cases.join(" ")} END); RETURN OLD; END $$`)
  yield* sql.unsafe(`CREATE OR REPLACE TRIGGER hold BEFORE DELETE ON items FOR EACH ROW
    WHEN (OLD.external_id IN (${Object.keys(items)
      .map((name) => `'${name}'`)
      .join(", ")})) EXECUTE FUNCTION hold()`)
})

layer(world, { excludeTestServices: true })("Erasing at once", (it) => {
  it.effect("leaves nothing behind when one of two erasers ends in the middle (H1)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* makeInboxWorkspace()
      const account = yield* connect(id, { owner: "u1" })
      yield* fillAccount(account, 6_000)
      yield* holdDeletionOf({ c100: 1, c5900: 2 })
      // Both erasers meet in the first batch; the first one then stands still in a later one until it is cut off.
      const open = yield* sql.reserve
      yield* open.executeRaw("SELECT pg_advisory_lock(1), pg_advisory_lock(2)", [])
      const first = yield* Effect.forkChild((yield* ManagedUsers).erase(id, "u1", redactNames))
      yield* awaitWaiting(1)
      const second = yield* Effect.forkChild(eraseDue(noon, redactNames))
      yield* Effect.raceFirst(awaitWaiting(2), Effect.sleep("2 seconds"))
      yield* open.executeRaw("SELECT pg_advisory_unlock(1)", [])
      yield* Effect.raceFirst(Fiber.await(second), Effect.sleep("2 seconds"))
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(second)
      yield* open.executeRaw("SELECT pg_advisory_unlock(2)", [])
      yield* eraseDue(noon, redactNames)
      assert.deepStrictEqual(yield* leftOf(id, account.id), ["events"])
    }).pipe(Effect.scoped)
  )

  it.effect("goes on with the next account when one can't be erased just now (H2)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* SocialAccounts
      const { id } = yield* makeInboxWorkspace()
      const stuck = yield* connect(id, { networkAccountId: "stuck" })
      const other = yield* connect(id, { networkAccountId: "other" })
      yield* fillAccount(stuck, 10)
      yield* fillAccount(other, 10)
      yield* sql.unsafe(`CREATE FUNCTION cancel() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '57014'; END $$`)
      yield* sql.unsafe(`CREATE TRIGGER cancel BEFORE DELETE ON threads FOR EACH ROW
        WHEN (OLD.account_id = '${stuck.id}') EXECUTE FUNCTION cancel()`)
      for (const { id: accountId } of [stuck, other]) {
        yield* accounts.disconnect(id, accountId, DateTime.subtract(noon, { days: 2 }))
      }
      yield* eraseDue(DateTime.subtract(noon, { days: 1 }), redactNames)
      yield* sql`DROP TRIGGER cancel ON threads`
      assert.deepStrictEqual(yield* leftOf(id, other.id), [])
      assert.include(yield* leftOf(id, stuck.id), "threads")
    })
  )

  it.effect("deletes no more than a batch of any table in one statement (H2)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* makeInboxWorkspace()
      const account = yield* connect(id, { owner: "u1" })
      yield* fillAccount(account, 6_000)
      yield* sql.unsafe(`CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM gone) > 5000 THEN RAISE EXCEPTION 'too many rows of % at once', TG_TABLE_NAME; END IF;
        RETURN NULL; END $$`)
      for (const table of filled) {
        yield* sql.unsafe(`CREATE TRIGGER refuse_many AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
          FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`)
      }
      assert.isTrue(yield* (yield* ManagedUsers).erase(id, "u1", redactNames))
      assert.deepStrictEqual(yield* leftOf(id, account.id), ["events"])
    })
  )
})

describe("Erasing a managed user", () => {
  it.effect("reads nothing of the workspace's other events (H2)", () =>
    Effect.gen(function* () {
      // Counted by one server: a distributed database's rows are read on others.
      const target = yield* testDatabase("alone")
      const found = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* makeInboxWorkspace()
        yield* fillAccount(yield* connect(id, { networkAccountId: "busy", owner: "busy" }), 7_500)
        yield* fillAccount(yield* connect(id, { networkAccountId: "quiet", owner: "quiet" }), 10)
        yield* sql`ANALYZE`
        const erase = (yield* ManagedUsers).erase(id, "quiet", redactNames)
        return yield* findCostly(filled, { erase })
      }).pipe(Effect.provide(oneConnection(target, "force_generic_plan")))
      assert.deepStrictEqual(found, [])
    }).pipe(Effect.scoped)
  )
})
