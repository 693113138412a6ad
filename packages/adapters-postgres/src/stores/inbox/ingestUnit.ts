import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { newOfOthers } from "@loopbox/core/items/newOfOthers"
import {
  decideIngest,
  type IngestChange,
  type IngestFacts,
  idsOf,
  linkedPostsOf,
  personsOf,
  threadsOf
} from "@loopbox/core/items/decideIngest"
import { Networks } from "@loopbox/core/networks/Networks"
import { AccountGone } from "@loopbox/core/accounts/AccountErrors"
import type { IngestOutcome, IngestReceipt, IngestUnit } from "@loopbox/core/inbox/IngestStore"
import { makeToLeaseTime } from "@loopbox/core/kernel/lease/LeaseClock"
import { type ItemKey, keyOf, type StoredItem, type ThreadName, threadOf } from "@loopbox/core/items/StoredItem"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { untouched } from "@loopbox/core/items/Thread"
import { tallyIngest } from "@loopbox/core/threads/ThreadTally"
import { namedRecords, namedRows } from "../../rows/oneByOne.ts"
import { accountColumns, AccountRow, toAccount } from "../../rows/AccountRow.ts"
import type { Append } from "./EventLog.ts"
import { IngestRaced } from "./IngestRaced.ts"
import { areWordsOf, itemOf } from "./itemLookUp.ts"
import {
  itemColumns,
  itemKeyColumns,
  noItemState,
  storedColumnsOf,
  StoredRow,
  toItemColumns,
  toItemState,
  toStored
} from "../../rows/ItemRow.ts"
import { makeHealthFacts } from "../accounts/healthFacts.ts"
import { makeFindNamed } from "./namedByUnit.ts"
import { makePollNotes } from "./pollNotes.ts"
import { makeInsertRows, type Row } from "../../rows/insertRows.ts"
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { all, at, first } from "../../rows/rows.ts"
import { ownTurn, sharedTurn } from "../../connection/accountTurn.ts"
import { storable } from "../../rows/text.ts"
import { makeTellThreads } from "./tellThreads.ts"
import { makeThreads } from "./threads.ts"
import { searchedTexts, toVector } from "./wordVectors.ts"

/** The words by which an item is found; none of what is no item. */
const wordsOf = (workspaceId: WorkspaceId, item: StoredItem): string =>
  item._tag === "LiveItem" ? toVector(workspaceId, searchedTexts(item)) : ""

/** A row of an item with the words by which it is found. */
type WordedRow = Row & ReturnType<typeof toItemColumns> & { readonly words: string }

type AccountKey = Pick<IngestUnit, "workspaceId" | "accountId">

const repeated: IngestReceipt = { created: 0, changed: new Set(), events: 0, isRepeated: true }

/** The rows that a unit reads, each locked: account, people, threads, items, in this order. */
const makeFacts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const networks = yield* Networks
  const threads = yield* makeThreads
  const findNamed = yield* makeFindNamed
  const columns = sql.literal(storedColumnsOf("i"))
  const shared = sql.literal(`${sharedTurn("social_accounts")} FOR SHARE`)
  const alone = sql.literal(`${ownTurn("social_accounts")} FOR NO KEY UPDATE`)

  /**
   * The account can't be disconnected, moved or erased until this unit is stored. Other units of it go on meanwhile, unless
   * this one has to be alone.
   */
  const findAccount = ({ accountId, workspaceId }: AccountKey, isAlone: boolean) =>
    first(AccountRow)(sql`SELECT ${sql.literal(accountColumns)} FROM social_accounts
      WHERE workspace_id = ${workspaceId} AND id = ${accountId} AND status <> 'disconnected'
        AND ${isAlone ? alone : shared}`)

  // Rows are locked as they are found, so the keys are sorted in the order of locks first.
  const findItems = Effect.fnUntraced(function* ({ accountId, workspaceId }: AccountKey, keys: ReadonlyArray<ItemKey>) {
    if (keys.length === 0) return []
    const rows = yield* all(StoredRow)(sql`SELECT ${columns}
      FROM (
        SELECT * FROM ${namedRows(sql, {
          source: keys.map(({ source }) => source),
          external_id: keys.map(({ externalId }) => storable(externalId))
        })} k
        ORDER BY source COLLATE "C", external_id COLLATE "C"
      ) k
      CROSS JOIN LATERAL (${itemOf(sql, { accountId, workspaceId }, "k.source", "k.external_id")}) i
      ORDER BY i.source, i.external_id FOR NO KEY UPDATE OF i`)
    return rows
  })

  const read = Effect.fnUntraced(function* (unit: IngestUnit, account: IngestFacts["account"]) {
    const activities = unit.arrivals.map(({ activity }) => activity)
    const ids = idsOf(activities)
    const named = yield* findNamed(unit, {
      people: personsOf(activities),
      items: ids,
      posts: linkedPostsOf(activities)
    })
    const locked = yield* threads.lock(unit, [...threadsOf(activities), ...named.threads])
    const rows = yield* findItems(unit, ids)
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
      // The item was inserted after the threads to lock were determined.
      if (item._tag === "LiveItem" && !locked.states.has(threadOf(item))) return yield* new IngestRaced()
    }
    // Under the ids as they were asked for, where they are kept as others.
    for (const { externalId, source } of ids) {
      const kept = items.get(keyOf({ source, externalId: storable(externalId).toWellFormed() }))
      if (kept !== undefined) items.set(keyOf({ source, externalId }), kept)
    }
    const facts: IngestFacts = {
      networks,
      account,
      items,
      threads: locked.states,
      people: named.people,
      posts: named.posts
    }
    return { facts, locked }
  })

  return { findAccount, read, threads }
})

