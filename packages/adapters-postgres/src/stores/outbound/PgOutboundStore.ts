import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { AccountGone } from "@loopbox/core/accounts/AccountErrors"
import { MediaNotFound } from "@loopbox/core/media/MediaErrors"
import { openStatuses, type OutboundOperation } from "@loopbox/core/outbound/OutboundOperation"
import {
  type OperationChange,
  type OperationClaim,
  OutboundStore,
  type ReplyName
} from "@loopbox/core/outbound/OutboundStore"
import { eventsOf } from "@loopbox/core/outbound/showOperation"
import { hastened } from "@loopbox/core/outbound/transitions"
import { type Append, EventLog } from "../inbox/EventLog.ts"
import { anyOf, isKeptFile } from "../../rows/oneByOne.ts"
import { claimedAs, claimedFor, OperationRow, toStateColumns } from "../../rows/OperationRow.ts"
import { makeReconcileFacts } from "./reconcileFacts.ts"
import { makeClaimByWorkspace } from "../../rows/claimReadable.ts"
import { readable } from "../../rows/readableRows.ts"
import { all, at, claimLimit, countedAtMost, first, Instant } from "../../rows/rows.ts"
import { makeScope } from "../inbox/scope.ts"
import { reconnected, replyWaits, Signals } from "../../connection/Signals.ts"
import { ownTurn } from "../../connection/accountTurn.ts"
import { makeOverAll } from "../../connection/allWorkspaces.ts"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { makeStoreCall } from "../../connection/storeFailure.ts"

/** A concurrent request with the same key inserted its operation first. */
class SubmitRaced extends Data.TaggedError("SubmitRaced")<{}> {}

const isRace = (error: unknown): error is SubmitRaced => error instanceof SubmitRaced

const DueRow = Schema.Struct({ workspace_id: WorkspaceId, id: Schema.String })
const DepthRow = Schema.Struct({ status: Schema.Literals(openStatuses), count: Schema.Int, oldest_at: Instant })

/** Writes operations with the events of their changes, in transactions of their callers. */
const makeWrites = Effect.gen(function* () {
  const sql = yield* SqlClient

  /** Returns whether it was inserted; false if there is one with the same key. */
  const insert = Effect.fnUntraced(function* (operation: OutboundOperation, append: Append) {
    const added = yield* sql`INSERT INTO outbound_operations ${sql.insert({
      workspace_id: operation.workspaceId,
      id: operation.id,
      account_id: operation.accountId,
      item_id: operation.itemId,
      source: claimedAs(operation),
      idempotency_key: Option.getOrNull(operation.idempotencyKey),
      ...(yield* toStateColumns(operation))
    })} ON CONFLICT (workspace_id, item_id, idempotency_key) WHERE idempotency_key IS NOT NULL
      DO NOTHING RETURNING 1`
    if (added.length === 0) return false
    yield* append(eventsOf(Option.none(), operation), operation.updatedAt)
    return true
  })

  const update = Effect.fnUntraced(function* (
    before: OutboundOperation,
    after: OutboundOperation,
    lease: Fragment,
    append: Append
  ) {
    const columns = yield* toStateColumns(after)
    yield* sql`UPDATE outbound_operations SET ${sql.update(columns)} ${lease}
      WHERE workspace_id = ${after.workspaceId} AND id = ${after.id}`
    yield* append(eventsOf(Option.some(before), after), after.updatedAt)
  })

  return { insert, update }
})

