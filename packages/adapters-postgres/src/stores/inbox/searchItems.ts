import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Found, foundOf, isOfAccounts, type ListPlan } from "./listPlan.ts"
import { listedRows } from "../../rows/ListedRow.ts"
import { makeListStatements } from "./listStatements.ts"
import { makeSearching } from "./searching.ts"
import { makeSearchRare } from "./searchRare.ts"
import { makeSearchWalk, type Steps } from "./searchWalk.ts"

/** Items that are read in the list's order where an index leads to those that the other filters leave. */
export const searchReads = 1_000

/** What is looked at first: a word that one item in 100 has fills a page of 50 by then. */
const near: Steps = { looked: 5_000, judged: 500 }

/** What is looked at where many items have the words, but not among the newest. */
const far: Steps = { looked: 30_000, judged: 1_000 }

const isFull = ({ rows }: Found, { query }: ListPlan): boolean => rows.length > query.limit

/**
 * A page of a search, found the cheapest way that does (docs/decisions/0016): among the newest, by the index of words where
 * few items have them, else by a longer walk, after which the page may be short.
 */
export const makeSearchItems = Effect.gen(function* () {
  const statementOf = yield* makeListStatements
  const findRare = yield* makeSearchRare
  const walk = yield* makeSearchWalk

  const searching = yield* makeSearching

  return Effect.fnUntraced(function* (plan: ListPlan, words: string) {
    const isOfIndex = isOfAccounts(plan) || plan.driving.length > 0
    const newest = isOfIndex ? foundOf(yield* listedRows(statementOf(plan))) : yield* walk(plan, words, near)
    if (isFull(newest, plan) || Option.isNone(newest.end)) return newest
    const rare = yield* findRare(plan, words)
    if (Option.isSome(rare)) return rare.value
    const behind = { ...plan, query: { ...plan.query, after: newest.end } }
    const older = yield* walk(behind, words, far)
    const found: Found = { rows: [...newest.rows, ...older.rows], end: older.end }
    return found
  }, searching)
})
