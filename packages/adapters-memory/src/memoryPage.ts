import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { type Page, type PageKey, type PageRequest, toPage } from "@loopbox/core/kernel/Page"

/** Newest first; at the same time, the greater id first. */
const newestFirst = (a: PageKey, b: PageKey): number =>
  DateTime.toEpochMillis(b.createdAt) - DateTime.toEpochMillis(a.createdAt) || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** One page of rows in any order. */
export const memoryPage = <A extends PageKey>(rows: Iterable<A>, { after, limit }: PageRequest): Page<A> => {
  const sorted = Array.from(rows).sort(newestFirst)
  const rest = Option.match(after, {
    onNone: () => sorted,
    onSome: (key) => sorted.filter((row) => newestFirst(key, row) < 0)
  })
  return toPage(rest.slice(0, limit + 1), limit)
}

/** What is there of those that are asked for, by what it is asked for by. */
export const foundOf = <Id, A>(ids: ReadonlyArray<Id>, find: (id: Id) => A | undefined): ReadonlyMap<Id, A> => {
  const found = new Map<Id, A>()
  for (const id of ids) {
    const one = find(id)
    if (one !== undefined) found.set(id, one)
  }
  return found
}
