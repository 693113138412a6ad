import * as Schema from "effect/Schema"
import { SavedReplyId, WorkspaceId } from "../kernel/Ids.ts"

/** Longest name of a saved reply, in characters (code points). */
export const maxSavedReplyName = 100

/** Longest text of a saved reply, in characters (code points). */
export const maxSavedReplyText = 10_000

/** A text that people answer with again and again, kept under a name. */
export class SavedReply extends Schema.Class<SavedReply>("@loopbox/core/savedReplies/SavedReply")({
  id: SavedReplyId,
  workspaceId: WorkspaceId,
  /** In whose scope it was made; none: in the workspace's. */
  externalUserId: Schema.Option(Schema.String),
  /** Not blank. Several may have the same. */
  name: Schema.String,
  /** Not blank; kept as given. */
  text: Schema.String,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
}) {}

/** What of a saved reply may be given, and changed. */
export interface SavedReplyContent {
  readonly name: string
  readonly text: string
}

/** Whether a text can be kept and has 1 to `maximum` characters without the spaces around it. */
const isText = (text: string, maximum: number): boolean => {
  const { length } = Array.from(text.trim())
  return length >= 1 && length <= maximum && !text.includes("\0") && text.isWellFormed()
}

export const isSavedReplyName = (name: string): boolean => isText(name, maxSavedReplyName)

export const isSavedReplyText = (text: string): boolean => isText(text, maxSavedReplyText)