/** Writes the decisions of core in the order of locks: people, threads, items, counters. */
const makeWrites = Effect.gen(function* () {
  const sql = yield* SqlClient
  const toLeaseTime = yield* makeToLeaseTime
  const insertRows = makeInsertRows(sql)
  const columns = itemColumns.filter((name) => name !== "workspace_id")
  const changes = sql.literal(
    itemColumns
      .filter((name) => !itemKeyColumns.includes(name))
      .map((name) => `${name} = excluded.${name}`)
      .join(", ")
  )

  /** In the transaction that writes the items: an item is found as soon as it is there. */
  const putWords = Effect.fnUntraced(function* (workspaceId: WorkspaceId, rows: ReadonlyArray<WordedRow>) {
    const live = rows.filter(({ kind }) => kind === "live")
    if (live.length === 0) return
    yield* insertRows({
      workspaceId,
      table: "item_words",
      columns: ["account_id", "source", "external_id", "thread_key", "id", "received_at", "words"],
      rows: live,
      rest: sql`ON CONFLICT (workspace_id, account_id, source, external_id) DO UPDATE SET thread_key = excluded.thread_key,
        id = excluded.id, received_at = excluded.received_at, words = excluded.words`
    })
  })

  const removeWords = Effect.fnUntraced(function* (
    { accountId, workspaceId }: IngestUnit,
    rows: ReadonlyArray<WordedRow>
  ) {
    const gone = rows.filter(({ kind }) => kind !== "live")
    if (gone.length === 0) return
    const named = gone.map(({ external_id, source }) => ({
      account_id: accountId,
      source,
      external_id: storable(external_id)
    }))
    yield* sql`DELETE FROM item_words w
      USING ${namedRecords(sql, { account_id: "text", source: "text", external_id: "text" }, named)} n
      WHERE w.workspace_id = ${workspaceId} AND ${sql.literal(areWordsOf)}`
  })

  const addPeople = Effect.fnUntraced(function* ({ accountId, now, workspaceId }: IngestUnit, change: IngestChange) {
    const people = Array.from(change.people.values())
    if (people.length === 0) return
    const claimableAt = DateTime.formatIso(yield* toLeaseTime(now))
    const added = yield* insertRows({
      workspaceId,
      table: "author_profiles",
      columns: ["account_id", "person_id", "source", "claimable_at"],
      rows: people.map(({ personId, source }) => ({
        account_id: accountId,
        person_id: personId,
        source,
        claimable_at: claimableAt
      })),
      order: ["person_id"],
      rest: sql`ON CONFLICT DO NOTHING RETURNING person_id`
    })
    if (added.length < people.length) return yield* new IngestRaced()
  })

  const putItems = Effect.fnUntraced(function* (
    unit: IngestUnit,
    facts: IngestFacts,
    change: IngestChange,
    large: ReadonlySet<string>
  ) {
    const { accountId, workspaceId } = unit
    const stateOf = (thread: ThreadName) => {
      const name = threadOf(thread)
      if (large.has(name)) return noItemState
      return toItemState(change.threads.get(name)?.state ?? facts.threads.get(name) ?? untouched)
    }
    const rowsOf = (isKnown: boolean) =>
      Array.from(change.items)
        .filter(([key]) => facts.items.has(key) === isKnown)
        .map(([, item]): WordedRow => ({
          account_id: accountId,
          ...toItemColumns(item, stateOf),
          rev: 0,
          worded: 1,
          words: wordsOf(workspaceId, item)
        }))
    const put = (rows: ReadonlyArray<WordedRow>, rest: Fragment) =>
      insertRows({ workspaceId, table: "items", as: "i", columns: [...columns, "rev", "worded"], rows, rest })
    const added = rowsOf(false)
    if (added.length > 0) {
      const inserted = yield* put(
        added,
        sql`ON CONFLICT (workspace_id, account_id, source, external_id) DO NOTHING RETURNING 1`
      )
      if (inserted.length < added.length) return yield* new IngestRaced()
    }
    const changed = rowsOf(true)
    if (changed.length > 0) {
      yield* put(
        changed,
        sql`ON CONFLICT (workspace_id, account_id, source, external_id)
          DO UPDATE SET ${changes}, rev = coalesce(i.rev, 0) + 1, worded = coalesce(i.worded, 0) + 1`
      )
      yield* removeWords(unit, changed)
    }
    yield* putWords(workspaceId, [...added, ...changed])
  })

  return { addPeople, putItems }
})

