import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { deleted, noon, posted } from "@loopbox/testing/fixtures/activities"
import { connect, idOf, inboxWorld, ingest, makeInboxWorkspace, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { listedThreads, moveTo, threadOfKey, walkThreads } from "@loopbox/testing/fixtures/threadFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { threadRecords } from "../../../src/migrations/0026_thread_records.ts"
import { threadLabels } from "../../../src/migrations/0033_thread_labels.ts"
import { layerStores } from "../../testDatabase.ts"

/** The tables as the version before migration 0026 has them. */
const before = [
  "DROP FUNCTION loopbox_note_thread CASCADE",
  "DROP TABLE thread_recounts",
  "DROP TABLE thread_labels",
  "DROP FUNCTION loopbox_follow_thread CASCADE",
  "ALTER TABLE items DROP COLUMN rev",
  `ALTER TABLE threads DROP COLUMN id, DROP COLUMN is_kept, DROP COLUMN item_count, DROP COLUMN unread_count,
    DROP COLUMN last_item_at, DROP COLUMN last_item_id, DROP COLUMN last_inbound_at, DROP COLUMN participants,
    DROP COLUMN created_at, DROP COLUMN snoozed_until, DROP COLUMN labels`
]

/** What the migrations leave in rows. */
const migrated = [
  "DELETE FROM thread_recounts",
  "DELETE FROM thread_labels",
  "UPDATE items SET rev = NULL WHERE rev IS NOT NULL",
  `UPDATE threads SET id = NULL, is_kept = false, item_count = 0, unread_count = 0, last_item_at = NULL,
    last_item_id = NULL, last_inbound_at = NULL, participants = '[]', created_at = NULL, snoozed_until = NULL,
    labels = '{}'`
]

/**
 * Takes from every thread what it keeps, by the migrations themselves. No database was distributed before them: the rows
 * of a distributed one are brought to what they leave.
 */
const migrateAnew = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const isDistributed = (inject("loopboxTestServer").workers ?? []).length > 0
  for (const statement of isDistributed ? migrated : before) yield* sql.unsafe(statement)
  if (isDistributed) return
  yield* threadRecords
  yield* threadLabels
})

const notes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT DISTINCT thread_key FROM thread_recounts ORDER BY thread_key`).map(
    (row) => row["thread_key"]
  )
})

/** Counts as the worker does, a few at once. Returns how many there were. */
const countAll = Effect.fnUntraced(function* (limit: number) {
  const store = yield* ThreadStore
  let counted = 0
  let batch: number
  do {
    batch = yield* store.countLeft(limit)
    counted += batch
  } while (batch > 0)
  return counted
})

/** The threads of a scope, and the same with everything counted from the items alone. */
const shownAndCounted = Effect.fnUntraced(function* (scope: ItemScope) {
  const shown = yield* walkThreads(scope)
  yield* migrateAnew
  yield* countAll(100)
  return [shown, yield* walkThreads(scope)] as const
})

const said = (externalId: string, threadKey: string, minute: number, more: Parameters<typeof posted>[0] = {}) =>
  posted({
    externalId,
    threadKey,
    receivedAt: DateTime.add(noon, { minutes: minute }),
    author: { id: Option.some(`by ${minute % 3}`), name: Option.some(`Name ${minute % 3}`), username: Option.none() },
    ...more
  })

/** An account with threads of every kind: with own items, read ones, deleted ones, and one of which nothing is left. */
const filled = Effect.gen(function* () {
  const workspace = yield* makeInboxWorkspace()
  const account = yield* connect(workspace.id, { owner: "u1" })
  const scope = scopeOf(workspace.id)
  yield* ingest(account, [
    ...Array.from({ length: 8 }, (_, n) => said(`a${n}`, "a", n)),
    said("a own", "a", 20, { isOwn: true }),
    said("b1", "b", 3),
    said("b2", "b", 5),
    said("c", "c", 4),
    said("m", "d", 6, { source: "ig_dm" }),
    said("mine", "own", 7, { isOwn: true })
  ])
  yield* ingest(account, [deleted({ externalId: "b2" }), deleted({ externalId: "c" })])
  const inbox = yield* InboxStore
  yield* inbox.markRead(scope, yield* idOf(scope, "a3"), noon)
  yield* moveTo(scope, yield* threadOfKey(scope, "b"), { status: "assigned", assignedTo: Option.some("eve") })
  return { account, scope }
})

/** What the older version writes under the thread's lock: it knows no `rev`, and of a thread only its state. */
const olderAdds = Effect.fnUntraced(
  function* ({ id, workspaceId }: SocialAccount, from: string, externalId: string, key: string) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO threads AS t (workspace_id, account_id, source, thread_key, status, assignee)
      SELECT workspace_id, account_id, source, ${key}, 'open', '' FROM items
      WHERE workspace_id = ${workspaceId} AND account_id = ${id} AND external_id = ${from}
      ON CONFLICT (workspace_id, account_id, source, thread_key) DO UPDATE SET status = t.status`
    yield* sql`INSERT INTO items (workspace_id, account_id, source, external_id, kind, id, thread_key, thread_status,
        assignee, is_read, is_own, is_hidden, received_at, created_at, author_id, author_name, body, attachments, detail)
      SELECT workspace_id, account_id, source, ${externalId}, kind,
        left(id, 12) || substr(md5(${externalId}), 1, length(id) - 12), ${key}, 'open', '', false, false,
        is_hidden, received_at + interval '1 hour', created_at, 'older', 'Older', body, attachments, detail
      FROM items WHERE workspace_id = ${workspaceId} AND account_id = ${id} AND external_id = ${from}`
  },
  (adding) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(adding))
)

