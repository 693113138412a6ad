import type { InboxScope } from "../access/InboxScope.ts"
import type { Source } from "../networks/Source.ts"

/** The items that a reader may see: of accounts in the scope that are not disconnected, and of the plan's sources. */
export interface ItemScope {
  readonly scope: InboxScope
  readonly sources: ReadonlySet<Source>
}
