import * as Schema from "effect/Schema"
import { SocialAccountId, ThreadId, ThreadNoteId, WorkspaceId } from "../../kernel/Ids.ts"

/** Longest text of a note, and longest name of who wrote it, in characters (code points). */
export const noteLimits = { text: 10_000, author: 100 } as const

/** What people who work on a thread tell each other about it (api-2.md §14). It never goes to a network. */
export const ThreadNote = Schema.Struct({
  id: ThreadNoteId,
  workspaceId: WorkspaceId,
  accountId: SocialAccountId,
  threadId: ThreadId,
  /** Not blank; kept as given. */
  text: Schema.String,
  /** Who wrote it, as far as that is known. */
  author: Schema.Option(Schema.String),
  createdAt: Schema.DateTimeUtc
})
export type ThreadNote = typeof ThreadNote.Type

const isKept = (text: string): boolean => !text.includes("\0") && text.isWellFormed()

export const isNoteText = (text: string): boolean => {
  const { length } = Array.from(text.trim())
  return length >= 1 && length <= noteLimits.text && isKept(text)
}

export const isNoteAuthor = (name: string): boolean => {
  const { length } = Array.from(name)
  return name.trim() !== "" && length <= noteLimits.author && isKept(name)
}
