import * as Option from "effect/Option"

/**
 * Text as PostgreSQL can keep it: U+0000, which it refuses, becomes U+FFFD, as a lone surrogate does on the way.
 *
 * Such text is refused before it comes here; what slips through must not become a defect.
 */
export const storable = (text: string): string => text.replaceAll("\0", "\uFFFD")

/** The same for text that may be absent. */
export const storableOrNull = (text: Option.Option<string>): string | null =>
  Option.getOrNull(Option.map(text, storable))

/** Rows that were asked for by ids, under the ids as they were asked for: the row has its own as it was kept. */
export const byStoredId = <Row, A>(
  ids: ReadonlyArray<string>,
  rows: ReadonlyArray<Row>,
  idOf: (row: Row) => string,
  toShape: (row: Row) => A
): ReadonlyMap<string, A> => {
  const kept = new Map(rows.map((row) => [idOf(row), row]))
  const found = new Map<string, A>()
  for (const id of ids) {
    const row = kept.get(storable(id).toWellFormed())
    if (row !== undefined) found.set(id, toShape(row))
  }
  return found
}

/** What JSON writes for U+0000 and for a lone surrogate; also a text that has a backslash there, which is judged exactly. */
const suspect = /\\u(?:0000|d[89a-f])/i

/** JSON as PostgreSQL can keep it, where a lone surrogate is an error, too. */
export const toJson = (value: unknown): string => {
  const text = JSON.stringify(value)
  // To ask a function for each member takes five times as long.
  return suspect.test(text)
    ? JSON.stringify(value, (_, member: unknown) =>
        typeof member === "string" ? storable(member).toWellFormed() : member
      )
    : text
}
