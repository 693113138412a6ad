import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** The last row of a page: lists are sorted by (`createdAt`, `id`), newest first. */
export interface PageKey {
  readonly createdAt: DateTime.Utc
  readonly id: string
}

export interface PageRequest {
  /** Maximum number of rows; the caller has validated it. */
  readonly limit: number
  /** Return only rows after this one, that is, older rows. */
  readonly after: Option.Option<PageKey>
}

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Absent on the last page. */
  readonly next: Option.Option<PageKey>
}

/** Makes a page from at most `limit + 1` rows. The extra row only shows that there is a next page. */
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
