import * as Schema from "effect/Schema"
import type { Statement } from "effect/sql/Statement"
import { ShownRow } from "./ItemRow.ts"
import { readableInPlace, type Unread } from "./readableRows.ts"

/** A row of a list, with its columns in the order in which they are selected. */
export const ListedRow = Schema.Struct({
  ...ShownRow.fields,
  /** The last row that was looked at: there is more behind it. */
  is_end: Schema.Boolean,
  is_match: Schema.Boolean
})
export type ListedRow = typeof ListedRow.Type

/** A row whose values are not judged yet. */
export type Named<Row> = { readonly [name in keyof Row]: unknown }

/**
 * Names what a row has by place. As a literal, for a driver that makes a row by assigning its 39 names one by one takes
 * as long for a page as everything else that is done with it.
 */
export const toShownRow = (of: ReadonlyArray<unknown>): Named<typeof ShownRow.Type> => ({
  workspace_id: of[0],
  account_id: of[1],
  source: of[2],
  external_id: of[3],
  id: of[4],
  thread_key: of[5],
  is_read: of[6],
  is_own: of[7],
  is_hidden: of[8],
  received_at: of[9],
  created_at: of[10],
  edited_at: of[11],
  parent_external_id: of[12],
  linked_post_id: of[13],
  author_id: of[14],
  author_name: of[15],
  author_avatar_url: of[16],
  body: of[17],
  attachments: of[18],
  url: of[19],
  is_liked: of[20],
  private_replied_at: of[21],
  is_on_own_post: of[22],
  post_id: of[23],
  summons: of[24],
  thread_status: of[25],
  assignee: of[26],
  newest_inbound_at: of[27],
  network: of[28],
  network_account_id: of[29],
  account_name: of[30],
  username: of[31],
  avatar_url: of[32],
  external_user_id: of[33],
  account_status: of[34],
  login: of[35],
  permissions: of[36]
})

export const toListedRow = (of: ReadonlyArray<unknown>): Named<ListedRow> => ({
  ...toShownRow(of),
  is_end: of[37],
  is_match: of[38]
})

/** Where a row of the list stands. */
const PlacedRow = Schema.Struct({
  received_at: ListedRow.fields.received_at,
  id: ListedRow.fields.id,
  is_end: Schema.Boolean,
  is_match: Schema.Boolean
})
export type PlacedRow = ListedRow | Unread<typeof PlacedRow.Type>

const judged = readableInPlace("items", ListedRow, PlacedRow, toListedRow)

/** The rows of a list's statement. */
export const listedRows = (statement: Statement<unknown>, how: "prepared" | "unprepared" = "prepared") =>
  judged(how === "prepared" ? statement.values : statement.valuesUnprepared)
