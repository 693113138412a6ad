import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { TableName, Walk } from "../tables.ts"
import { one } from "../rows/rows.ts"

const BatchRow = Schema.Struct({ count: Schema.Int, last: Schema.NullOr(Schema.Array(Schema.String)) })

/** Whose rows: a workspace's, or those of one account in it. */
export interface RowOwner {
  readonly workspaceId: WorkspaceId
  readonly accountId?: SocialAccountId
}

/** Where a walk through the rows of several tables is. */
export interface WalkPlace {
  readonly table: number
  /** The key of the last row that was removed of the table; none: it begins there. */
  readonly last: Option.Option<ReadonlyArray<string>>
}

export const walkStart: WalkPlace = { table: 0, last: Option.none() }

/** Finding and removing the rows of one owner, in transactions of the caller. */
export const makeRemoveRows = Effect.gen(function* () {
  const sql = yield* SqlClient

  /**
   * The owner's rows behind a key, in the order of the walk's index.
   *
   * An account is a range of one value, for by an equality the planner takes any index that has the order of the key,
   * and passes over the rows of all other accounts.
   */
  const rowsOf = ({ accountId, workspaceId }: RowOwner, { except, key }: Walk, last: WalkPlace["last"]) => {
    const columns = [...(accountId === undefined ? [] : ["account_id"]), ...Object.keys(key)]
    const types = Object.values(key)
    const from = Option.match(last, {
      onNone: () => (accountId === undefined ? sql.literal("") : sql`AND account_id >= ${accountId}`),
      onSome: (values) => {
        const parts = values.map((value, n) => sql`${value}::text::${sql.literal(types[n] ?? "text")}`)
        const place = accountId === undefined ? parts : [sql`${accountId}`, ...parts]
        return sql`AND (${sql.literal(columns.join(", "))}) > (${sql.csv(place)})`
      }
    })
    return sql`workspace_id = ${workspaceId} ${from}
      ${accountId === undefined ? sql.literal("") : sql`AND account_id <= ${accountId}`}
      ${sql.literal(except === undefined ? "" : `AND NOT (${except})`)}
      ${sql.literal(columns.length === 0 ? "" : `ORDER BY ${columns.join(", ")}`)}`
  }

  /**
   * One batch. Each begins behind the last one's rows: from the start it would pass over the index entries of all that
   * were removed before, until a vacuum has cleaned up. The rows are found again by their place, so that no plan joins
   * the batch with all of the owner's rows.
   */
  const removeBatch = (table: TableName, walk: Walk, owner: RowOwner, last: WalkPlace["last"], limit: number) => {
    const columns = Object.keys(walk.key)
    const texts = columns.map((column) => `${column}::text`).join(", ")
    const down = columns.map((column) => `${column} DESC`).join(", ")
    return one(BatchRow)(sql`
      WITH batch AS MATERIALIZED (
        SELECT ${sql.literal(["ctid AS place", ...columns].join(", "))} FROM ${sql(table)}
        WHERE ${rowsOf(owner, walk, last)} LIMIT ${sql.literal(`${limit}`)}
      ), removed AS (
        DELETE FROM ${sql(table)} WHERE ctid = ANY(ARRAY(SELECT place FROM batch))
      )
      SELECT (SELECT count(*)::int FROM batch) AS count, (SELECT ARRAY[${sql.literal(texts)}]::text[] FROM batch
        ${sql.literal(down === "" ? "" : `ORDER BY ${down}`)} LIMIT 1) AS last`)
  }

  /** Removes up to `limit` rows, of one table after the other. Gives where to go on; none: nothing is left. */
  const remove = Effect.fnUntraced(function* (
    walks: ReadonlyArray<readonly [TableName, Walk]>,
    owner: RowOwner,
    from: WalkPlace,
    limit: number
  ) {
    let { last, table } = from
    for (let room = limit; ;) {
      const walk = walks[table]
      if (walk === undefined) return Option.none<WalkPlace>()
      if (room === 0) return Option.some<WalkPlace>({ table, last })
      const batch = yield* removeBatch(walk[0], walk[1], owner, last, room)
      last = batch.count < room ? Option.none() : Option.filter(Option.fromNullOr(batch.last), (key) => key.length > 0)
      if (batch.count < room) table++
      room -= batch.count
    }
  })

  /** A condition: whether a row of any of the tables is left. */
  const isLeft = (walks: ReadonlyArray<readonly [TableName, Walk]>, owner: RowOwner) =>
    sql.or(
      walks.map(
        ([table, walk]) =>
          sql`(SELECT true FROM ${sql(table)} WHERE ${rowsOf(owner, walk, Option.none())} LIMIT 1) IS NOT NULL`
      )
    )

  return { remove, isLeft }
})
