import { html, type TemplateResult } from "lit"
import "../../accounts/loopboxAccounts.ts"
import type { PageContext } from "../shell/ConsolePage.ts"
import { pageHead } from "../shell/pageHead.ts"

/** All connected accounts of the workspace. A network sends the browser back to this page. */
export const accountsPage = ({ client, texts, workspaceId }: PageContext): TemplateResult =>
  html`${pageHead(texts.pages.accounts, texts.accountsLead)}
    <loopbox-accounts
      inbox-scope="workspace"
      workspace-id=${workspaceId}
      return-url="${location.origin}/console/accounts"
      .client=${client}
    ></loopbox-accounts>`
