import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import {
  EmbeddedPostgres,
  exportDatabase,
  exportToFile,
  importDatabase,
  importFromFile,
  PgAdapters,
  targetOf
} from "@loopbox/adapters-postgres"
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
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Result, Stream } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { systemBinaries } from "../../src/embedded/binaries.ts"
import { tableNames } from "../../src/tables.ts"
import { fillSyncs } from "../stores/sync/syncRows.ts"
import { testDatabase } from "../testDatabase.ts"

const hasSystemServer = systemBinaries().length > 0

/** A database with a row of every kind and text that is hard to quote. */
const filled = Effect.gen(function* () {
  const target = yield* testDatabase()
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
    yield* sql`INSERT INTO console_grants VALUES ('\\x05', 'session', '\\x06', now())`
    yield* sql`INSERT INTO deletion_requests VALUES ('code', '\\x04', '[]', now(), NULL)`
    yield* sql`INSERT INTO erasures VALUES (${id}, 'managed_user', 'u0', now())`
    yield* sql`INSERT INTO members SELECT ${id}, 'user ' || n, 'viewer' FROM generate_series(1, 2500) n`
    yield* sql`UPDATE installation SET id = 'here', sealed_check = 'sealed', test_clock_offset_ms = 90000000`
  })
  yield* Effect.provide(fill, [
    PgAdapters.layerTarget(target, { migrate: false }).pipe(Layer.provideMerge(layerNetworks)),
    SecureRandom.layerWebCrypto
  ])
  return target
})

/** All that a database holds, in one text. */
const contents = (target: PgAdapters.Target) =>
  PgAdapters.withLongRunningClient(
    target,
    {},
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.forEach(
        tableNames,
        (table) => sql`SELECT md5(string_agg(t::text, '|' ORDER BY t::text)), count(*)::int FROM ${sql(table)} t`
      )
    )
  )

const textOf = (target: PgAdapters.Target) =>
  Effect.gen(function* () {
    let text = ""
    const counts = yield* exportDatabase(target, (lines) => Effect.sync(() => (text += lines)))
    return { text, counts }
  })

const importText = (target: PgAdapters.Target, text: string) => importDatabase(target, Stream.make(text))

describe("Export and import", () => {
  it.live("have a row of every table to try", () =>
    Effect.gen(function* () {
      const { counts } = yield* textOf(yield* filled)
      const empty = Object.entries(counts).filter(([, count]) => count === 0)
      assert.deepStrictEqual(empty, [["api_keys", 0]])
    }).pipe(Effect.scoped)
  )

  it.live("bring a whole database into a new one, by a file that only its owner reads", () =>
    Effect.gen(function* () {
      const [source, target] = [yield* filled, yield* testDatabase("empty")]
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "loopbox-export-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(folder, { recursive: true })))
      const file = path.join(folder, "all.loopbox")
      const exported = yield* exportToFile(source, file)
      assert.strictEqual(exported.members, 2501)
      assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
      assert.deepStrictEqual(fs.readdirSync(folder), ["all.loopbox"])
      assert.deepStrictEqual(yield* importFromFile(target, file), exported)
      assert.deepStrictEqual(yield* contents(target), yield* contents(source))
      // And it is used as any other.
      yield* Effect.scoped(Layer.build(PgAdapters.layerTarget(target)))
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!hasSystemServer)("bring it to another major version and back, unchanged", () =>
    Effect.gen(function* () {
      const [source, back] = [yield* filled, yield* testDatabase("empty")]
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "loopbox-other-"))
      fs.chmodSync(folder, 0o755)
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true })))
      const system = EmbeddedPostgres.layer({ folder, programs: "system", settings: { fsync: "off" } })
      const other = targetOf(Context.get(yield* Layer.build(system), EmbeddedPostgres))
      yield* importText(other, (yield* textOf(source)).text)
      assert.deepStrictEqual(yield* contents(other), yield* contents(source))
      yield* importText(back, (yield* textOf(other)).text)
      assert.deepStrictEqual(yield* contents(back), yield* contents(source))
    }).pipe(Effect.scoped)
  )

  it.live("refuse a database that has data", () =>
    Effect.gen(function* () {
      const source = yield* filled
      const { text } = yield* textOf(source)
      const before = yield* contents(source)
      const error = yield* Effect.flip(importText(source, text))
      assert.strictEqual(error._tag === "ImportRefused" && error.reason, "NotEmpty")
      assert.deepStrictEqual(yield* contents(source), before)
    }).pipe(Effect.scoped)
  )

  it.live("refuse a database that has anything, of whatever table", () =>
    Effect.gen(function* () {
      const { text } = yield* textOf(yield* filled)
      const target = yield* testDatabase()
      const on = (statement: string) =>
        PgAdapters.withLongRunningClient(
          target,
          {},
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))
        )
      // What an erased workspace leaves for a while, and what came from a network before there was any.
      const rows = {
        webhook_deliveries: "('d', 'meta', '', 'pending', '', 0, now(), now())",
        events: "('w', 1, now(), NULL, NULL, NULL, '{}')",
        managed_users: "('w', 'u', now())"
      }
      for (const [table, row] of Object.entries(rows)) {
        yield* on(`INSERT INTO ${table} VALUES ${row}`)
        const error = yield* Effect.flip(importText(target, text))
        assert.strictEqual(error._tag === "ImportRefused" && error.reason, "NotEmpty", table)
        yield* on(`DELETE FROM ${table}`)
      }
      yield* importText(target, text)
    }).pipe(Effect.scoped)
  )

  it.live("refuse a file that is cut off, altered, of another schema or no export, and store nothing", () =>
    Effect.gen(function* () {
      const [source, target] = [yield* filled, yield* testDatabase()]
      const { text } = yield* textOf(source)
      const lines = text.trimEnd().split("\n")
      const bad = {
        "cut off": lines.slice(0, -1).join("\n"),
        "a row less": [...lines.slice(0, 6), ...lines.slice(7)].join("\n"),
        altered: text.replace("growth", "team"),
        "no export": "PGDMP",
        empty: ""
      }
      for (const [name, file] of Object.entries(bad)) {
        const error = yield* Effect.flip(importText(target, file))
        assert.strictEqual(error._tag === "ImportRefused" && error.reason, "Damaged", name)
      }
      const other = yield* Effect.flip(importText(target, text.replace("0001_foundation", "0001_other")))
      assert.strictEqual(other._tag === "ImportRefused" && other.reason, "OtherSchema")
      assert.strictEqual((yield* textOf(target)).counts.members, 0)
      // After all that, the whole file still goes in.
      yield* importText(target, text)
      assert.deepStrictEqual(yield* contents(target), yield* contents(source))
    }).pipe(Effect.scoped)
  )
})
