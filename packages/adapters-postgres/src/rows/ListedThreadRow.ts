import * as Schema from "effect/Schema"
import type { Statement } from "effect/sql/Statement"
import { type Named, toShownRow } from "./ListedRow.ts"
import { readableInPlace, type Unread } from "./readableRows.ts"
import { ShownThreadRow } from "./ThreadRow.ts"

/** A row of a list of threads, with its columns in the order in which they are selected. */
export const ListedThreadRow = Schema.Struct({
  ...ShownThreadRow.fields,
  is_match: Schema.Boolean,
  /** Nothing is known of what lies behind it. */
  is_end: Schema.Boolean
})
export type ListedThreadRow = typeof ListedThreadRow.Type

/** Names what a row has by place, as `toListedRow` does. */
export const toListedThreadRow = (of: ReadonlyArray<unknown>): Named<ListedThreadRow> => ({
  ...toShownRow(of),
  snoozed_until: of[37],
  labels: of[38],
  item_count: of[39],
  unread_count: of[40],
  thread_created_at: of[41],
  people: of[42],
  is_match: of[43],
  is_end: of[44]
})

/** Where a row of the list stands. */
const PlacedRow = Schema.Struct({
  received_at: ListedThreadRow.fields.received_at,
  account_id: ListedThreadRow.fields.account_id,
  source: ListedThreadRow.fields.source,
  thread_key: ListedThreadRow.fields.thread_key,
  is_match: Schema.Boolean,
  is_end: Schema.Boolean
})
export type PlacedThreadRow = ListedThreadRow | Unread<typeof PlacedRow.Type>

const judged = readableInPlace("threads", ListedThreadRow, PlacedRow, toListedThreadRow)

/** The rows of a statement that lists threads. */
export const listedThreads = (statement: Statement<unknown>, how: "prepared" | "unprepared" = "prepared") =>
  judged(how === "prepared" ? statement.values : statement.valuesUnprepared)
