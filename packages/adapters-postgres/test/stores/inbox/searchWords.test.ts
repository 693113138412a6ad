import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SearchWords } from "@loopbox/core/inbox/SearchWords"
import { posted } from "@loopbox/testing/fixtures/activities"
import { inboxWorld, ingest, listed } from "@loopbox/testing/fixtures/inboxFixtures"
import { listedThreads, threadOfKey } from "@loopbox/testing/fixtures/threadFixtures"
import { layerStores } from "../../testDatabase.ts"
import { asked, world } from "./searched.ts"

/** Everything that is without words in this database. */
const fillAll = Effect.gen(function* () {
  const words = yield* SearchWords
  while ((yield* words.fill(100)) === 100);
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
})
