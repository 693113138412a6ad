import { html, nothing, type TemplateResult } from "lit"
import type { AccountsMessages } from "../messages/english/accounts.ts"
import { button } from "../parts/button.ts"
import { icon } from "../parts/icon.ts"
import type { ConnectReturn } from "./ConnectReturn.ts"

interface ReturnLine {
  readonly returned: ConnectReturn
  readonly texts: AccountsMessages
  readonly closeLabel: string
  readonly close: () => void
}

/** What came of the network's dialog, from which the browser just came back; in words, and with its code. */
export const returnLine = ({ close, closeLabel, returned, texts }: ReturnLine): TemplateResult => {
  const { reason, status } = returned
  const reasons: Readonly<Record<string, string>> = texts.reasons
  const isDone = status === "completed"
  const sentence = isDone ? texts.returnDone : status === "denied" ? texts.returnDenied : texts.returnFailed
  const why = reason === undefined || status === "denied" ? undefined : (reasons[reason] ?? texts.otherReason)
  const look = isDone ? (why === undefined ? "good" : "careful") : "bad"
  return html`<div class="returned ${look}" role=${isDone ? "status" : "alert"} part="returned">
    ${icon(look === "good" ? "check" : "warning")}
    <p><strong>${sentence}</strong> ${why ?? ""} ${reason === undefined ? nothing : html`<code>${reason}</code>`}</p>
    ${button({ label: closeLabel, icon: "close", iconOnly: true, kind: "quiet", onClick: close })}
  </div>`
}
