import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import { inboxWorld, ingest, listed } from "@loopbox/testing/fixtures/inboxFixtures"
import { layerStores } from "../../testDatabase.ts"
import { asked, world } from "./searched.ts"

layer(inboxWorld(layerStores()))("The words of thousands of items", (it) => {
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
