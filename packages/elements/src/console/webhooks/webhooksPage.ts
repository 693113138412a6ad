import { html, type TemplateResult } from "lit"
import type { PageContext } from "../shell/ConsolePage.ts"
import "./WebhooksView.ts"

/** Addresses of ours to which changes are posted, and what was posted. */
export const webhooksPage = (context: PageContext): TemplateResult =>
  html`<loopbox-console-webhooks .context=${context} lang=${context.language}></loopbox-console-webhooks>`