const hasOwn = ({ items }: IngestChange): boolean =>
  Array.from(items.values()).some((item) => item._tag === "LiveItem" && item.isOwn)

/**
 * Ingest of one unit, in a transaction of its caller. `IngestRaced` where another unit of the account wrote meanwhile what was
 * not there when this one looked; one that is alone meets no other.
 */
export const makeIngestUnit = Effect.gen(function* () {
  const sql = yield* SqlClient
  const facts = yield* makeFacts
  const writes = yield* makeWrites
  const insertRows = makeInsertRows(sql)
  const notePoll = yield* makePollNotes
  const health = yield* makeHealthFacts
  const tell = yield* makeTellThreads
  const audit = yield* makeAppendAudit

  /** Returns whether all parts of the unit were stored before. Waits for another process that is storing it now. */
  const note = Effect.fnUntraced(function* ({ accountId, completes, workspaceId }: IngestUnit) {
    if (completes.length === 0) return false
    const noted = yield* insertRows({
      workspaceId,
      table: "webhook_units",
      columns: ["account_id", "delivery_id"],
      rows: completes.map((id) => ({ account_id: accountId, delivery_id: id })),
      order: ["delivery_id"],
      rest: sql`ON CONFLICT DO NOTHING RETURNING 1`
    })
    return noted.length === 0
  })

  /** An own item may be the result of one of the account's replies, so these are reconciled now (design §6). */
  const wakeReplies = ({ accountId, now, workspaceId }: IngestUnit) => sql`
    UPDATE outbound_operations SET due_at = least(due_at, ${at(now)})
    WHERE workspace_id = ${workspaceId} AND id IN (
      SELECT id FROM outbound_operations
      WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND status = 'outcome_unknown'
      ORDER BY id FOR NO KEY UPDATE
    )`

  return Effect.fnUntraced(function* (unit: IngestUnit, isAlone: boolean, append: Append) {
    const account = yield* facts.findAccount(unit, isAlone)
    if (Option.isNone(account)) return yield* new AccountGone({ accountId: unit.accountId })
    if (yield* note(unit)) return repeated
    const { facts: read, locked } = yield* facts.read(unit, toAccount(account.value))
    const change = decideIngest(read, unit.arrivals, unit.now)
    yield* writes.addPeople(unit, change)
    const tallied = tallyIngest(read, change, locked.tallies)
    const large = yield* facts.threads.keep(unit, locked, tallied)
    yield* facts.threads.move(unit, Array.from(change.threads.values()))
    yield* writes.putItems(unit, read, change, large)
    yield* facts.threads.look(
      unit,
      tallied.flatMap(({ isStale, name }) => (isStale && locked.tallies.has(threadOf(name)) ? [name] : []))
    )
    if (hasOwn(change)) yield* wakeReplies(unit)
    yield* facts.threads.count(
      unit.workspaceId,
      Array.from(change.unread, ([source, delta]) => ({ accountId: unit.accountId, source, delta }))
    )
    const outcome: IngestOutcome = { created: change.created, changed: change.changed }
    if (Option.isSome(unit.poll)) {
      yield* notePoll(unit.poll.value, outcome)
      yield* health.found(unit, newOfOthers(change.events), unit.now)
    }
    if (unit.isHeard) yield* health.heard(unit, unit.now)
    if (unit.audit !== undefined) yield* audit(unit.workspaceId, unit.audit)
    yield* append(yield* tell(unit, change.events, unit.now), unit.now)
    const receipt: IngestReceipt = { ...outcome, events: change.events.length, isRepeated: false }
    return receipt
  })
})
