import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import {
  claimed,
  epoch,
  makeGif,
  makeOutput,
  makePending,
  makeQueued,
  makeWorkspace
} from "@loopbox/testing/fixtures/storeFixtures"
import { Members } from "@loopbox/core/workspaces/Members"
import { MediaContextStore } from "@loopbox/core/inbox/MediaContextStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { deleted, edited, posted } from "@loopbox/testing/fixtures/activities"
import { connect, idOf, ingest, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { threadOfKey } from "@loopbox/testing/fixtures/threadFixtures"
import { makeOperation } from "@loopbox/testing/fixtures/outboundFixtures"
import { Effect, Layer, Option, Result } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { tableNames } from "../../src/tables.ts"
import { fillSyncs } from "../stores/sync/syncRows.ts"

/** Fills a migrated database with a row of every kind and text that is hard to quote. */
export const fillDatabase = Effect.fnUntraced(function* (target: PgAdapters.Target) {
  const fill = Effect.gen(function* () {
    const [store, sql] = [yield* ConversionStore, yield* SqlClient.SqlClient]
    const now = yield* epoch
    const { id } = yield* makeWorkspace("growth", now)
    yield* (yield* Members).set(id, 'a "quoted", (odd) \\ user\n💡', "owner")
    yield* makeGif(id, now)
    yield* makePending(id, now)
    yield* makeQueued(id, now)
    const claim = yield* claimed(now)
    yield* store.succeed(claim, yield* makeOutput(claim), now)
    yield* makeQueued(id, now)
    yield* (yield* WebhookDeliveries).store(
      { id: "delivery", endpoint: "meta", body: Uint8Array.of(0, 255, 92), arrivedAt: now },
      now
    )
    const account = yield* connect(id, { owner: "u\t1", username: "Page", at: now })
    const nameless = { id: Option.some("psid"), name: Option.none(), username: Option.none() }
    yield* ingest(
      account,
      [
        posted({ body: 'NULL, (\\N) {"}' }),
        posted({ externalId: "dm", source: "ig_dm", author: nameless }),
        edited(1, "early", { externalId: "later" }),
        deleted({ externalId: "gone" })
      ],
      { completes: ["delivery"], now }
    )
    yield* fillSyncs(account)
    const commented = { workspaceId: id, accountId: account.id, postId: "p1" }
    yield* (yield* MediaContextStore).put(commented, { context: Option.none(), fetchedAt: now })
    const itemId = yield* idOf(scopeOf(id), "dm")
    const labels = ["a, (b)", "Straße"]
    yield* (yield* ThreadStore).setLabels(scopeOf(id), (yield* threadOfKey(scopeOf(id), "dm")).id, labels, now)
    const reply = yield* makeOperation(account, now, { itemId, key: "k", text: 'a "quoted", (odd) \\ reply\n💡' })
    yield* (yield* OutboundStore).submit(reply, () => Result.succeed(reply))
    const post = yield* makeKeptPost(id, [account], now, { key: "k", text: 'a "quoted", (odd) \\ post\n💡' })
    yield* (yield* PostStore).submit({ workspaceId: id, idempotencyKey: Option.none() }, () => Result.succeed(post))
    yield* sql`INSERT INTO connect_sessions VALUES (${id}, 'con_1', '\\x01', 'sealed', 'facebook', 'facebook', NULL, 'choosing',
      'https://a.example/?b="c"', '["inbox"]', NULL, '[]', NULL, now(), now(), NULL)`
    yield* sql`INSERT INTO connect_attempts VALUES (${id}, 'con_1', 1, '\\x02', '\\x03', 'https://b.example', 'sealed',
      '{"_tag":"Open"}', now(), now())`
    yield* sql`UPDATE items SET is_read = true WHERE workspace_id = ${id} AND kind = 'live'`
    yield* sql`INSERT INTO action_paces VALUES (${id}, 'acc_1', 'like', '{2026-11-21T12:00:00Z}')`
    yield* sql`INSERT INTO saved_replies VALUES (${id}, 'srp_1', 'u0', 'Hours', 'From 9 to 18', now(), now())`
    yield* sql`INSERT INTO thread_notes VALUES (${id}, ${account.id}, 'nte_1', 'thr_1', E'a "note"\n', NULL, now())`
    yield* sql`INSERT INTO outgoing_endpoints VALUES (${id}, 'whe_1', 'u0', 'https://c.example/?d="e"', '{inbox.*,"account.*"}',
      'a "quoted", (odd) \\ note', 'failing', NULL, true, 1, now(), NULL, now(), now(), 3, NULL)`
    yield* sql`INSERT INTO outgoing_secrets VALUES (${id}, 'whe_1', 1, 'sealed', now()), (${id}, 'whe_1', 2, 'sealed', NULL)`
    yield* sql`INSERT INTO outgoing_lanes VALUES (${id}, 'whe_1', true, 0, false, now(), 7, true, '{whd_1}', now())`
    yield* sql`INSERT INTO outgoing_positions VALUES (${id}, 7)`
    yield* sql`INSERT INTO outgoing_deliveries VALUES (${id}, 'whd_1', 'whe_1', 'whe_1.7', 'inbox.new_item', 7, 0, NULL, 'u0',
      '{"a":"\\u0000 \\"b\\""}', 'pending', 2, 1, '[{"at":1,"status":500}]', now(), now(), 'token', now())`
    yield* sql`INSERT INTO api_key_uses VALUES (${id}, 'key_1', now())`
    yield* sql`INSERT INTO test_clock (offset_ms) VALUES (90000000)`
    yield* sql`INSERT INTO console_grants VALUES ('\\x05', 'session', '\\x06', now())`
    yield* sql`INSERT INTO sweep_turns VALUES ('media', NULL, NULL, now())`
    yield* sql`INSERT INTO deletion_requests VALUES ('code', '\\x04', '[]', now(), NULL)`
    yield* sql`INSERT INTO erasures VALUES (${id}, 'managed_user', 'u0', now())`
    yield* sql`INSERT INTO members SELECT ${id}, 'user ' || n, 'viewer' FROM generate_series(1, 2500) n`
    yield* sql`UPDATE installation SET id = 'here', sealed_check = 'sealed', test_clock_offset_ms = 90000000`
  })
  yield* Effect.provide(fill, [
    PgAdapters.layerTarget(target, { migrate: false }).pipe(Layer.provideMerge(layerNetworks)),
    SecureRandom.layerWebCrypto
  ])
})

/** All that a database holds, by table, as PostgreSQL prints it. */
export const contents = (target: PgAdapters.Target) =>
  PgAdapters.withLongRunningClient(
    target,
    {},
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.forEach(tableNames, (table) =>
        Effect.map(sql<{ record: string }>`SELECT t::text AS record FROM ${sql(table)} t`, (rows) =>
          [table, ...rows.map(({ record }) => record).toSorted()].join("\n")
        )
      )
    )
  )
