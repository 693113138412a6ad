import { isLoopboxError } from "../base/isLoopboxError.ts"
import { html, nothing, type TemplateResult } from "lit"
import type { InboxMessages } from "../messages/english/inbox.ts"
import type { PartMessages } from "../messages/english/parts.ts"
import { button } from "../parts/button.ts"
import { describeFailure } from "../parts/failure.ts"
import { icon } from "../parts/icon.ts"
import type { InboxStore } from "./InboxStore.ts"

/** The host lets nobody in with this token: what that means, and what helps. */
export const refusedBanner = (store: InboxStore, texts: InboxMessages, partTexts: PartMessages): TemplateResult => {
  const { code, requestId, sentence } = describeFailure(store.refusal, partTexts)
  const isExpired = isLoopboxError(store.refusal) && store.refusal.status === 401
  return html`<div class="banner bad" part="banner" role="alert">
    ${icon("lock")}
    <p>
      ${isExpired ? texts.expired : html`<strong>${texts.refusedHeading}.</strong> ${sentence}`} <code>${code}</code>
      ${requestId === null ? nothing : html`<code>${partTexts.requestId(requestId)}</code>`}
    </p>
    ${button({ label: partTexts.tryAgain, icon: "refresh", onClick: () => store.restart() })}
  </div>`
}
