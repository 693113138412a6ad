import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { SqlClient } from "effect/sql/SqlClient"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { Networks } from "@loopbox/core/networks/Networks"
import type { ThreadFilter, ThreadPage, ThreadQuery } from "@loopbox/core/threads/ThreadStore"
import { listedThreads } from "../../rows/ListedThreadRow.ts"
import { isRead } from "../../rows/readableRows.ts"
import { makeRememberedPages } from "../../rows/rememberedStatement.ts"
import { at } from "../../rows/rows.ts"
import { makeToShownThread } from "../../rows/ThreadRow.ts"
import { toTsQuery } from "../inbox/wordVectors.ts"
import { makeKeepSearched, makeSearchThreads } from "./searchThreads.ts"
import { foundOf, makeThreadStatement, placeOf, type ThreadPlan } from "./threadRuns.ts"

/** Rows that a filter without an index of its own may read, in pages (design §4). */
const readsPerThread = 20

/** Filters that are part of a statement's text or figures: all but the source, by which others are left out. */
const filters: Readonly<Record<Exclude<keyof ThreadFilter, "source">, true>> = {
  stage: true,
  accountId: true,
  assignedTo: true,
  isUnread: true,
  search: true,
  label: true
}
const filterNames = Struct.keys(filters)

/** The statement of a page, which is remembered if it has no filter. */
const makeStatement = Effect.gen(function* () {
  const statementOf = yield* makeThreadStatement
  const remembered = makeRememberedPages(yield* SqlClient, statementOf)
  return (plan: ThreadPlan) =>
    filterNames.some((name) => Option.isSome<unknown>(plan.query[name]))
      ? statementOf(plan)
      : remembered(
          plan,
          Option.match(plan.query.after, { onNone: () => [], onSome: ({ id, lastItemAt }) => [at(lastItemAt), id] })
        )
})

/** A page of threads, in one statement, or in a few if it is a search. */
export const makeListThreads = Effect.gen(function* () {
  const statementOf = yield* makeStatement
  const searchThreads = yield* makeSearchThreads
  const keepSearched = yield* makeKeepSearched
  const networks = yield* Networks

  return Effect.fnUntraced(function* (scope: ItemScope, query: ThreadQuery) {
    const sources = Array.from(scope.sources).flatMap((source) =>
      Option.match(query.source, { onNone: () => true, onSome: (asked) => asked === source })
        ? Option.toArray(Option.map(networks.networkOf(source), (network) => ({ source, network })))
        : []
    )
    if (sources.length === 0) return { threads: [], next: Option.none() } satisfies ThreadPage
    const { limit, search } = query
    const plan: ThreadPlan = {
      scope,
      query,
      sources: sources.map(({ source }) => source),
      networks: sources.map(({ network }) => network),
      wanted: limit + 1,
      most: limit * readsPerThread,
      words: Option.none()
    }
    const { workspaceId } = scope.scope
    const asked = Option.map(search, (one) => ({ search: one, words: toTsQuery(workspaceId, one) }))
    const found = Option.isSome(asked)
      ? yield* searchThreads(plan, asked.value.words)
      : foundOf(yield* listedThreads(statementOf(plan)))
    const now = yield* DateTime.now
    const rows = found.rows.slice(0, limit)
    const last = found.rows.length > limit ? rows[rows.length - 1] : undefined
    const read = rows.filter((row) => isRead(row))
    const kept = Option.isSome(asked)
      ? yield* keepSearched(workspaceId, asked.value.search, asked.value.words, read)
      : read
    const page: ThreadPage = {
      threads: kept.map(makeToShownThread(networks, now)),
      next: last === undefined ? found.end : Option.some(placeOf(last))
    }
    return page
  })
})
