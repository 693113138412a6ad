import { assert, layer } from "@effect/vitest"
import { inboxWorld, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { noon } from "@loopbox/testing/fixtures/activities"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Members } from "@loopbox/core/workspaces/Members"
import { Effect, Exit, Option, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layerStores } from "../../testDatabase.ts"

const ActionRow = Schema.Struct({ action: Schema.String })
const decode = Schema.decodeUnknownEffect(Schema.Array(ActionRow))

layer(inboxWorld(layerStores()))("audit_events, whoever owns the table", (it) => {
  /** A workspace with an event of today, by the clock of the database. */
  const makeEvent = Effect.gen(function* () {
    const { id } = yield* makeInboxWorkspace()
    const sql = yield* SqlClient
    yield* sql`INSERT INTO audit_events
        (workspace_id, id, at, actor_type, action, target_type, target_id, details)
      SELECT ${id}, 'aud_today', now(), 'system', 'member.set', 'member', 'ann', '{}'`
    return id
  })
  const actionsOf = Effect.fnUntraced(function* (id: string) {
    const sql = yield* SqlClient
    const rows = yield* decode(yield* sql`SELECT action FROM audit_events WHERE workspace_id = ${id} ORDER BY action`)
    return rows.map(({ action }) => action)
  })

  it.effect("can't be updated, deleted or truncated", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const id = yield* makeEvent
      const attempts = [
        sql`UPDATE audit_events SET actor_id = 'somebody else' WHERE workspace_id = ${id}`,
        sql`UPDATE audit_events SET at = at - interval '500 days' WHERE workspace_id = ${id}`,
        sql`DELETE FROM audit_events WHERE workspace_id = ${id}`,
        sql`TRUNCATE audit_events`
      ]
      for (const attempt of attempts) assert.isTrue(Exit.isFailure(yield* Effect.exit(attempt)))
      assert.deepStrictEqual(yield* actionsOf(id), ["member.set"])
    })
  )

  it.effect("can be deleted after 400 days by the clock of the installation, and with its workspace", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const id = yield* makeEvent
      yield* sql`INSERT INTO test_clock (offset_ms) VALUES (401::bigint * 86400000)`
      yield* sql`DELETE FROM audit_events WHERE workspace_id = ${id}`
      yield* sql`DELETE FROM test_clock`
      assert.deepStrictEqual(yield* actionsOf(id), [])
      const gone = yield* makeEvent
      yield* sql`DELETE FROM workspaces WHERE id = ${gone}`
      yield* sql`DELETE FROM audit_events WHERE workspace_id = ${gone}`
      assert.deepStrictEqual(yield* actionsOf(gone), [])
    })
  )

  it.effect("of a managed user stays as long as he does", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id } = yield* makeInboxWorkspace()
      yield* sql`INSERT INTO managed_users (workspace_id, external_user_id, created_at) VALUES (${id}, 'u1', now())`
      yield* sql`INSERT INTO audit_events
          (workspace_id, id, at, actor_type, action, target_type, target_id, details)
        SELECT ${id}, 'aud_user', now(), 'system', 'managed_user.created', 'managed_user', 'u1', '{}'`
      const removed = sql`DELETE FROM audit_events WHERE workspace_id = ${id}`
      assert.isTrue(Exit.isFailure(yield* Effect.exit(removed)))
    })
  )

  it.effect("of an erased managed user stays with the digest in place of his id", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id } = yield* makeInboxWorkspace()
      const users = yield* ManagedUsers
      yield* users.put(id, "u1", noon)
      yield* users.erase(id, "u1", Option.none())
      // By the clock of the database, so that no event is old enough to go.
      yield* sql`INSERT INTO audit_events
          (workspace_id, id, at, actor_type, action, target_type, target_id, details)
        SELECT workspace_id, 'aud_today', now(), 'system', action, 'managed_user', target_id, '{}' FROM audit_events
        WHERE workspace_id = ${id} AND action = 'managed_user.erased'`
      const removed = sql`DELETE FROM audit_events WHERE workspace_id = ${id} AND id = 'aud_today'`
      assert.isTrue(Exit.isFailure(yield* Effect.exit(removed)))
    })
  )

  it.effect("has nothing of a change that is rolled back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id } = yield* makeInboxWorkspace()
      const changes = Effect.gen(function* () {
        yield* (yield* Members).set(id, "ann", "viewer")
        yield* (yield* ManagedUsers).put(id, "u1", noon)
        return yield* Effect.fail("rolled back")
      })
      yield* Effect.exit(sql.withTransaction(changes))
      assert.deepStrictEqual(yield* actionsOf(id), [])
    })
  )
})
