import { isLoopboxError } from "../base/isLoopboxError.ts"
import { html, nothing, type TemplateResult } from "lit"
import { button } from "../parts/button.ts"
import { describeFailure } from "../parts/failure.ts"
import { icon } from "../parts/icon.ts"
import type { InboxView } from "./InboxView.ts"

/** The host lets nobody in with this token: what that means, and what helps. */
const refusedBanner = ({ partTexts, store, texts }: InboxView): TemplateResult => {
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

/** How the line to the host is, above all panes; of one that stands again, what came in between. */
export const banner = (view: InboxView, resumed: string | undefined): TemplateResult | typeof nothing => {
  const { connection } = view.store
  if (connection === "refused") return refusedBanner(view)
  if (connection === "lost") return html`<p class="banner" part="banner" role="status">${view.texts.connectionLost}</p>`
  return resumed === undefined ? nothing : html`<p class="banner good" part="banner">${resumed}</p>`
}
