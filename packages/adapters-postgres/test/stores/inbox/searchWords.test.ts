import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import { SearchWords } from "@loopbox/core/inbox/SearchWords"
import { parseSearch } from "@loopbox/core/search/SearchQuery"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import {
  connect,
  inboxWorld,
  ingest,
  listed,
  makeInboxWorkspace,
  scopeOf
} from "@loopbox/testing/fixtures/inboxFixtures"
import { listedThreads, threadOfKey } from "@loopbox/testing/fixtures/threadFixtures"
import { layerStores } from "../../testDatabase.ts"

const asked = (q: string) => ({ search: parseSearch(q) })

/** Everything that is without words in this database. */
const fillAll = Effect.gen(function* () {
  const words = yield* SearchWords
  while ((yield* words.fill(100)) === 100);
})

const world = Effect.gen(function* () {
  const { id } = yield* makeInboxWorkspace()
  return { id, account: yield* connect(id), scope: scopeOf(id), sql: yield* SqlClient.SqlClient }
})

layer(inboxWorld(layerStores()))("The words of items", (it) => {
  it.effect("are made for what an older version stored, changed or deleted beside this one", () =>
    Effect.gen(function* () {
      const { account, id, scope, sql } = yield* world
      yield* ingest(account, [posted({ externalId: "a", body: "apples" }), posted({ externalId: "b", body: "pears" })])
      yield* sql`DELETE FROM item_words WHERE workspace_id = ${id}`
      yield* sql`UPDATE items SET worded = NULL WHERE workspace_id = ${id}`
      assert.deepStrictEqual(yield* listed(scope, asked("apples")), [])
      yield* fillAll
      assert.deepStrictEqual(yield* listed(scope, asked("apples")), ["a"])

      yield* sql`UPDATE item_words SET thread_key = NULL WHERE workspace_id = ${id}`
      assert.deepStrictEqual(yield* listedThreads(scope, asked("apples")), [])
      yield* fillAll
      assert.strictEqual((yield* listedThreads(scope, asked("apples"))).length, 1)

      yield* sql`UPDATE items SET body = 'cherries' WHERE workspace_id = ${id} AND external_id = 'a'`
      yield* sql`UPDATE items SET kind = 'deleted', body = NULL WHERE workspace_id = ${id} AND external_id = 'b'`
      yield* fillAll
      assert.deepStrictEqual(yield* listed(scope, asked("cherries")), ["a"])
      assert.deepStrictEqual(yield* listed(scope, asked("apples")), [])
      assert.deepStrictEqual(yield* sql`SELECT external_id FROM item_words WHERE workspace_id = ${id}`, [
        { external_id: "a" }
      ])
    })
  )

  it.effect("are made for notes that an older version wrote beside this one", () =>
    Effect.gen(function* () {
      const { account, id, scope, sql } = yield* world
      yield* ingest(account, [posted({ externalId: "a", body: "apples" }), posted({ externalId: "b", body: "pears" })])
      const [key = ""] = yield* listedThreads(scope)
      const thread = yield* threadOfKey(scope, key)
      yield* sql`INSERT INTO thread_notes (workspace_id, account_id, id, thread_id, text, author, created_at)
        SELECT ${id}, ${account.id}, 'nte_' || n, ${thread.id}, 'a plum', NULL, now() FROM generate_series(1, 150) n`
      assert.deepStrictEqual(yield* listedThreads(scope, asked("plum")), [])
      yield* fillAll
      assert.deepStrictEqual(yield* listedThreads(scope, asked("plum")), [thread.threadKey])
    })
  )

  it.effect("are made anew where an older version has made or makes them, which left vowel signs in", () =>
    Effect.gen(function* () {
      const { account, id, scope, sql } = yield* world
      const bodies = ["مُحَمَّد", "أحمد", "שָׁלוֹם", "Đà Nẵng"]
      yield* ingest(
        account,
        bodies.map((body, n) => posted({ externalId: `${n}`, threadKey: `${n}`, body }))
      )
      const [key = ""] = yield* listedThreads(scope)
      const thread = yield* threadOfKey(scope, key)
      const mark = id.slice(-8)
      const ofOlder = (word: string) => `'${mark}:${word}'`
      for (const [n, word] of bodies.entries()) {
        yield* sql`UPDATE item_words SET words = ${ofOlder(word.toLowerCase().replace(" ", `' '${mark}:`))}::tsvector
          WHERE workspace_id = ${id} AND external_id = ${`${n}`}`
      }
      yield* sql`INSERT INTO thread_notes (workspace_id, account_id, id, thread_id, text, author, created_at, words)
        VALUES (${id}, ${account.id}, 'nte_1', ${thread.id}, 'السَّلام', NULL, now(), ${ofOlder("السَّلام")}::tsvector)`
      const searches = ["محمد", "احمد", "שלום", "da nang"]
      for (const q of searches) assert.deepStrictEqual(yield* listed(scope, asked(q)), [], q)
      assert.deepStrictEqual(yield* listedThreads(scope, asked("السلام")), [])
      yield* fillAll
      for (const [n, q] of searches.entries()) assert.deepStrictEqual(yield* listed(scope, asked(q)), [`${n}`], q)
      assert.deepStrictEqual(yield* listedThreads(scope, asked("السلام")), [thread.threadKey])
      const words = yield* SearchWords
      assert.strictEqual(yield* words.fill(100), 0)
    })
  )

  it.effect("lead to a rare word behind thousands of newer items", () =>
    Effect.gen(function* () {
      const { account, scope, sql } = yield* world
      const at = (seconds: number) => DateTime.add(noon, { seconds })
      yield* ingest(account, [
        posted({ externalId: "old", body: "a needle", receivedAt: at(0) }),
        posted({ externalId: "older", body: "two needles", receivedAt: at(-1) })
      ])
      for (let batch = 0; batch < 5; batch++) {
        yield* ingest(
          account,
          Array.from({ length: 1_000 }, (_, n) =>
            posted({ externalId: `${batch}-${n}`, threadKey: "t", body: "hay", receivedAt: at(1 + n + 1_000 * batch) })
          )
        )
      }
      yield* sql`ANALYZE item_words`
      assert.deepStrictEqual(yield* listed(scope, { ...asked("needl"), limit: 1 }), ["old", "older"])
      assert.deepStrictEqual(yield* listed(scope, { ...asked("needles"), limit: 10 }), ["older"])
      const unread = { ...asked("needl"), isRead: Option.some(true) }
      assert.deepStrictEqual(yield* listed(scope, unread), [])
    })
  )

  it.effect("lead to a word that thousands of old items have, in a few pages of which the first may be empty", () =>
    Effect.gen(function* () {
      const { account, id, scope, sql } = yield* world
      yield* ingest(account, [
        posted({ externalId: "needle", body: "a needle" }),
        posted({ externalId: "hay", body: "hay", receivedAt: DateTime.add(noon, { seconds: 1 }) })
      ])
      // Of the newer ones only words, for nothing else of them is read.
      for (const [table, name, count, step] of [
        ["items", "needle", 5_200, -1],
        ["item_words", "needle", 5_200, -1],
        ["item_words", "hay", 36_000, 1]
      ] as const) {
        yield* sql`INSERT INTO ${sql(table)} SELECT r.* FROM generate_series(1, ${count}::integer) n, ${sql(table)} t,
            jsonb_populate_record(t, jsonb_build_object(
              'external_id', ${name}::text || n, 'id', overlay(t.id PLACING lpad(n::text, 6, '0') FROM 20),
              'received_at', t.received_at + ${step}::integer * make_interval(secs => n))) r
          WHERE t.workspace_id = ${id} AND t.external_id = ${name}`
      }
      yield* sql`ANALYZE items, item_words`
      const store = yield* InboxStore
      const query = { ...noFilter, ...asked("needle"), limit: 50 }
      const first = yield* store.list(scope, { ...query, after: Option.none() })
      assert.deepStrictEqual(first.items, [])
      const second = yield* store.list(scope, { ...query, after: first.next })
      assert.deepStrictEqual(
        second.items.map(({ externalId }) => externalId),
        ["needle", ...Array.from({ length: 49 }, (_, n) => `needle${n + 1}`)]
      )
      const last = yield* store.list(scope, {
        ...query,
        after: Option.none(),
        receivedBefore: Option.some(DateTime.add(noon, { seconds: -5_190 }))
      })
      assert.strictEqual(last.items.length, 10)
      assert.deepStrictEqual(last.next, Option.none())
    })
  )
})
