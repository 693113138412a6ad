import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import {
  decideIngest,
  type IngestChange,
  type IngestFacts,
  idsOf,
  type KnownPerson,
  personsOf,
  threadsOf
} from "@loopbox/core/inbox/decideIngest"
import { AccountGone } from "@loopbox/core/inbox/InboxErrors"
import type { IngestReceipt, IngestUnit } from "@loopbox/core/inbox/InboxStore"
import { type ItemKey, keyOf, type LiveItem, type StoredItem, threadOf } from "@loopbox/core/inbox/StoredItem"
import { type ThreadState, untouched } from "@loopbox/core/inbox/Thread"
import { accountColumns, AccountRow, toAccount } from "./AccountRow.ts"
import type { Append } from "./EventLog.ts"
import { itemColumns, itemColumnsOf, itemKeyColumns, StoredRow, toItemColumns, toStored, toThread } from "./ItemRow.ts"
import { all, at, first, optional } from "./rows.ts"
import { storable, toJson } from "./text.ts"
import { makeThreads } from "./threads.ts"

/** Another unit wrote the same row between this one's look and its insert: all of it is done again. */
export class IngestRaced extends Data.TaggedError("IngestRaced")<{}> {}

const PersonRow = Schema.Struct({
  person_id: Schema.String,
  name: optional(Schema.String),
  avatar_url: optional(Schema.String)
})

type AccountKey = Pick<IngestUnit, "workspaceId" | "accountId">

const repeated: IngestReceipt = { created: 0, events: 0, isRepeated: true }

/** What is read of one unit, each under its lock: account, people, threads, items, in this order. */
const makeFacts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const threads = yield* makeThreads
  const columns = sql.literal(itemColumnsOf("i"))

  /** Shared: it can't be disconnected, moved or erased until this unit is stored. */
  const findAccount = ({ accountId, workspaceId }: AccountKey) =>
    first(AccountRow)(sql`SELECT ${sql.literal(accountColumns)} FROM social_accounts
      WHERE workspace_id = ${workspaceId} AND id = ${accountId} AND status <> 'disconnected' FOR SHARE`)

  /** Shared: a look-up that ends now waits, and then fills this unit's items, too. */
  const findPeople = ({ accountId, workspaceId }: AccountKey, ids: ReadonlyArray<string>) =>
    ids.length === 0
      ? Effect.succeed([])
      : all(PersonRow)(sql`SELECT person_id, name, avatar_url FROM author_profiles
          WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}
            AND person_id = ANY(${ids.map(storable)}::text[])
          ORDER BY person_id FOR SHARE`)

  const findItems = Effect.fnUntraced(function* ({ accountId, workspaceId }: AccountKey, keys: ReadonlyArray<ItemKey>) {
    if (keys.length === 0) return []
    const rows = yield* all(StoredRow)(sql`SELECT ${columns}
      FROM unnest(${keys.map((key) => key.source)}::text[], ${keys.map((key) => storable(key.externalId))}::text[])
        AS k (source, external_id)
      JOIN items i ON i.workspace_id = ${workspaceId} AND i.account_id = ${accountId}
        AND i.source = k.source AND i.external_id = k.external_id
      ORDER BY i.source, i.external_id FOR NO KEY UPDATE OF i`)
    return rows
  })

  const read = Effect.fnUntraced(function* (unit: IngestUnit, account: IngestFacts["account"]) {
    const activities = unit.activities.map(({ activity }) => activity)
    const people = yield* findPeople(unit, personsOf(activities))
    const states = new Map(yield* threads.lock(unit, threadsOf(activities)))
    const rows = yield* findItems(unit, idsOf(activities))
    const known = new Set(rows.map((row) => keyOf({ source: row.source, externalId: row.external_id })))
    const targets = rows.flatMap((row) =>
      row.kind === "alias" && !known.has(keyOf({ source: row.source, externalId: row.alias_of }))
        ? [{ source: row.source, externalId: row.alias_of }]
        : []
    )
    const items = new Map<string, StoredItem>()
    for (const row of [...rows, ...(yield* findItems(unit, targets))]) {
      const item = toStored(row)
      items.set(keyOf(item), item)
      if (row.kind !== "live" || item._tag !== "LiveItem") continue
      if (!states.has(threadOf(item))) states.set(threadOf(item), toThread(row))
    }
    const facts: IngestFacts = {
      account,
      items,
      threads: states,
      people: new Map(
        people.map((row): [string, KnownPerson] => [row.person_id, { name: row.name, avatarUrl: row.avatar_url }])
      )
    }
    return facts
  })

  return { findAccount, read, threads }
})

