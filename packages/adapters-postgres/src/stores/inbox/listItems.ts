import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ItemPosition } from "@loopbox/core/items/InboxItem"
import type { ItemPage, ItemQuery } from "@loopbox/core/inbox/InboxStore"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { Networks, type NetworkTable } from "@loopbox/core/networks/Networks"
import { makeToShown } from "../../rows/ItemRow.ts"
import { makeConditions } from "./listConditions.ts"
import { matchesSearch } from "@loopbox/core/search/SearchQuery"
import { makeSearchRare } from "./searchRare.ts"
import { toTsQuery } from "./wordVectors.ts"
import { type ListedRow, listedRows } from "../../rows/ListedRow.ts"
import { makeListStatements } from "./listStatements.ts"

/** Rows that a filter without an index of its own may read, in pages (design §4). */
const readsPerItem = 20

const position = ({ id, received_at }: ListedRow): ItemPosition => ({
  receivedAt: DateTime.fromDateUnsafe(received_at),
  id
})

/** An index of words finds more than there is: where the parts of a word lie is not kept. */
const isFound =
  ({ search }: ItemQuery) =>
  ({ author_name, body }: ListedRow): boolean =>
    Option.match(search, {
      onNone: () => true,
      onSome: (asked) => matchesSearch(asked, author_name === null ? [body] : [body, author_name])
    })

const toItemPage = (
  networks: NetworkTable,
  rows: ReadonlyArray<ListedRow>,
  query: ItemQuery,
  now: DateTime.Utc
): ItemPage => {
  const { limit } = query
  const found = rows.filter((row) => row.is_match)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page[page.length - 1] : rows.findLast((row) => row.is_end)
  return {
    items: page.filter(isFound(query)).map(makeToShown(networks, now)),
    next: Option.map(Option.fromUndefinedOr(last), position)
  }
}

/**
 * Rows that a search reads in the list's order before it asks the index of words, which has no order: 1 in 80 items has a
 * word that fills a page of 50 by then.
 */
const searchReads = 4_000

/** A list's page, in one statement (design §4), or in three if it is a search. */
export const makeListItems = Effect.gen(function* () {
  const conditionsOf = yield* makeConditions
  const statementOf = yield* makeListStatements
  const networks = yield* Networks
  const searchRare = yield* makeSearchRare
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
    const { limit, search } = query
    const words = Option.map(search, (asked) => toTsQuery(scope.scope.workspaceId, asked))
    const plan = {
      ...conditionsOf(query, words),
      scope,
      query,
      sources: sources.map(({ source }) => source),
      networks: sources.map(({ network }) => network),
      wanted: limit + 1,
      most: Math.max(limit * readsPerItem, Option.isSome(search) ? searchReads : 0)
    }
    const now = yield* DateTime.now
    const rows = yield* listedRows(statementOf(plan))
    const isFull = rows.filter((row) => row.is_match).length > limit || !rows.some((row) => row.is_end)
    const rare = Option.isNone(words) || isFull ? Option.none() : yield* searchRare(plan, words.value)
    return toItemPage(
      networks,
      Option.getOrElse(rare, () => rows),
      query,
      now
    )
  })
})
