import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { InboxItemId } from "@loopbox/core/kernel/Ids"
import { clockMargin } from "@loopbox/core/outbound/matchReply"
import { type OutboundOperation, sentSourceOf } from "@loopbox/core/outbound/OutboundOperation"
import type { OwnItem, ReconcileFacts } from "@loopbox/core/outbound/OutboundStore"
import { StoredAttachment, toAttachment } from "../../rows/ItemRow.ts"
import { isNamedByKey, namedRows } from "../../rows/oneByOne.ts"
import { OperationRow } from "../../rows/OperationRow.ts"
import { makeReadable } from "../../rows/readableRows.ts"
import { all, at, Instant, optional } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"

const OwnRow = Schema.Struct({
  id: InboxItemId,
  external_id: Schema.String,
  thread_key: Schema.String,
  parent_external_id: optional(Schema.String),
  body: Schema.String,
  attachments: Schema.Array(StoredAttachment),
  received_at: Instant,
  created_at: Instant,
  operation_tag: optional(Schema.String)
})

const TakenRow = Schema.Struct({ response_external_id: Schema.String })

const readRivals = makeReadable("outbound_operations", OperationRow)

/** What is read, in a transaction of its caller that holds the lock of the account's replies. */
export const makeReconcileFacts = Effect.gen(function* () {
  const sql = yield* SqlClient

  const findOwn = Effect.fnUntraced(function* (operation: OutboundOperation) {
    const { accountId, state, workspaceId } = operation
    const source = sentSourceOf(operation)
    if (!("attemptedAt" in state)) return []
    const rows = yield* all(OwnRow)(sql`
      SELECT id, external_id, thread_key, parent_external_id, body, attachments, received_at, created_at,
        detail ->> 'operationTag' AS operation_tag
      FROM items WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND source = ${source}
        AND kind = 'live' AND is_own AND received_at >= ${at(DateTime.subtract(state.attemptedAt, clockMargin))}
      ORDER BY received_at, id LIMIT 500`)
    return rows.map((row): OwnItem => ({
      itemId: row.id,
      source,
      externalId: row.external_id,
      threadKey: row.thread_key,
      parentExternalId: row.parent_external_id,
      body: row.body,
      attached: row.attachments.map((attachment) => toAttachment(attachment).type),
      receivedAt: row.received_at,
      createdAt: row.created_at,
      operationTag: row.operation_tag
    }))
  })

  return Effect.fnUntraced(function* (operation: OutboundOperation, candidates: ReadonlyArray<string>) {
    const others = sql`workspace_id = ${operation.workspaceId} AND account_id = ${operation.accountId}
      AND id <> ${operation.id}`
    const own = yield* findOwn(operation)
    const ids = [...candidates, ...own.map(({ externalId }) => externalId)]
    const rows = yield* sql`SELECT operation FROM outbound_operations
      WHERE ${others} AND status IN ('sending', 'outcome_unknown') ORDER BY id`
    const rivals = yield* readRivals(rows)
    const taken = yield* all(TakenRow)(sql`SELECT o.response_external_id FROM ${namedRows(sql, {
      account_id: ids.map(() => operation.accountId),
      response_external_id: ids.map(storable)
    })} n CROSS JOIN LATERAL (
      SELECT o.id, o.response_external_id FROM outbound_operations o WHERE o.workspace_id = ${operation.workspaceId}
        AND ${sql.literal(isNamedByKey("o", "n", ["account_id", "response_external_id"]))} OFFSET 0
    ) o WHERE o.id <> ${operation.id}`)
    const facts: ReconcileFacts = {
      operation,
      rivals: rivals.map((row) => row.operation),
      hasUnreadRivals: rivals.length < rows.length,
      own,
      taken: new Set(taken.map((row) => row.response_external_id))
    }
    return facts
  })
})
