import type { SocialAccount } from "../accounts/SocialAccount.ts"
import type { AuditEvent } from "../audit/AuditEvent.ts"
import type { InboxItem } from "../items/InboxItem.ts"
import type { ShownEndpoint } from "../items/ShownEndpoint.ts"
import type { ShownPost } from "../items/ShownPost.ts"
import type { InboxThread } from "../items/threading/InboxThread.ts"
import type { ThreadNote } from "../items/threading/ThreadNote.ts"
import type { Media } from "../media/Media.ts"
import type { OutboundOperation } from "../outbound/OutboundOperation.ts"
import type { SavedReply } from "../savedReplies/SavedReply.ts"
import type { ManagedUser } from "../workspaces/ManagedUsers.ts"

/** What an export has, by the type of its line, in the order of the lines. */
export interface Exported {
  readonly managed_user: ManagedUser
  readonly account: SocialAccount
  readonly thread: InboxThread
  readonly item: InboxItem
  readonly note: ThreadNote
  readonly saved_reply: SavedReply
  readonly operation: OutboundOperation
  readonly post: ShownPost
  readonly media: Media
  readonly webhook_endpoint: ShownEndpoint
  readonly audit_event: AuditEvent
}

export type ExportType = keyof Exported

/** One record of an export. */
export type ExportRecord = {
  readonly [Type in ExportType]: { readonly type: Type; readonly data: Exported[Type] }
}[ExportType]

/** The last line, which a stream that was cut does not have. */
export interface ExportEnd {
  readonly type: "end"
  /** How many lines came before this one. */
  readonly lines: number
}

/** One line of an export (api-2-decided B20). */
export type ExportLine = ExportRecord | ExportEnd
