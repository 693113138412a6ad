import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { ItemPosition } from "@loopbox/core/items/InboxItem"
import type { Network, Source } from "@loopbox/core/networks/Source"
import type { ItemQuery } from "@loopbox/core/inbox/InboxStore"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import type { PlacedRow } from "../../rows/ListedRow.ts"
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

/** Whether a query is for all accounts, which have indexes of their own, or for those of a user or of an id. */
export const isOfAccounts = ({ query, scope: { scope } }: ListPlan): boolean =>
  scope._tag === "ManagedUserScope" || Option.isSome(query.accountId)

/** What statements have found for a page. */
export interface Found {
  /** Rows of the page in its order, and maybe more behind them. */
  readonly rows: ReadonlyArray<PlacedRow>
  /** Where the next page begins if all rows are on this one; `none`: nothing is behind them. */
  readonly end: Option.Option<ItemPosition>
}

export const positionOf = ({ id, received_at }: PlacedRow): ItemPosition => ({
  receivedAt: DateTime.fromDateUnsafe(received_at),
  id
})

/** What one statement has found, with the end among its rows. */
export const foundOf = (rows: ReadonlyArray<PlacedRow>): Found => ({
  rows: rows.filter((row) => row.is_match),
  end: Option.map(Option.fromUndefinedOr(rows.findLast((row) => row.is_end)), positionOf)
})