/** What core decided, written in the order of locks: people, threads, items, counters. */
const makeWrites = Effect.gen(function* () {
  const sql = yield* SqlClient
  const names = sql.literal(itemColumns.join(", "))
  const changes = sql.literal(
    itemColumns
      .filter((name) => !itemKeyColumns.includes(name))
      .map((name) => `${name} = r.${name}`)
      .join(", ")
  )

  const addPeople = Effect.fnUntraced(function* ({ accountId, now, workspaceId }: IngestUnit, change: IngestChange) {
    const people = Array.from(change.people.values())
    if (people.length === 0) return
    const added = yield* sql`
      INSERT INTO author_profiles (workspace_id, account_id, person_id, source, claimable_at)
      SELECT ${workspaceId}::text, ${accountId}::text, p.id, p.source, ${at(now)}
      FROM unnest(${people.map(({ personId }) => storable(personId))}::text[],
        ${people.map(({ source }) => source)}::text[]) AS p (id, source)
      ORDER BY p.id COLLATE "C"
      ON CONFLICT DO NOTHING RETURNING person_id`
    if (added.length < people.length) return yield* new IngestRaced()
  })

  const putItems = Effect.fnUntraced(function* (
    { accountId, workspaceId }: IngestUnit,
    facts: IngestFacts,
    change: IngestChange
  ) {
    const stateOf = (live: LiveItem): ThreadState =>
      change.threads.get(threadOf(live))?.state ?? facts.threads.get(threadOf(live)) ?? untouched
    const own = { workspace_id: workspaceId, account_id: accountId }
    const rowsOf = (isKnown: boolean) =>
      Array.from(change.items)
        .filter(([key]) => facts.items.has(key) === isKnown)
        .map(([, item]) => ({ ...own, ...toItemColumns(item, stateOf) }))
    const added = rowsOf(false)
    if (added.length > 0) {
      const inserted = yield* sql`INSERT INTO items (${names})
        SELECT ${names} FROM jsonb_populate_recordset(NULL::items, ${toJson(added)}::jsonb)
        ON CONFLICT (workspace_id, account_id, source, external_id) DO NOTHING RETURNING 1`
      if (inserted.length < added.length) return yield* new IngestRaced()
    }
    const changed = rowsOf(true)
    if (changed.length > 0) {
      yield* sql`UPDATE items i SET ${changes}
        FROM jsonb_populate_recordset(NULL::items, ${toJson(changed)}::jsonb) r
        WHERE i.workspace_id = ${workspaceId} AND i.account_id = ${accountId}
          AND i.source = r.source AND i.external_id = r.external_id`
    }
  })

  return { addPeople, putItems }
})

/** Ingest of one unit, in a transaction of its caller. */
export const makeIngestUnit = Effect.gen(function* () {
  const sql = yield* SqlClient
  const facts = yield* makeFacts
  const writes = yield* makeWrites

  /** Answers whether all of the unit was noted before. A unit that is just being stored elsewhere is waited for. */
  const note = Effect.fnUntraced(function* ({ accountId, completes, workspaceId }: IngestUnit) {
    if (completes.length === 0) return false
    const noted = yield* sql`INSERT INTO webhook_units (workspace_id, account_id, delivery_id)
      SELECT ${workspaceId}::text, ${accountId}::text, d.id FROM unnest(${completes}::text[]) AS d (id)
      ORDER BY d.id COLLATE "C" ON CONFLICT DO NOTHING RETURNING 1`
    return noted.length === 0
  })

  return Effect.fnUntraced(function* (unit: IngestUnit, append: Append) {
    const account = yield* facts.findAccount(unit)
    if (Option.isNone(account)) return yield* new AccountGone({ accountId: unit.accountId })
    if (yield* note(unit)) return repeated
    const read = yield* facts.read(unit, toAccount(account.value))
    const change = decideIngest(read, unit.activities, unit.now)
    yield* writes.addPeople(unit, change)
    for (const { source, state, threadKey } of change.threads.values()) {
      yield* facts.threads.move({ ...unit, source, threadKey }, state)
    }
    yield* writes.putItems(unit, read, change)
    yield* facts.threads.count(
      unit.workspaceId,
      Array.from(change.unread, ([source, delta]) => ({ accountId: unit.accountId, source, delta }))
    )
    yield* append(change.events, unit.now)
    const receipt: IngestReceipt = { created: change.created, events: change.events.length, isRepeated: false }
    return receipt
  })
})
