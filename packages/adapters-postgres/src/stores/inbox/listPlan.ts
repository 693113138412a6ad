import type { Network, Source } from "@loopbox/core/networks/Source"
import type { ItemQuery } from "@loopbox/core/inbox/InboxStore"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import type { Conditions } from "./listConditions.ts"

/** What a statement is built from. */
export interface ListPlan extends Conditions {
  readonly scope: ItemScope
  readonly query: ItemQuery
  readonly sources: ReadonlyArray<Source>
  /** The network of each of them. */
  readonly networks: ReadonlyArray<Network>
  /** Rows of the last, outermost limit: one more than asked. */
  readonly wanted: number
  /** Rows that may be read where not each of them is given. */
  readonly most: number
}
