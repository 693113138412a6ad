import { html, type TemplateResult } from "lit"
import type { PageContext } from "../shell/ConsolePage.ts"
import "./ActivityView.ts"

/** What the host did in the last hour or day. */
export const activityPage = (context: PageContext): TemplateResult =>
  html`<loopbox-console-activity .context=${context} lang=${context.language}></loopbox-console-activity>`
