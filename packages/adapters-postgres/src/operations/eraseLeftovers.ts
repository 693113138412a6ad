import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Erasure, ErasureProgress } from "@loopbox/core/accounts/Erasures"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { walksOf } from "../tables.ts"
import { batchRows, batchWait, limitBatch } from "./erasingBatches.ts"
import { makeRemoveRows, type WalkPlace, walkStart } from "./removeRows.ts"
import { first, one } from "../rows/rows.ts"
import { makeStoreCall } from "../connection/storeFailure.ts"
import { storable } from "../rows/text.ts"

const AskedRow = Schema.Struct({ asked_at: Schema.Date })
const CountRow = Schema.Struct({ count: Schema.Int })

/** Runs of one transaction: each has a task for every account of its user. */
const runsAtOnce = 20

const batchesOfATurn = 20

const walks = walksOf("workspace")

type Leftovers = Exclude<Erasure, { readonly _tag: "Account" }>

/** Removing what is left of an erased managed user or workspace beside its accounts. */
export const makeEraseLeftovers = Effect.gen(function* () {
  const sql = yield* SqlClient
  const storeCall = yield* makeStoreCall
  const rows = yield* makeRemoveRows
  const call = storeCall("accounts.purge", "unknown", batchWait)

  const named = (erasure: Leftovers) =>
    erasure._tag === "Workspace"
      ? sql`workspace_id = ${erasure.workspaceId} AND kind = 'workspace'`
      : sql`workspace_id = ${erasure.workspaceId} AND kind = 'managed_user'
          AND external_user_id = ${storable(erasure.externalUserId)}`

  const hold = (erasure: Leftovers) =>
    first(AskedRow)(sql`SELECT asked_at FROM erasures WHERE ${named(erasure)} FOR NO KEY UPDATE SKIP LOCKED`)

  /** Another process has it, or it is finished. */
  const whyAbsent = (erasure: Leftovers) =>
    Effect.map(sql`SELECT 1 FROM erasures WHERE ${named(erasure)}`, (rows): ErasureProgress =>
      rows.length === 0 ? "Done" : "Busy"
    )

  /** What the user asked for before it was erased: there may be another of the same name by now. */
  const removeRuns = (workspaceId: WorkspaceId, user: string, askedAt: Date) =>
    one(CountRow)(sql`
      WITH old AS MATERIALIZED (
        SELECT id FROM sync_runs WHERE workspace_id = ${workspaceId} AND external_user_id = ${storable(user)}
          AND created_at <= ${askedAt} ORDER BY created_at LIMIT ${sql.literal(`${runsAtOnce}`)}
      ), tasks AS (
        DELETE FROM sync_tasks t USING old o WHERE t.workspace_id = ${workspaceId} AND t.run_id = o.id
      ), runs AS (
        DELETE FROM sync_runs r USING old o WHERE r.workspace_id = ${workspaceId} AND r.id = o.id
      )
      SELECT count(*)::int AS count FROM old`)

  /** What was sent, or is being sent, that names the user. */
  const removeDeliveries = (workspaceId: WorkspaceId, user: string, askedAt: Date) =>
    sql`WITH old AS MATERIALIZED (
        SELECT ctid AS place FROM outgoing_deliveries WHERE workspace_id = ${workspaceId}
          AND external_user_id = ${storable(user)} AND created_at <= ${askedAt} LIMIT ${sql.literal(`${batchRows}`)}
      )
      DELETE FROM outgoing_deliveries WHERE workspace_id = ${workspaceId} AND ctid = ANY(ARRAY(SELECT place FROM old)) RETURNING 1`

  const removeUserBatch = Effect.fnUntraced(
    function* (erasure: Extract<Erasure, { readonly _tag: "ManagedUser" }>) {
      yield* limitBatch(sql)
      const held = yield* hold(erasure)
      if (Option.isNone(held)) return yield* whyAbsent(erasure)
      const { count } = yield* removeRuns(erasure.workspaceId, erasure.externalUserId, held.value.asked_at)
      if (count === runsAtOnce) return "More"
      const deliveries = yield* removeDeliveries(erasure.workspaceId, erasure.externalUserId, held.value.asked_at)
      if (deliveries.length === batchRows) return "More"
      yield* sql`DELETE FROM erasures WHERE ${named(erasure)}`
      return "Done"
    },
    sql.withTransaction,
    call
  )

  /** Gives where to go on. Its accounts go before it: what works for one just now may still write events. */
  const removeWorkspaceBatch = Effect.fnUntraced(
    function* (erasure: Extract<Erasure, { readonly _tag: "Workspace" }>, from: WalkPlace) {
      yield* limitBatch(sql)
      const held = yield* hold(erasure)
      if (Option.isNone(held)) return yield* whyAbsent(erasure)
      const { workspaceId } = erasure
      const accounts = yield* sql`SELECT 1 FROM social_accounts WHERE workspace_id = ${workspaceId} LIMIT 1`
      const next = yield* rows.remove(walks, { workspaceId }, from, batchRows)
      if (Option.isSome(next)) return next.value
      if (accounts.length > 0) return "Busy"
      yield* sql`DELETE FROM erasures WHERE ${named(erasure)}`
      return "Done"
    },
    sql.withTransaction,
    call
  )

  /** A turn of one. */
  return Effect.fnUntraced(function* (erasure: Leftovers) {
    let place = walkStart
    for (let batches = 0; batches < batchesOfATurn; batches++) {
      const next: ErasureProgress | WalkPlace = yield* erasure._tag === "Workspace"
        ? removeWorkspaceBatch(erasure, place)
        : removeUserBatch(erasure)
      if (next === "Done" || next === "Busy") return next
      if (next !== "More") place = next
    }
    return "More" satisfies ErasureProgress
  })
})
