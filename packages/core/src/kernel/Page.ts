import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** Where a page ends: lists are newest first by (`createdAt`, `id`), so this names the last row that was given. */
export interface PageKey {
  readonly createdAt: DateTime.Utc
  readonly id: string
}

export interface PageRequest {
  /** Rows at most; the caller has judged it. */
  readonly limit: number
  /** Give only rows that come after this one, that is, older ones. */
  readonly after: Option.Option<PageKey>
}

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Absent when nothing older is left. */
  readonly next: Option.Option<PageKey>
}

/** Makes a page from at most `limit + 1` rows, of which the last only says that more come. */
export const toPage = <A extends PageKey>(rows: ReadonlyArray<A>, limit: number): Page<A> => {
  const items = rows.slice(0, limit)
  const last = items[items.length - 1]
  return {
    items,
    next:
      rows.length > limit && last !== undefined
        ? Option.some({ createdAt: last.createdAt, id: last.id })
        : Option.none()
  }
}
