import { html, type TemplateResult } from "lit"
import type { ConsoleMessages } from "../../messages/english/console.ts"
import type { PartMessages } from "../../messages/english/parts.ts"
import { button } from "../../parts/button.ts"
import "../../parts/Dialog.ts"
import { asCurl, type SentRequest } from "./RequestLog.ts"

export interface RequestsDialog {
  readonly sent: ReadonlyArray<SentRequest>
  /** Where programs reach the host. */
  readonly apiUrl: string
  readonly isOpen: boolean
  /** The one that was copied last. */
  readonly copied: SentRequest | undefined
  readonly texts: ConsoleMessages
  readonly partMessages: PartMessages
  readonly onClose: () => void
  readonly onCopy: (sent: SentRequest, text: string) => void
}

const requestOf = (
  sent: SentRequest,
  { apiUrl, copied, onCopy, partMessages, texts }: RequestsDialog
): TemplateResult => {
  const text = asCurl(sent, apiUrl)
  return html`<div class="sent">
    <div class="sent-head">
      <span>${sent.status}${sent.requestId === null ? "" : ` · ${partMessages.requestId(sent.requestId)}`}</span>
      ${button({
        label: copied === sent ? texts.copied : texts.copy,
        kind: "quiet",
        onClick: () => onCopy(sent, text)
      })}
    </div>
    <pre tabindex="0">${text}</pre>
  </div>`
}

/** The requests behind a page, as commands that do the same. */
export const requestsDialog = (dialog: RequestsDialog): TemplateResult => {
  const { isOpen, onClose, partMessages, sent, texts } = dialog
  return html`<loopbox-dialog
    heading=${texts.requestsHeading}
    close-label=${partMessages.close}
    .open=${isOpen}
    @close=${onClose}
  >
    <p>${sent.length === 0 ? texts.noRequests : texts.requestsText}</p>
    ${(isOpen ? sent : []).map((one) => requestOf(one, dialog))}
  </loopbox-dialog>`
}
