import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { ManagedUserScope } from "@loopbox/core/access/InboxScope"
import { type ExportPage, type ExportQuery, ExportStore } from "@loopbox/core/exporting/ExportStore"
import { showEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { ManagedUser } from "@loopbox/core/workspaces/ManagedUsers"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { accountColumnsOf, AccountRow, toAccount } from "../../rows/AccountRow.ts"
import { AuditRow, auditColumns, toAuditEvent } from "../../rows/AuditRow.ts"
import { mediaColumns, MediaRow, toMedia } from "../../rows/MediaRow.ts"
import { noteColumns, NoteRow, toNote } from "../../rows/NoteRow.ts"
import { OperationRow } from "../../rows/OperationRow.ts"
import { endpointColumns, EndpointRow, toEndpoint } from "../../rows/OutgoingRow.ts"
import { all, first, plain } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"
import { makeAppendAudit } from "../audit/appendAudit.ts"

/** Events that one statement looks through, whosever they are: so long it takes, however few are the user's. */
const lookedThrough = 2_000

/** The first `limit` of at most one row more. */
const toExportPage = <A extends { readonly id: string }>(rows: ReadonlyArray<A>, limit: number): ExportPage<A> => {
  const items = rows.slice(0, limit)
  const last = items[items.length - 1]
  return { items, next: rows.length > limit && last !== undefined ? Option.some(last.id) : Option.none() }
}

const idAfter = ({ after }: ExportQuery): string => Option.getOrElse(after, () => "")

const CreatedRow = Schema.Struct({ created_at: plain.moment })
const SeenRow = Schema.Struct({ count: Schema.Int, last: plain.text })

/** What of the audit is about a user: as a condition on `e`. */
const makeIsOf = Effect.map(SqlClient, (sql) => ({ externalUserId, workspaceId }: ManagedUserScope) => {
  const user = storable(externalUserId)
  return sql`((e.target_type = 'managed_user' AND e.target_id = ${user})
    OR (e.target_type = 'account' AND EXISTS (SELECT 1 FROM social_accounts a
      WHERE a.workspace_id = ${workspaceId} AND a.id = e.target_id AND a.external_user_id = ${user}
        AND a.erased_at IS NULL))
    OR (e.target_type = 'post' AND EXISTS (SELECT 1 FROM posts p
      WHERE p.workspace_id = ${workspaceId} AND p.id = e.target_id AND p.external_user_id = ${user}))
    OR (e.target_type = 'item' AND EXISTS (SELECT 1 FROM items i
      JOIN social_accounts a ON a.workspace_id = i.workspace_id AND a.id = i.account_id
      WHERE i.workspace_id = ${workspaceId} AND i.id = e.target_id AND i.kind = 'live' AND a.external_user_id = ${user}
        AND a.erased_at IS NULL)))`
})

export const layer: Layer.Layer<ExportStore, never, SqlClient> = Layer.effect(
  ExportStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const audit = yield* makeAppendAudit
    const isOf = yield* makeIsOf

    return ExportStore.of({
      begin: Effect.fn("PgExportStore.begin")(
        function* ({ externalUserId, workspaceId }) {
          // Shared until the end: an erasure that replaces the id in the audit comes before, or waits.
          const row = yield* first(CreatedRow)(sql`SELECT created_at FROM managed_users
            WHERE workspace_id = ${workspaceId} AND external_user_id = ${storable(externalUserId)} FOR KEY SHARE`)
          if (Option.isNone(row)) return Option.none()
          yield* audit(workspaceId, { action: "managed_user.exported", targetId: externalUserId })
          const createdAt = DateTime.fromDateUnsafe(row.value.created_at)
          return Option.some(new ManagedUser({ workspaceId, externalUserId, createdAt }))
        },
        sql.withTransaction,
        storeCall("export.begin", "unknown")
      ),

      accounts: Effect.fn("PgExportStore.accounts")(
        function* ({ externalUserId, workspaceId }, query) {
          const rows = yield* all(AccountRow)(sql`SELECT ${sql.literal(accountColumnsOf("a"))} FROM social_accounts a
            WHERE a.workspace_id = ${workspaceId} AND a.external_user_id = ${storable(externalUserId)}
              AND a.erased_at IS NULL AND a.id > ${idAfter(query)} ORDER BY a.id LIMIT ${query.limit + 1}`)
          return toExportPage(rows.map(toAccount), query.limit)
        },
        storeCall("export.accounts", "no")
      ),

      notes: Effect.fn("PgExportStore.notes")(
        function* ({ externalUserId, workspaceId }, query) {
          const rows = yield* all(NoteRow)(sql`SELECT ${sql.literal(noteColumns)} FROM thread_notes n
            JOIN social_accounts a ON a.workspace_id = n.workspace_id AND a.id = n.account_id
            WHERE n.workspace_id = ${workspaceId} AND a.external_user_id = ${storable(externalUserId)}
              AND a.erased_at IS NULL AND n.id > ${idAfter(query)} ORDER BY n.id LIMIT ${query.limit + 1}`)
          return toExportPage(rows.map(toNote), query.limit)
        },
        storeCall("export.notes", "no")
      ),

      operations: Effect.fn("PgExportStore.operations")(
        function* ({ externalUserId, workspaceId }, query) {
          const rows = yield* all(OperationRow)(sql`SELECT o.operation FROM outbound_operations o
            JOIN social_accounts a ON a.workspace_id = o.workspace_id AND a.id = o.account_id
            WHERE o.workspace_id = ${workspaceId} AND a.external_user_id = ${storable(externalUserId)}
              AND a.erased_at IS NULL AND o.id > ${idAfter(query)} ORDER BY o.id LIMIT ${query.limit + 1}`)
          return toExportPage(
            rows.map(({ operation }) => operation),
            query.limit
          )
        },
        storeCall("export.operations", "no")
      ),

      media: Effect.fn("PgExportStore.media")(
        function* ({ externalUserId, workspaceId }, query) {
          const user = storable(externalUserId)
          const rows = yield* all(MediaRow)(sql`WITH named AS (
              SELECT jsonb_array_elements_text(p.media_ids) AS id FROM posts p
              WHERE p.workspace_id = ${workspaceId} AND p.external_user_id = ${user}
              UNION
              SELECT jsonb_array_elements(o.operation -> 'media') ->> 'mediaId' FROM outbound_operations o
              JOIN social_accounts a ON a.workspace_id = o.workspace_id AND a.id = o.account_id
              WHERE o.workspace_id = ${workspaceId} AND a.external_user_id = ${user} AND a.erased_at IS NULL
            )
            SELECT ${sql.literal(mediaColumns)} FROM media m
            WHERE m.workspace_id = ${workspaceId} AND m.deleted_at IS NULL AND m.id > ${idAfter(query)}
              AND m.id IN (SELECT n.id FROM named n) ORDER BY m.id LIMIT ${query.limit + 1}`)
          return toExportPage(rows.map(toMedia), query.limit)
        },
        storeCall("export.media", "no")
      ),

      webhookEndpoints: Effect.fn("PgExportStore.webhookEndpoints")(
        function* ({ externalUserId, workspaceId }, query) {
          const rows = yield* all(EndpointRow)(sql`SELECT ${sql.literal(endpointColumns)} FROM outgoing_endpoints
            WHERE workspace_id = ${workspaceId} AND external_user_id = ${storable(externalUserId)}
              AND removed_at IS NULL AND id > ${idAfter(query)} ORDER BY id LIMIT ${query.limit + 1}`)
          return toExportPage(
            rows.map((row) => showEndpoint(toEndpoint(row))),
            query.limit
          )
        },
        storeCall("export.webhookEndpoints", "no")
      ),

      auditEvents: Effect.fn("PgExportStore.auditEvents")(
        function* (user, query) {
          const looked = sql`SELECT l.* FROM audit_events l
            WHERE l.workspace_id = ${user.workspaceId} AND l.id > ${idAfter(query)} ORDER BY l.id LIMIT ${lookedThrough}`
          const rows = yield* all(AuditRow)(sql`SELECT ${sql.literal(auditColumns)} FROM (${looked}) e
            WHERE ${isOf(user)} ORDER BY e.id LIMIT ${query.limit + 1}`)
          const page = toExportPage(rows.map(toAuditEvent), query.limit)
          if (Option.isSome(page.next)) return page
          const seen = yield* first(SeenRow)(sql`SELECT count(*)::int AS count, max(e.id) AS last FROM (${looked}) e`)
          const { count, last } = Option.getOrElse(seen, () => ({ count: 0, last: null }))
          return { items: page.items, next: count < lookedThrough ? Option.none() : Option.fromNullOr(last) }
        },
        storeCall("export.auditEvents", "no")
      )
    })
  })
)
