import { html, type TemplateResult } from "lit"
import type { PageContext } from "../shell/ConsolePage.ts"
import "./MediaView.ts"

/** GIFs that become videos. */
export const mediaPage = (context: PageContext): TemplateResult =>
  html`<loopbox-console-media .context=${context} lang=${context.language}></loopbox-console-media>`
