import type * as Stream from "effect/Stream"
import type { ExportEnd, ExportLine } from "@loopbox/core/exporting/ExportLine"
import { showOperation } from "@loopbox/core/outbound/showOperation"
import type { OutboundOperation } from "@loopbox/core/outbound/OutboundOperation"
import { type PlainMedia, toPlainMedia } from "./plain.ts"
import { type PlainAccount, type PlainManagedUser, toPlainAccount } from "./plainAccount.ts"
import {
  type PlainEndpoint,
  type PlainItem,
  type PlainPost,
  type PlainThread,
  toPlainItem,
  toPlainThread
} from "./plainInbox.ts"
import type { PlainOperation } from "./plainOperation.ts"
import type { PlainNote } from "./notesFacade.ts"
import type { PlainSavedReply } from "./savedRepliesFacade.ts"
import { toldIterable } from "./told.ts"
import { toPlain } from "./toPlain.ts"
import type { PlainAuditEvent } from "./workspacesFacade.ts"

/** A reply with its text and its files: it may have become no item. */
export interface PlainExportedReply extends PlainOperation {
  readonly accountId: string
  readonly text: string
  readonly mediaIds: ReadonlyArray<string>
}

/** One line of an export. `media.read` has the bytes of a file. */
export type PlainExportLine =
  | { readonly type: "managed_user"; readonly data: PlainManagedUser }
  | { readonly type: "account"; readonly data: PlainAccount }
  | { readonly type: "thread"; readonly data: PlainThread }
  | { readonly type: "item"; readonly data: PlainItem }
  | { readonly type: "note"; readonly data: PlainNote }
  | { readonly type: "saved_reply"; readonly data: PlainSavedReply }
  | { readonly type: "operation"; readonly data: PlainExportedReply }
  | { readonly type: "post"; readonly data: PlainPost }
  | { readonly type: "media"; readonly data: PlainMedia }
  | { readonly type: "webhook_endpoint"; readonly data: PlainEndpoint }
  | { readonly type: "audit_event"; readonly data: PlainAuditEvent }
  | ExportEnd

const toPlainReply = (operation: OutboundOperation): PlainExportedReply => ({
  ...toPlain(showOperation(operation)),
  accountId: operation.accountId,
  text: operation.text,
  mediaIds: operation.media.map(({ mediaId }) => mediaId)
})

const toPlainLine = (line: ExportLine): PlainExportLine => {
  switch (line.type) {
    case "account":
      return { type: line.type, data: toPlainAccount(line.data) }
    case "thread":
      return { type: line.type, data: toPlainThread(line.data) }
    case "item":
      return { type: line.type, data: toPlainItem(line.data) }
    case "operation":
      return { type: line.type, data: toPlainReply(line.data) }
    case "media":
      return { type: line.type, data: toPlainMedia(line.data) }
    case "end":
      return line
    case "managed_user":
      return { type: line.type, data: toPlain(line.data) }
    case "note":
      return { type: line.type, data: toPlain(line.data) }
    case "saved_reply":
      return { type: line.type, data: toPlain(line.data) }
    case "post":
      return { type: line.type, data: toPlain(line.data) }
    case "webhook_endpoint":
      return { type: line.type, data: toPlain(line.data) }
    case "audit_event":
      return { type: line.type, data: toPlain(line.data) }
  }
}

/** The lines of an export that begins when the first is asked for. An aborted signal ends it between two lines. */
export async function* exportLines<E>(
  begin: () => Promise<Stream.Stream<ExportLine, E>>,
  signal: AbortSignal | undefined
): AsyncGenerator<PlainExportLine, void, undefined> {
  for await (const line of toldIterable(await begin())) {
    signal?.throwIfAborted()
    yield toPlainLine(line)
  }
}
