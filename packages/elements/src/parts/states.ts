import { html, nothing, type TemplateResult } from "lit"
import type { PartMessages } from "../messages/english/parts.ts"
import { button } from "./button.ts"
import { describeFailure } from "./failure.ts"
import { icon, type IconName } from "./icon.ts"
import { withCommands } from "./withCommands.ts"

/** The sentence, the code and the request of a failure; with a button where trying again can help. */
export const errorLine = (error: unknown, messages: PartMessages, onRetry?: () => void): TemplateResult => {
  const { code, requestId, sentence } = describeFailure(error, messages)
  return html`<div class="error-line" role="alert" part="error">
    ${icon("warning")}
    <p>
      ${withCommands(sentence)}
      <code>${code}</code> ${requestId === null ? nothing : html`<code>${messages.requestId(requestId)}</code>`}
    </p>
    ${onRetry === undefined ? nothing : button({ label: messages.tryAgain, icon: "refresh", onClick: onRetry })}
  </div>`
}

export interface EmptyOptions {
  readonly heading: string
  /** What to do so that it fills. */
  readonly text?: string | undefined
  readonly icon?: IconName | undefined
  readonly action?: TemplateResult | undefined
}

/** A list or a page with nothing in it: says what would be here, and what to do. */
export const emptyState = (options: EmptyOptions): TemplateResult =>
  html`<div class="empty-state" part="empty">
    ${options.icon === undefined ? nothing : icon(options.icon, 28)}
    <p class="heading">${options.heading}</p>
    ${options.text === undefined ? nothing : html`<p>${withCommands(options.text)}</p>`} ${options.action ?? nothing}
  </div>`

/** Something is on its way. After some seconds it says so by itself, or at once by `isSlow`. */
export const loadingState = (messages: PartMessages, isSlow = false): TemplateResult =>
  html`<div class="loading-state" part="loading">
    <span class="spinner" aria-hidden="true"></span>
    <p>${isSlow ? messages.loadingSlowly : messages.loading}</p>
    ${isSlow ? nothing : html`<p class="late" role="status">${messages.loadingSlowly}</p>`}
  </div>`
