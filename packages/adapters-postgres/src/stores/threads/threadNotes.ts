import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import type { ThreadNote } from "@loopbox/core/items/threading/ThreadNote"
import { SocialAccountId, type ThreadId, type ThreadNoteId } from "@loopbox/core/kernel/Ids"
import type { PageRequest } from "@loopbox/core/kernel/Page"
import { Source } from "@loopbox/core/networks/Source"
import { noteColumns, NoteRow, toNote } from "../../rows/NoteRow.ts"
import { pageOf } from "../../rows/readableRows.ts"
import { at, first } from "../../rows/rows.ts"
import { storable, storableOrNull } from "../../rows/text.ts"
import type { Append } from "../inbox/EventLog.ts"
import { makeScope } from "../inbox/scope.ts"
import { toVector } from "../inbox/wordVectors.ts"

const OfThreadRow = Schema.Struct({ account_id: SocialAccountId, source: Source })

const notePage = pageOf("thread_notes", NoteRow, toNote)

/** Notes on threads, in transactions of their callers where they write. */
export const makeThreadNotes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const within = yield* makeScope
  const columns = sql.literal(noteColumns)

  /** The thread's account and source. Where it is written to, its row stays until the end: an erasure waits for it. */
  const findThread = (scope: ItemScope, id: ThreadId, isLocked: boolean) =>
    first(OfThreadRow)(sql`SELECT t.account_id, t.source FROM threads t
      JOIN social_accounts a ON a.workspace_id = t.workspace_id AND a.id = t.account_id
      WHERE t.workspace_id = ${scope.scope.workspaceId} AND t.id = ${id} AND t.is_kept AND t.last_item_at IS NOT NULL
        AND t.source = ANY(${Array.from(scope.sources)}::text[]) AND ${within.accounts(scope)}
      ${sql.literal(isLocked ? "FOR KEY SHARE OF t, a" : "")}`)

  const add = Effect.fnUntraced(function* (scope: ItemScope, note: ThreadNote, append: Append) {
    const thread = yield* findThread(scope, note.threadId, true)
    if (Option.isNone(thread)) return false
    const { account_id: accountId, source } = thread.value
    const text = storable(note.text)
    yield* sql`INSERT INTO thread_notes (workspace_id, account_id, id, thread_id, text, author, created_at, words)
      VALUES (${note.workspaceId}, ${accountId}, ${note.id}, ${note.threadId}, ${text}, ${storableOrNull(note.author)},
        ${at(note.createdAt)}, ${toVector(note.workspaceId, [text])}::tsvector)`
    yield* append([{ _tag: "NoteAdded", accountId, source, note }], note.createdAt)
    return true
  })

  const list = Effect.fnUntraced(function* (scope: ItemScope, id: ThreadId, { after, limit }: PageRequest) {
    const thread = yield* findThread(scope, id, false)
    if (Option.isNone(thread)) return Option.none()
    const behind = Option.match(after, {
      onNone: () => sql.literal(""),
      onSome: (key) => sql`AND (n.created_at, n.id) > (${at(key.createdAt)}, ${storable(key.id)})`
    })
    const page = yield* notePage(
      sql`SELECT ${columns} FROM thread_notes n
        WHERE n.workspace_id = ${scope.scope.workspaceId} AND n.account_id = ${thread.value.account_id}
          AND n.thread_id = ${id} ${behind} ORDER BY n.created_at, n.id LIMIT ${limit + 1}`,
      limit
    )
    return Option.some(page)
  })

  const remove = Effect.fnUntraced(function* (
    scope: ItemScope,
    id: ThreadId,
    noteId: ThreadNoteId,
    moment: DateTime.Utc,
    append: Append
  ) {
    const thread = yield* findThread(scope, id, true)
    if (Option.isNone(thread)) return Option.none()
    const { account_id: accountId, source } = thread.value
    const gone = yield* sql`DELETE FROM thread_notes WHERE workspace_id = ${scope.scope.workspaceId}
      AND account_id = ${accountId} AND id = ${noteId} AND thread_id = ${id} RETURNING 1`
    if (gone.length > 0) yield* append([{ _tag: "NoteDeleted", accountId, source, threadId: id, noteId }], moment)
    return Option.some(gone.length > 0)
  })

  return { add, list, remove }
})