const olderChanges = Effect.fnUntraced(function* (
  { id, workspaceId }: SocialAccount,
  externalId: string,
  changes: string
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE items SET ${sql.literal(changes)} WHERE workspace_id = ${workspaceId} AND account_id = ${id} AND external_id = ${externalId}`
})

layer(inboxWorld(layerStores()), { excludeTestServices: true })("threads of a version that keeps no counts", (it) => {
  it.effect("are in no list until the worker has counted them, in batches, and then are what they were", () =>
    Effect.gen(function* () {
      const { scope } = yield* filled
      const shown = yield* walkThreads(scope)
      assert.deepStrictEqual(shown.map(({ threadKey }) => threadKey).sort(), ["a", "b", "d", "own"])
      yield* migrateAnew
      assert.deepStrictEqual(yield* walkThreads(scope), [])
      const store = yield* ThreadStore
      assert.isAtMost(yield* store.countLeft(2), 2)
      assert.isAtMost((yield* walkThreads(scope)).length, 2)
      assert.isAtLeast(yield* countAll(2), 3)
      assert.deepStrictEqual(yield* walkThreads(scope), shown)
    })
  )

  it.effect("take what is ingested, read and moved before they are counted", () =>
    Effect.gen(function* () {
      const { account, scope } = yield* filled
      yield* migrateAnew
      yield* ingest(account, [said("a later", "a", 30), said("b later", "b", 31), said("new", "new", 32)])
      yield* ingest(account, [deleted({ externalId: "a7" })])
      const inbox = yield* InboxStore
      yield* inbox.markRead(scope, yield* idOf(scope, "a1"), noon)
      yield* inbox.markBatch(scope, { upToSeq: 10_000, limit: 3, at: noon })
      // A thread of this version has its counts from its first item on.
      assert.deepStrictEqual(yield* listedThreads(scope), ["new"])
      yield* countAll(3)
      assert.deepStrictEqual(yield* listedThreads(scope), ["new", "b", "a", "own", "d"])
      yield* ingest(account, [said("last", "a", 40)])
      const [shown, counted] = yield* shownAndCounted(scope)
      assert.deepStrictEqual(shown, counted)
      assert.strictEqual((yield* threadOfKey(scope, "b")).status, "assigned")
    })
  )

  it.effect("are counted again where the older version goes on writing beside, and nowhere else", () =>
    Effect.gen(function* () {
      const { account, scope } = yield* filled
      yield* migrateAnew
      yield* countAll(100)
      yield* ingest(account, [said("ours", "a", 50)])
      yield* (yield* InboxStore).markRead(scope, yield* idOf(scope, "ours"), noon)
      assert.deepStrictEqual(yield* notes, [])

      yield* olderAdds(account, "a1", "theirs", "a")
      yield* olderAdds(account, "a2", "theirs too", "new")
      yield* olderChanges(account, "m", "is_read = true")
      yield* olderChanges(account, "b1", `kind = 'deleted', is_read = NULL, body = NULL`)
      yield* olderChanges(account, "mine", "body = 'edited'")
      assert.deepStrictEqual(yield* notes, ["a", "b", "d", "new"])
      // This version adds to what it keeps, and the worker's count has both.
      yield* ingest(account, [said("ours too", "a", 51)])
      yield* countAll(2)
      assert.deepStrictEqual(yield* notes, [])
      const [shown, counted] = yield* shownAndCounted(scope)
      assert.deepStrictEqual(shown, counted)
      assert.deepStrictEqual(
        shown.map(({ itemCount, threadKey, unreadCount }) => [threadKey, itemCount, unreadCount]),
        [
          ["new", 1, 1],
          ["a", 12, 9],
          ["own", 1, 0],
          ["d", 1, 0]
        ]
      )
    })
  )

  it.effect("are counted right by several workers, while both versions write", () =>
    Effect.gen(function* () {
      const { account, scope } = yield* filled
      yield* migrateAnew
      const inbox = yield* InboxStore
      const writes = Array.from({ length: 24 }, (_, n) =>
        n % 3 === 0
          ? olderAdds(account, "a2", `older ${n}`, `t${n % 4}`)
          : n % 3 === 1
            ? ingest(account, [said(`ours ${n}`, n % 2 === 0 ? "a" : `t${n % 4}`, n)])
            : inbox.markBatch(scope, { upToSeq: 10_000, limit: 1, at: noon })
      )
      yield* Effect.all([...writes, countAll(1), countAll(2), countAll(1)], { concurrency: 6, discard: true })
      yield* countAll(5)
      assert.deepStrictEqual(yield* notes, [])
      const [shown, counted] = yield* shownAndCounted(scope)
      assert.deepStrictEqual(shown, counted)
    })
  )
})
