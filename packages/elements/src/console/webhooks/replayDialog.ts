import { html, nothing, type TemplateResult } from "lit"
import type { PartMessages } from "../../messages/english/parts.ts"
import type { WebhooksMessages } from "../../messages/english/webhooks.ts"
import { button } from "../../parts/button.ts"
import "../../parts/Dialog.ts"
import { textField } from "../../parts/field.ts"
import { errorLine } from "../../parts/states.ts"
import { afterOf } from "./deliveryText.ts"

export interface ReplayDialog {
  /** What is typed; undefined while it is closed. */
  readonly typed: string | undefined
  readonly failure: unknown
  readonly isBusy: boolean
  readonly texts: WebhooksMessages
  readonly partMessages: PartMessages
  readonly onInput: (typed: string | undefined) => void
  readonly onReplay: (after: number) => void
}

/** Asks from which event on an address gets everything once more. */
export const replayDialog = (dialog: ReplayDialog): TemplateResult => {
  const { failure, isBusy, onInput, onReplay, partMessages, texts, typed } = dialog
  const after = afterOf(typed ?? "")
  const submit = (event: Event): void => {
    event.preventDefault()
    if (after !== undefined) onReplay(after)
  }
  return html`<loopbox-dialog
    heading=${texts.replayHeading}
    close-label=${partMessages.close}
    .open=${typed !== undefined}
    @close=${() => onInput(undefined)}
  >
    <form class="form" @submit=${submit}>
      ${failure === undefined ? nothing : errorLine(failure, partMessages)}
      <p>${texts.replayText}</p>
      ${textField({ id: "after", label: texts.after, hint: texts.afterHint, value: typed ?? "", onInput })}
      ${button({ label: texts.replay, kind: "primary", type: "submit", disabled: after === undefined, busy: isBusy })}
    </form>
  </loopbox-dialog>`
}
