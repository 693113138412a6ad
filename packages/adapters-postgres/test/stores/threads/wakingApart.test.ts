import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import { connect, ingest, inboxWorld, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerStores } from "../../testDatabase.ts"

/** The account that is due first, and another, of workspaces of their own; and which of their threads are asleep. */
const makeDue = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const at = (minutes: number) => DateTime.toDateUtc(DateTime.add(noon, { minutes }))
  const [first, other] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
  for (const [n, { id }] of [first, other].entries()) {
    const account = yield* connect(id, { networkAccountId: id })
    yield* ingest(account, [posted({ externalId: "a", threadKey: "t", account: id })])
    yield* sql`UPDATE threads SET snoozed_until = ${at(n)} WHERE workspace_id = ${id}`
  }
  const asleep = Effect.map(
    sql`SELECT workspace_id FROM threads WHERE workspace_id = ANY(${[first.id, other.id]}::text[])
      AND snoozed_until IS NOT NULL`,
    (rows) => rows.map((row) => row["workspace_id"])
  )
  return { first, asleep }
})

layer(inboxWorld(layerStores({ lockTimeout: "300 millis" })))("Snoozes whose time has come", (it) => {
  it.effect("end although one of another account can't be ended by this version", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* ThreadStore
      const { asleep, first: newer } = yield* makeDue
      yield* sql`UPDATE threads SET participants = '[1]' WHERE workspace_id = ${newer.id}`
      // One at a time, so that the other waits behind it.
      for (let look = 0; look < 2; look++) yield* store.wakeDue(DateTime.add(noon, { minutes: 5 }), 1)
      assert.deepStrictEqual(yield* asleep, [newer.id])
      yield* sql`UPDATE threads SET participants = '[]' WHERE workspace_id = ${newer.id}`
      yield* store.wakeDue(DateTime.add(noon, { minutes: 10 }), 1)
      assert.deepStrictEqual(yield* asleep, [])
    })
  )

  it.effect("end although one of another account can't be locked", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* ThreadStore
      const { asleep, first: held } = yield* makeDue
      yield* Effect.gen(function* () {
        const open = yield* sql.reserve
        yield* open.executeRaw("BEGIN", [])
        yield* open.executeRaw("SELECT 1 FROM social_accounts WHERE workspace_id = $1 FOR UPDATE", [held.id])
        const look = store.wakeDue(DateTime.add(noon, { minutes: 5 }), 1)
        assert.strictEqual((yield* Effect.flip(look))._tag, "StoreUnavailable")
        assert.strictEqual(yield* look, 1)
        assert.deepStrictEqual(yield* asleep, [held.id])
        yield* open.executeRaw("COMMIT", [])
      }).pipe(Effect.scoped)
      yield* store.wakeDue(DateTime.add(noon, { minutes: 10 }), 1)
      assert.deepStrictEqual(yield* asleep, [])
    })
  )
})
