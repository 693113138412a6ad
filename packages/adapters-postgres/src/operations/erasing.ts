import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Erasure, ErasureProgress } from "@loopbox/core/accounts/Erasures"
import type { Redact } from "@loopbox/core/kernel/Redact"
import { SocialAccountId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { walksOf } from "../tables.ts"
import { makeEndTasks } from "./endTasks.ts"
import { makeEraseLeftovers } from "./eraseLeftovers.ts"
import { batchRows, batchWait, limitBatch } from "./erasingBatches.ts"
import { makeRedacting } from "./redacting.ts"
import { makeRemoveRows, type WalkPlace, walkStart } from "./removeRows.ts"
import { all, at, claimLimit } from "../rows/rows.ts"
import { ownTurn } from "../connection/accountTurn.ts"
import { makeClosePosts } from "../stores/posts/closePosts.ts"
import { makeStoreCall } from "../connection/storeFailure.ts"

const IdRow = Schema.Struct({ id: SocialAccountId })

/** Batches of one turn: some seconds at most, then it is the next erasure's turn. */
const batchesOfATurn = 20

/** How long a request goes on with what it hid; the rest is the sweeper's. */
const patience = Duration.seconds(5)

/** Accounts of one call that queue for their rows: each takes a lock of a table of the server that has room for thousands. */
const queuedAtMost = 100

/** Another process has the account, or it is gone. */
type Absent = Exclude<ErasureProgress, "More">

const walks = walksOf("account")

export interface AccountKey {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
}

/**
 * What becomes of the deliveries that say something to an account. `Stay`: another connection of it has a right to them.
 * `Leave`: nothing here can read them, so they wait for a process that can.
 */
export type Redaction =
  | { readonly _tag: "Redact"; readonly redact: Redact }
  | { readonly _tag: "Stay" }
  | { readonly _tag: "Leave" }

export const deliveriesBy = (redact: Option.Option<Redact>): Redaction =>
  Option.match(redact, { onNone: () => ({ _tag: "Leave" }), onSome: (how) => ({ _tag: "Redact", redact: how }) })

/** All but what tells which deliveries are about the account. */
const contents = walks.filter(([table]) => table !== "webhook_units")

/**
 * Erasing accounts, in two steps: `hide` takes them from every reader, with all that is small, in the caller's
 * transaction; `advance` then removes the rest in batches, each in a short transaction that holds the account's row.
 *
 * So two erasers never work on one account at a time, and its row goes in a statement that sees that nothing else is
 * left: as long as anything is, the sweeper finds it.
 */
export const makeErasing = Effect.gen(function* () {
  const sql = yield* SqlClient
  const storeCall = yield* makeStoreCall
  const deliveries = yield* makeRedacting
  const rows = yield* makeRemoveRows
  const few = yield* claimLimit
  const eraseLeftovers = yield* makeEraseLeftovers
  const closePosts = yield* makeClosePosts
  const endTasks = yield* makeEndTasks
  const call = storeCall("accounts.purge", "unknown", batchWait)

  /** Hides the accounts that fit a condition on `social_accounts a`, and gives their ids. */
  const hide = Effect.fnUntraced(function* (workspaceId: WorkspaceId, which: Fragment) {
    const now = at(yield* DateTime.now)
    const hidden = yield* all(IdRow)(sql`
      WITH queued AS MATERIALIZED (
        SELECT q.id FROM (SELECT a.workspace_id, a.id FROM social_accounts a
          WHERE a.workspace_id = ${workspaceId} AND ${which} ORDER BY a.id ${few(queuedAtMost)}) q
        WHERE ${sql.literal(ownTurn("q"))}
      ), locked AS MATERIALIZED (
        SELECT a.id FROM social_accounts a
        WHERE a.workspace_id = ${workspaceId} AND ${which} AND (SELECT count(*) FROM queued) >= 0
        ORDER BY a.id FOR NO KEY UPDATE
      )
      UPDATE social_accounts a SET status = 'disconnected', disconnected_at = coalesce(a.disconnected_at, ${now}),
        erased_at = coalesce(a.erased_at, ${now}), external_user_id = NULL, name = '',
        avatar_url = NULL, permissions = '[]'
      FROM locked l WHERE a.workspace_id = ${workspaceId} AND a.id = l.id RETURNING a.id`)
    const ids = hidden.map(({ id }) => id)
    if (ids.length === 0) return ids
    const ofThem = sql`workspace_id = ${workspaceId} AND account_id = ANY(${ids}::text[])`
    yield* sql`DELETE FROM account_routes WHERE ${ofThem}`
    yield* sql`DELETE FROM account_credentials WHERE ${ofThem}`
    yield* sql`WITH gone AS (
        DELETE FROM connect_sessions WHERE workspace_id = ${workspaceId}
          AND (social_account_id = ANY(${ids}::text[]) OR account_ids ?| ${ids}::text[]) RETURNING id
      )
      DELETE FROM connect_attempts a USING gone g WHERE a.workspace_id = ${workspaceId} AND a.session_id = g.id`
    yield* closePosts(workspaceId, ids)
    // Events of what happened to hidden items reach nobody; those of the account itself do.
    yield* sql`DELETE FROM events WHERE ${ofThem} AND event ->> '_tag' LIKE 'Account%'`
    return ids
  })

  /** The account's row is held to the end of the transaction, so that one eraser at a time is at it. */
  const hold = Effect.fnUntraced(function* ({ accountId, workspaceId }: AccountKey) {
    const own = sql`workspace_id = ${workspaceId} AND id = ${accountId} AND erased_at IS NOT NULL`
    const held = yield* sql`SELECT 1 FROM social_accounts WHERE ${own} FOR NO KEY UPDATE SKIP LOCKED`
    if (held.length > 0) return Option.none<Absent>()
    const found = yield* sql`SELECT 1 FROM social_accounts WHERE ${own}`
    return Option.some<Absent>(found.length === 0 ? "Done" : "Busy")
  })

  /** Gives where to go on; none: nothing was left of these tables. */
  const removeBatch = Effect.fnUntraced(
    function* (of: typeof walks, key: AccountKey, from: WalkPlace) {
      yield* limitBatch(sql)
      const absent = yield* hold(key)
      if (Option.isSome(absent)) return absent.value
      return yield* rows.remove(of, key, from, batchRows)
    },
    sql.withTransaction,
    call
  )

  /** Removes the account, if nothing else is left of it. */
  const removeLast = Effect.fnUntraced(
    function* (key: AccountKey) {
      yield* limitBatch(sql)
      const absent = yield* hold(key)
      if (Option.isSome(absent)) return absent.value
      if (yield* rows.isLeftApart(walks, key)) return "More"
      const { accountId, workspaceId } = key
      const removed = yield* sql`DELETE FROM social_accounts
        WHERE workspace_id = ${workspaceId} AND id = ${accountId} AND NOT (${rows.isLeft(walks, key)}) RETURNING 1`
      return removed.length > 0 ? "Done" : "More"
    },
    sql.withTransaction,
    call
  )

  /** A turn of one hidden account. */
  const advanceAccount = Effect.fnUntraced(function* (key: AccountKey, redaction: Redaction) {
    let batches = 0
    if (redaction._tag === "Redact") {
      for (let isLeft = true; isLeft; batches++) {
        if (batches === batchesOfATurn) return "More"
        isLeft = yield* deliveries.redactNoted(key, redaction.redact)
      }
      // Not only at the end, for rows of a large account go for a while.
      yield* deliveries.redactUnnoted(key, redaction.redact)
    }
    yield* endTasks(key.workspaceId, key.accountId)
    const isUnread = redaction._tag === "Leave" && (yield* deliveries.isMentioned(key))
    for (let place = Option.some(walkStart); Option.isSome(place); batches++) {
      if (batches >= batchesOfATurn) return "More"
      const next = yield* removeBatch(isUnread ? contents : walks, key, place.value)
      if (typeof next === "string") return next
      place = next
    }
    // Its hidden row stays, by which a process that can read them finds what is left.
    if (isUnread) return "Busy"
    if (redaction._tag === "Redact") yield* deliveries.redactUnnoted(key, redaction.redact)
    return yield* removeLast(key)
  })

  const advance = (erasure: Erasure, redaction: Redaction): Effect.Effect<ErasureProgress, StoreUnavailable> =>
    erasure._tag === "Account" ? advanceAccount(erasure, redaction) : eraseLeftovers(erasure)

  /**
   * Goes on with what was just hidden, for as long as a request may take. What is left then, or can't be reached, is the
   * sweeper's: the erasure itself is committed.
   */
  const finish = Effect.fnUntraced(function* (erasures: ReadonlyArray<Erasure>, redaction: Redaction) {
    const untilDone = Effect.fnUntraced(function* (erasure: Erasure) {
      for (;;) {
        const progress = yield* advance(erasure, redaction)
        if (progress === "Done" || (progress === "Busy" && redaction._tag === "Leave")) return
        if (progress === "Busy") yield* Effect.sleep("50 millis")
      }
    })
    yield* Effect.forEach(erasures, untilDone, { discard: true }).pipe(
      Effect.timeoutOption(patience),
      Effect.catchTag("StoreUnavailable", (error) =>
        Effect.logWarning("an erasure waits for the next sweep to be finished", error)
      )
    )
  })

  const accountErasures = (workspaceId: WorkspaceId, ids: ReadonlyArray<SocialAccountId>): ReadonlyArray<Erasure> =>
    ids.map((accountId) => ({ _tag: "Account", workspaceId, accountId }))

  return { hide, advance, finish, accountErasures }
})
