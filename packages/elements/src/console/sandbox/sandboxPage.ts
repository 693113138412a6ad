import { html, type TemplateResult } from "lit"
import type { PageContext } from "../shell/ConsolePage.ts"
import "./SandboxView.ts"

/** The simulated networks: who writes there, what stands there, and how they fail. */
export const sandboxPage = (context: PageContext): TemplateResult =>
  html`<loopbox-console-sandbox .context=${context} lang=${context.language}></loopbox-console-sandbox>`
