import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { SqlClient } from "effect/sql/SqlClient"
import type { ItemFilter, ItemPage, ItemQuery } from "@loopbox/core/inbox/InboxStore"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { Networks, type NetworkTable } from "@loopbox/core/networks/Networks"
import { makeToShown } from "../../rows/ItemRow.ts"
import { makeConditions } from "./listConditions.ts"
import { matchesSearch } from "@loopbox/core/search/SearchQuery"
import { type Found, foundOf, type ListPlan, positionOf } from "./listPlan.ts"
import { makeSearchItems, searchReads } from "./searchItems.ts"
import { toTsQuery } from "./wordVectors.ts"
import { type ListedRow, listedRows } from "../../rows/ListedRow.ts"
import { makeListStatements } from "./listStatements.ts"
import { isRead } from "../../rows/readableRows.ts"
import { makeRememberedPages } from "../../rows/rememberedStatement.ts"
import { at } from "../../rows/rows.ts"

/** Rows that a filter without an index of its own may read, in pages (design §4). */
const readsPerItem = 20

/** An index of words finds more than there is: where the parts of a word lie is not kept. */
const isFound =
  ({ search }: ItemQuery) =>
  ({ author_name, body }: ListedRow): boolean =>
    Option.match(search, {
      onNone: () => true,
      onSome: (asked) => matchesSearch(asked, author_name === null ? [body] : [body, author_name])
    })

const toItemPage = (networks: NetworkTable, { end, rows }: Found, query: ItemQuery, now: DateTime.Utc): ItemPage => {
  const { limit } = query
  const page = rows.slice(0, limit)
  return {
    items: page
      .filter((row) => isRead(row))
      .filter(isFound(query))
      .map(makeToShown(networks, now)),
    next: rows.length > limit ? Option.map(Option.fromUndefinedOr(page[page.length - 1]), positionOf) : end
  }
}

/** Filters that are part of a statement's text: all but the source, by which others are left out. */
const filters: Readonly<Record<Exclude<keyof ItemFilter, "source">, true>> = {
  isRead: true,
  isOwn: true,
  threadStatus: true,
  threadKey: true,
  postId: true,
  accountId: true,
  assignedTo: true,
  receivedAfter: true,
  receivedBefore: true,
  search: true
}
const filterNames = Struct.keys(filters)

/** The statement of a page, which is remembered if it has no filter. */
const makeStatement = Effect.gen(function* () {
  const statementOf = yield* makeListStatements
  const remembered = makeRememberedPages(yield* SqlClient, statementOf)
  return (plan: ListPlan) =>
    filterNames.some((name) => Option.isSome<unknown>(plan.query[name]))
      ? statementOf(plan)
      : remembered(
          plan,
          Option.match(plan.query.after, { onNone: () => [], onSome: ({ id, receivedAt }) => [at(receivedAt), id] })
        )
})

/** A list's page, in one statement (design §4), or in a few if it is a search. */
export const makeListItems = Effect.gen(function* () {
  const conditionsOf = yield* makeConditions
  const statementOf = yield* makeStatement
  const networks = yield* Networks
  const searchItems = yield* makeSearchItems
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
    const plan: ListPlan = {
      ...conditionsOf(scope.scope.workspaceId, query, words),
      scope,
      query,
      sources: sources.map(({ source }) => source),
      networks: sources.map(({ network }) => network),
      wanted: limit + 1,
      most: Option.isSome(search) ? searchReads : limit * readsPerItem
    }
    const now = yield* DateTime.now
    const found = Option.isSome(words)
      ? yield* searchItems(plan, words.value)
      : foundOf(yield* listedRows(statementOf(plan)))
    return toItemPage(networks, found, query, now)
  })
})
