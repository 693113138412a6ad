import type { ExportLine, ExportRecord } from "@loopbox/core/exporting/ExportLine"
import type { OutboundOperation } from "@loopbox/core/outbound/OutboundOperation"
import { showOperation } from "@loopbox/core/outbound/showOperation"
import { toAuditEventBody } from "../audit/AuditApi.ts"
import { toEndpointBody } from "../endpoints/EndpointBody.ts"
import { toItemBody } from "../inbox/ItemBody.ts"
import { toNoteBody } from "../inbox/NotesApi.ts"
import { toOperationBody } from "../inbox/OperationBody.ts"
import { toSavedReplyBody } from "../inbox/SavedRepliesApi.ts"
import { toThreadBody } from "../inbox/ThreadBody.ts"
import { toMediaBody } from "../media/MediaBody.ts"
import { toPostBody } from "../posts/PostBody.ts"
import { toAccountBody, toManagedUserBody } from "./AccountBodies.ts"

/** Unlike the answer to whoever sent it, with its text and its files: it may have become no item. */
const toReply = (operation: OutboundOperation) => ({
  ...toOperationBody(showOperation(operation)),
  account_id: operation.accountId,
  text: operation.text,
  media_ids: operation.media.map(({ mediaId }) => mediaId)
})

/** How a record looks: as its own endpoint shows it. A file has the address of its bytes, if it has any. */
const shown = (record: ExportRecord, url: string | null): object => {
  switch (record.type) {
    case "managed_user":
      return toManagedUserBody(record.data)
    case "account":
      return toAccountBody(record.data)
    case "thread":
      return toThreadBody(record.data)
    case "item":
      return toItemBody(record.data)
    case "note":
      return toNoteBody(record.data)
    case "saved_reply":
      return toSavedReplyBody(record.data)
    case "operation":
      return toReply(record.data)
    case "post":
      return toPostBody(record.data)
    case "media":
      return toMediaBody(record.data, { _tag: "Download", url })
    case "webhook_endpoint":
      return toEndpointBody(record.data)
    case "audit_event":
      return toAuditEventBody(record.data)
  }
}

/** One line of NDJSON, with its end. */
export const toExportText = (line: ExportLine, url: string | null): string =>
  `${JSON.stringify(line.type === "end" ? line : { type: line.type, data: shown(line, url) })}\n`
