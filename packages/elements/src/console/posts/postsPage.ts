import { html, type TemplateResult } from "lit"
import type { PageContext } from "../shell/ConsolePage.ts"
import "./PostsView.ts"

/** Posts to any number of accounts, and what became of them. */
export const postsPage = (context: PageContext): TemplateResult =>
  html`<loopbox-console-posts .context=${context} lang=${context.language}></loopbox-console-posts>`