export const layer: Layer.Layer<OutboundStore, never, EventLog | Signals | SqlClient> = Layer.effect(
  OutboundStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const few = yield* claimLimit
    const overAll = yield* makeOverAll
    const log = yield* EventLog
    const signals = yield* Signals
    const storeCall = yield* makeStoreCall
    const within = yield* makeScope
    const writes = yield* makeWrites
    const readFacts = yield* makeReconcileFacts
    const sameLease = sql.literal("")

    const findByKey = ({ idempotencyKey, itemId, workspaceId }: ReplyName) =>
      Option.isNone(idempotencyKey)
        ? Effect.succeedNone
        : Effect.map(
            first(OperationRow)(sql`SELECT operation FROM outbound_operations
              WHERE workspace_id = ${workspaceId} AND item_id = ${itemId}
                AND idempotency_key = ${idempotencyKey.value} FOR NO KEY UPDATE`),
            Option.map(({ operation }) => operation)
          )

    /** Under the account's lock, for two private replies that are submitted at once would both be without a rival. */
    const findRivals = Effect.fnUntraced(function* (
      { accountId, itemId, privately, workspaceId }: ReplyName,
      existing: Option.Option<OutboundOperation>
    ) {
      if (Option.isNone(privately)) return []
      const rows = yield* all(OperationRow)(sql`SELECT operation FROM outbound_operations
        WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND item_id = ${itemId}
          AND source LIKE 'private:%' AND due_at IS NOT NULL
          AND id IS DISTINCT FROM ${Option.getOrNull(Option.map(existing, ({ id }) => id))} ORDER BY id`)
      return rows.map(({ operation }) => operation)
    })

    /** A lock: the account can't be disconnected or erased until the operation is stored. Others share it. */
    const requireAccount = Effect.fnUntraced(function* ({ accountId, privately, workspaceId }: ReplyName) {
      const found = yield* sql`SELECT 1 FROM social_accounts
        WHERE workspace_id = ${workspaceId} AND id = ${accountId} AND status <> 'disconnected'
          ${sql.literal(Option.isSome(privately) ? `AND ${ownTurn("social_accounts")} FOR NO KEY UPDATE` : "FOR SHARE")}`
      if (found.length === 0) return yield* new AccountGone({ accountId })
    })

    /** A share lock: the files can't be deleted until the operation is stored, which keeps them then. */
    const requireMedia = Effect.fnUntraced(function* ({ media, workspaceId }: OutboundOperation) {
      for (const { mediaId } of media) {
        const found = yield* sql`SELECT 1 FROM media
          WHERE workspace_id = ${workspaceId} AND id = ${mediaId} AND ${sql.literal(isKeptFile)} FOR SHARE`
        if (found.length === 0) return yield* new MediaNotFound({ mediaId })
      }
    })

    const lockHeld = Effect.fnUntraced(function* ({ operation: { id, workspaceId }, token }: OperationClaim) {
      const row = yield* first(OperationRow)(sql`SELECT operation FROM outbound_operations
        WHERE workspace_id = ${workspaceId} AND id = ${id} AND lease_token = ${token} FOR NO KEY UPDATE`)
      return Option.isSome(row) ? row.value.operation : yield* new LeaseLost({ what: "operation", id })
    })

    const apply = Effect.fnUntraced(function* (
      before: OutboundOperation,
      { leaseUntil, operation }: OperationChange,
      append: Append
    ) {
      const lease = Option.match(leaseUntil, {
        onNone: () => sql`, lease_until = NULL, lease_token = NULL`,
        onSome: (until) => sql`, lease_until = ${at(until)}`
      })
      yield* writes.update(before, operation, lease, append)
      return operation
    })

    const claimByWorkspace = makeClaimByWorkspace()

    return OutboundStore.of({
      submit: Effect.fn("PgOutboundStore.submit")(
        (name, decide) =>
          log.transaction(
            name.workspaceId,
            Effect.fnUntraced(function* (append) {
              yield* requireAccount(name)
              const existing = yield* findByKey(name)
              const rivals = yield* findRivals(name, existing)
              const operation = yield* Effect.fromResult(decide(existing, rivals))
              if (Option.isSome(existing) && existing.value === operation) return operation
              yield* requireMedia(operation)
              if (Option.isNone(existing)) {
                if (!(yield* writes.insert(operation, append))) return yield* new SubmitRaced()
              } else {
                yield* writes.update(existing.value, operation, sameLease, append)
              }
              return operation
            })
          ),
        Effect.retry({ while: isRace, times: 3 }),
        Effect.catchIf(isRace, (race) => Effect.die(race)),
        Effect.tap(() => signals.tellReplyWaits),
        storeCall("outbound.submit", "unknown")
      ),

      find: Effect.fn("PgOutboundStore.find")(
        function* (scope, id) {
          const row = yield* first(OperationRow)(sql`SELECT o.operation
            FROM outbound_operations o
            JOIN social_accounts a ON a.workspace_id = o.workspace_id AND a.id = o.account_id
            WHERE o.workspace_id = ${scope.scope.workspaceId} AND o.id = ${id}
              AND o.source = ANY(${claimedFor(scope.sources)}::text[]) AND ${within.accounts(scope)}`)
          return Option.map(row, ({ operation }) => operation)
        },
        storeCall("outbound.find", "no")
      ),

      claim: Effect.fn("PgOutboundStore.claim")(
        function* ({ leaseNow, leaseUntil, limit, now, sources, token }) {
          const isDue = sql`due_at <= ${at(now)} AND source = ANY(${claimedFor(sources)}::text[])
            AND (lease_until IS NULL OR lease_until <= ${at(leaseNow)})`
          const rows = yield* claimByWorkspace({
            queue: "outbound_operations",
            part: sources.join(),
            limit,
            leaseNow,
            schema: OperationRow,
            look: (count) =>
              overAll("replies.claim", (among) =>
                all(DueRow)(sql`SELECT workspace_id, id FROM outbound_operations
                  WHERE ${isDue} ${among("workspace_id")} ORDER BY due_at, workspace_id, id ${few(count)}`)
              ),
            take: (workspaceId, keys, count) => sql`
              WITH due AS MATERIALIZED (
                SELECT id, due_at FROM outbound_operations
                WHERE workspace_id = ${workspaceId} AND id = ${anyOf(
                  sql,
                  keys.map(({ id }) => id)
                )} AND ${isDue}
                ORDER BY due_at, id ${few(count)} FOR NO KEY UPDATE SKIP LOCKED
              ), taken AS (
                UPDATE outbound_operations o SET lease_until = ${at(leaseUntil)}, lease_token = ${token}
                FROM due WHERE o.workspace_id = ${workspaceId} AND o.id = due.id
                RETURNING o.operation, due.due_at, o.id
              )
              SELECT operation FROM taken ORDER BY due_at, id`,
            putBack: (workspaceId, read, until) => sql`UPDATE outbound_operations
              SET lease_until = ${at(until)}, lease_token = NULL
              WHERE workspace_id = ${workspaceId} AND due_at <= ${at(now)} AND lease_token = ${token}
                AND id <> ALL (${read.map(({ operation }) => operation.id)}::text[])`
          })
          return rows.map(({ operation }) => ({ operation, token }))
        },
        storeCall("outbound.claim", "unknown")
      ),

      renew: Effect.fn("PgOutboundStore.renew")(
        function* ({ operation: { id, workspaceId }, token }, leaseUntil) {
          const renewed = yield* sql`UPDATE outbound_operations SET lease_until = ${at(leaseUntil)}
            WHERE workspace_id = ${workspaceId} AND id = ${id} AND lease_token = ${token} RETURNING 1`
          if (renewed.length === 0) return yield* new LeaseLost({ what: "operation", id })
        },
        storeCall("outbound.renew", "unknown")
      ),

      change: Effect.fn("PgOutboundStore.change")(
        (claim, decide) =>
          log.transaction(
            claim.operation.workspaceId,
            Effect.fnUntraced(function* (append) {
              const operation = yield* lockHeld(claim)
              return yield* apply(operation, decide(operation), append)
            })
          ),
        storeCall("outbound.change", "unknown")
      ),

      reconcile: Effect.fn("PgOutboundStore.reconcile")(
        (claim, candidates, decide) =>
          log.transaction(
            claim.operation.workspaceId,
            Effect.fnUntraced(function* (append) {
              const { accountId, workspaceId } = claim.operation
              // Serialised per account: two operations must not both be matched with the same post.
              yield* sql`SELECT 1 FROM social_accounts WHERE workspace_id = ${workspaceId} AND id = ${accountId}
                AND ${sql.literal(ownTurn("social_accounts"))} FOR NO KEY UPDATE`
              const operation = yield* lockHeld(claim)
              return yield* apply(operation, decide(yield* readFacts(operation, candidates)), append)
            })
          ),
        storeCall("outbound.reconcile", "unknown")
      ),

      hasten: Effect.fn("PgOutboundStore.hasten")(
        ({ accountId, workspaceId }) =>
          log.transaction(
            workspaceId,
            Effect.fnUntraced(function* (append) {
              const rows = yield* readable(
                "outbound_operations",
                OperationRow
              )(sql`SELECT operation
                FROM outbound_operations
                WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND status = 'outcome_unknown'
                ORDER BY id FOR NO KEY UPDATE`)
              for (const { operation } of rows) yield* writes.update(operation, hastened(operation), sameLease, append)
            })
          ),
        Effect.tap(() => signals.tellReplyWaits),
        storeCall("outbound.hasten", "unknown")
      ),

      // Only open operations have a due time, so the partial index stays small, however many have ended.
      depth: overAll("replies.depth", (among) =>
        all(DepthRow)(
          sql`SELECT status, count(*)::int AS count, min((operation ->> 'createdAt')::timestamptz) AS oldest_at
          FROM (SELECT status, operation FROM outbound_operations WHERE due_at IS NOT NULL ${among("workspace_id")}
            ORDER BY due_at ${few(countedAtMost)}) o GROUP BY status`
        )
      ).pipe(
        Effect.map((rows) => {
          const counts = { pending: 0, sending: 0, outcome_unknown: 0, remote_succeeded: 0 }
          for (const { count, status } of rows) counts[status] = count
          const [oldest] = rows.map((row) => row.oldest_at).toSorted(DateTime.Order)
          return { counts, oldestAt: Option.fromUndefinedOr(oldest) }
        }),
        storeCall("outbound.depth", "no"),
        Effect.withSpan("PgOutboundStore.depth")
      ),

      wakeUps: signals.heard.pipe(
        Stream.filter((payload) => payload === replyWaits || payload === reconnected),
        Stream.map(() => undefined)
      )
    })
  })
)
