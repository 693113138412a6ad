import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ThreadNote } from "@loopbox/core/items/threading/ThreadNote"
import { SocialAccountId, ThreadId, ThreadNoteId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { plain } from "./rows.ts"

export const noteColumns = "n.workspace_id, n.account_id, n.id, n.thread_id, n.text, n.author, n.created_at"

export const NoteRow = Schema.Struct({
  workspace_id: WorkspaceId,
  account_id: SocialAccountId,
  id: ThreadNoteId,
  thread_id: ThreadId,
  text: Schema.String,
  author: plain.text,
  created_at: plain.moment
})

export const toNote = (row: typeof NoteRow.Type): ThreadNote => ({
  workspaceId: row.workspace_id,
  accountId: row.account_id,
  id: row.id,
  threadId: row.thread_id,
  text: row.text,
  author: Option.fromNullOr(row.author),
  createdAt: DateTime.fromDateUnsafe(row.created_at)
})
