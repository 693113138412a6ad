import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import { posted } from "@loopbox/testing/fixtures/activities"
import { ingest } from "@loopbox/testing/fixtures/inboxFixtures"
import { sources } from "@loopbox/testing/fixtures/networks"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Benchmark } from "./Benchmark.ts"
import type { Asked } from "./scale/calls.ts"
import { findAsked, findOrFill, layerMeasured } from "./scale/databases.ts"
import { now } from "./scale/firstWorkspace.ts"
import { divided, full } from "./scale/sizes.ts"
import { withServer } from "./withServer.ts"

/** A server whose database stays. */
const kept = process.env["LOOPBOX_SCALE_SERVER"]
/** Full pages would be written after each checkpoint, and say nothing of the statements. */
const settings = { fsync: "off", full_page_writes: "off", autovacuum: "off" }
const items = 100
const division = 100

const Written = Schema.Array(
  Schema.Struct({
    table: Schema.String,
    name: Schema.String,
    isIndex: Schema.Boolean,
    entries: Schema.Int,
    bytes: Schema.Int
  })
)
type Written = typeof Written.Type

/** What the log has of a call, by table and index: entries of B-trees, rows of tables. */
const writtenBy = Effect.fnUntraced(function* <E, R>(call: Effect.Effect<unknown, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const place = Effect.map(sql`SELECT pg_current_wal_flush_lsn()::text AS lsn`, ([row]) => String(row?.["lsn"]))
  const from = yield* place
  yield* call
  const to = yield* place
  const rows = yield* sql`
    SELECT coalesce(t.relname, c.relname) AS "table", c.relname AS name, i.indexrelid IS NOT NULL AS "isIndex",
      count(*) FILTER (WHERE r.record_type ~ '^(INSERT|UPDATE|HOT_UPDATE|MULTI_INSERT|DELETE)')::int AS entries,
      sum(r.record_length)::int AS bytes
    FROM pg_get_wal_records_info(${from}::pg_lsn, ${to}::pg_lsn) r
    JOIN pg_class c ON c.relfilenode = substring(r.block_ref FROM 'blkref #0: rel [0-9]+/[0-9]+/([0-9]+)')::oid
    LEFT JOIN pg_index i ON i.indexrelid = c.oid
    LEFT JOIN pg_class t ON t.oid = i.indrelid
    WHERE r.resource_manager IN ('Btree', 'Heap', 'Heap2', 'Gin') AND c.relnamespace = 'public'::regnamespace
    GROUP BY 1, 2, 3 ORDER BY 1, 3, 2`
  return yield* Schema.decodeUnknownEffect(Written)(rows)
})

const bytesOf = (written: Written): number => written.reduce((sum, { bytes }) => sum + bytes, 0)

const perItem = (count: number): string => (count / items).toFixed(2)

/** One line for a call, and one for each index of the items. */
const linesOf = (name: string, written: Written): ReadonlyArray<string> => {
  const ofItems = written.filter(({ table }) => table === "items")
  const sum = (of: Written, key: "entries" | "bytes") => of.reduce((total, one) => total + one[key], 0)
  const [indexes, rows] = [ofItems.filter((one) => one.isIndex), ofItems.filter((one) => !one.isIndex)]
  return [
    `${name}, for each item: ${perItem(bytesOf(written))} bytes of log; items: ${perItem(sum(rows, "bytes"))} for the row, ` +
      `${perItem(sum(indexes, "bytes"))} for ${perItem(sum(indexes, "entries"))} index entries; ` +
      written
        .filter(({ isIndex, table }) => !isIndex && table !== "items")
        .map(({ table }) => `${table} ${perItem(bytesOf(written.filter((one) => one.table === table)))}`)
        .join(", "),
    ...indexes.map((one) => `  ${one.name}: ${perItem(one.entries)} entries, ${perItem(one.bytes)} bytes`)
  ]
}

/** What ingest and marks of 100 items write, one by one and at once. */
const measureAsked = Effect.fnUntraced(function* ([first, second, third]: ReadonlyArray<Asked>) {
  if (first === undefined || second === undefined || third === undefined) return yield* Effect.die(new Error("too few"))
  const [inbox, accounts] = [yield* InboxStore, yield* SocialAccounts]
  const scopeOf = ({ workspaceId }: Asked) => ({
    scope: new WorkspaceScope({ workspaceId }),
    sources: new Set(sources)
  })
  const numbers = Array.from({ length: items }, (_, n) => n)
  const made = (n: number) =>
    posted({ externalId: `written ${n}`, threadKey: `w ${n % 20}`, receivedAt: now, post: "p1" })
  const accountOf = (asked: Asked) => Effect.map(accounts.find(asked.workspaceId, asked.accountId), Option.getOrThrow)
  const [one, other] = [yield* accountOf(first), yield* accountOf(second)]
  const unread = yield* inbox.list(scopeOf(third), {
    ...noFilter,
    isRead: Option.some(false),
    limit: items,
    after: Option.none()
  })
  return {
    "ingest, one by one": yield* writtenBy(Effect.forEach(numbers, (n) => ingest(one, [made(n)], { now }))),
    "ingest, 100 at once": yield* writtenBy(ingest(other, numbers.map(made), { now })),
    "mark, one by one": yield* writtenBy(
      Effect.forEach(unread.items, ({ id }) => inbox.markRead(scopeOf(third), id, now))
    ),
    "mark all, 100": yield* writtenBy(inbox.markBatch(scopeOf(first), { upToSeq: 1_000_000, limit: items, at: now }))
  }
})

/** The same rows written and marked in a table that has a key and nothing else. */
const measureBare = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE bare_items (LIKE items, PRIMARY KEY (workspace_id, account_id, source, external_id))
    WITH (fillfactor = 90)`
  const put = yield* writtenBy(sql`INSERT INTO bare_items SELECT * FROM items
    WHERE external_id LIKE 'written %' ORDER BY workspace_id LIMIT ${items}`)
  const marked = yield* writtenBy(sql`UPDATE bare_items SET is_read = true`)
  yield* sql`DROP TABLE bare_items`
  return bytesOf(put) + bytesOf(marked)
})

const runOn = (serverUrl: string) =>
  Effect.gen(function* () {
    const target = yield* findOrFill(serverUrl, `scale_${division}`, divided(full, division))
    return yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE EXTENSION IF NOT EXISTS pg_walinspect`
      const calls = yield* measureAsked(yield* findAsked)
      return { calls, bare: yield* measureBare }
    }).pipe(Effect.provide(layerMeasured(target)))
  }).pipe(Effect.runPromise)

/** What the indexes of items cost. */
export const itemWrites: Benchmark = {
  name: "item-writes",
  description:
    "log that 100 items write when they come in and when they are marked, against their rows with a key and nothing else",
  better: "lower",
  wanted: 10,
  run: async () => {
    const { bare, calls } = await (kept === undefined ? withServer(settings, ({ url }) => runOn(url)) : runOn(kept))
    const ours = bytesOf(calls["ingest, 100 at once"]) + bytesOf(calls["mark all, 100"])
    return {
      ours: ours / items,
      baseline: bare / items,
      unit: "bytes of log for an item that comes in with 99 others and is marked as read with them",
      notes: Object.entries(calls).flatMap(([name, written]) => linesOf(name, written))
    }
  }
}
