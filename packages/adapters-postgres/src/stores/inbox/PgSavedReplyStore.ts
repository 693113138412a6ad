import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import { SavedReplyId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { SavedReply } from "@loopbox/core/savedReplies/SavedReply"
import { SavedReplyStore } from "@loopbox/core/savedReplies/SavedReplyStore"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { pageOf } from "../../rows/readableRows.ts"
import { at, first, newestFirst, plain } from "../../rows/rows.ts"
import { storable, storableOrNull } from "../../rows/text.ts"
import { makeHoldOwner } from "../access/holdOwner.ts"

const columns = "workspace_id, id, external_user_id, name, text, created_at, updated_at"

const SavedReplyRow = Schema.Struct({
  workspace_id: WorkspaceId,
  id: SavedReplyId,
  external_user_id: plain.text,
  name: Schema.String,
  text: Schema.String,
  created_at: plain.moment,
  updated_at: plain.moment
})

const toSavedReply = (row: typeof SavedReplyRow.Type): SavedReply =>
  new SavedReply({
    workspaceId: row.workspace_id,
    id: row.id,
    externalUserId: Option.fromNullOr(row.external_user_id),
    name: row.name,
    text: row.text,
    createdAt: DateTime.fromDateUnsafe(row.created_at),
    updatedAt: DateTime.fromDateUnsafe(row.updated_at)
  })

const savedReplyPage = pageOf("saved_replies", SavedReplyRow, toSavedReply)

export const layer: Layer.Layer<SavedReplyStore, never, SqlClient> = Layer.effect(
  SavedReplyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const page = yield* newestFirst
    const { holdOwner } = yield* makeHoldOwner
    const given = sql.literal(columns)

    const within = (scope: InboxScope) =>
      scope._tag === "WorkspaceScope"
        ? sql`workspace_id = ${scope.workspaceId}`
        : sql`workspace_id = ${scope.workspaceId} AND external_user_id = ${storable(scope.externalUserId)}`

    return SavedReplyStore.of({
      insert: Effect.fn("PgSavedReplyStore.insert")(
        function* (reply) {
          if (!(yield* holdOwner(reply.workspaceId, reply.externalUserId))) return false
          yield* sql`INSERT INTO saved_replies ${sql.insert({
            workspace_id: reply.workspaceId,
            id: reply.id,
            external_user_id: storableOrNull(reply.externalUserId),
            name: storable(reply.name),
            text: storable(reply.text),
            created_at: at(reply.createdAt),
            updated_at: at(reply.updatedAt)
          })}`
          return true
        },
        sql.withTransaction,
        storeCall("savedReplies.insert", "unknown")
      ),

      list: Effect.fn("PgSavedReplyStore.list")(
        function* (scope, request) {
          return yield* savedReplyPage(
            sql`SELECT ${given} FROM saved_replies WHERE ${within(scope)} ${page(request)}`,
            request.limit
          )
        },
        storeCall("savedReplies.list", "no")
      ),

      find: Effect.fn("PgSavedReplyStore.find")(
        function* (scope, id) {
          const row = yield* first(SavedReplyRow)(sql`SELECT ${given} FROM saved_replies
            WHERE ${within(scope)} AND id = ${id}`)
          return Option.map(row, toSavedReply)
        },
        storeCall("savedReplies.find", "no")
      ),

      update: Effect.fn("PgSavedReplyStore.update")(
        function* (scope, id, { name, text }, moment) {
          const newName = sql`coalesce(${name === undefined ? null : storable(name)}::text, name)`
          const newText = sql`coalesce(${text === undefined ? null : storable(text)}::text, text)`
          const row = yield* first(SavedReplyRow)(sql`UPDATE saved_replies SET name = ${newName}, text = ${newText},
              updated_at = CASE WHEN (name, text) = (${newName}, ${newText}) THEN updated_at ELSE ${at(moment)} END
            WHERE ${within(scope)} AND id = ${id} RETURNING ${given}`)
          return Option.map(row, toSavedReply)
        },
        storeCall("savedReplies.update", "unknown")
      ),

      remove: Effect.fn("PgSavedReplyStore.remove")(
        function* (scope, id) {
          const gone = yield* sql`DELETE FROM saved_replies WHERE ${within(scope)} AND id = ${id} RETURNING 1`
          return gone.length > 0
        },
        storeCall("savedReplies.remove", "unknown")
      )
    })
  })
)
