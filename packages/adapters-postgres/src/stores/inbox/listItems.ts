import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ItemPosition } from "@loopbox/core/items/InboxItem"
import type { ItemPage, ItemQuery } from "@loopbox/core/inbox/InboxStore"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { Networks, type NetworkTable } from "@loopbox/core/networks/Networks"
import { makeToShown } from "../../rows/ItemRow.ts"
import { makeConditions } from "./listConditions.ts"
import { type ListedRow, listedRows } from "../../rows/ListedRow.ts"
import { makeListStatements } from "./listStatements.ts"

/** Rows that a filter without an index of its own may read, in pages (design §4). */
const readsPerItem = 20

const position = ({ id, received_at }: ListedRow): ItemPosition => ({
  receivedAt: DateTime.fromDateUnsafe(received_at),
  id
})

const toItemPage = (
  networks: NetworkTable,
  rows: ReadonlyArray<ListedRow>,
  limit: number,
  now: DateTime.Utc
): ItemPage => {
  const found = rows.filter((row) => row.is_match)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page[page.length - 1] : rows.findLast((row) => row.is_end)
  return {
    items: page.map(makeToShown(networks, now)),
    next: Option.map(Option.fromUndefinedOr(last), position)
  }
}

/** A list's page, in one statement (design §4). */
export const makeListItems = Effect.gen(function* () {
  const conditionsOf = yield* makeConditions
  const statementOf = yield* makeListStatements
  const networks = yield* Networks
  return Effect.fnUntraced(function* (scope: ItemScope, query: ItemQuery) {
    const sources = Array.from(scope.sources).flatMap((source) =>
      Option.match(query.source, { onNone: () => true, onSome: (asked) => asked === source })
        ? Option.toArray(Option.map(networks.networkOf(source), (network) => ({ source, network })))
        : []
    )
    const isEmpty =
      sources.length === 0 ||
      Option.exists(Option.all([query.receivedAfter, query.receivedBefore]), ([from, to]) =>
        DateTime.isGreaterThanOrEqualTo(from, to)
      )
    if (isEmpty) return { items: [], next: Option.none() }
    const { limit } = query
    const statement = statementOf({
      ...conditionsOf(query),
      scope,
      query,
      sources: sources.map(({ source }) => source),
      networks: sources.map(({ network }) => network),
      wanted: limit + 1,
      most: limit * readsPerItem
    })
    return toItemPage(networks, yield* listedRows(statement), limit, yield* DateTime.now)
  })
})
