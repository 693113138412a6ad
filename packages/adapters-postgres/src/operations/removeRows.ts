import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { type TableName, tables, type Walk } from "../tables.ts"
import { all, one } from "../rows/rows.ts"

const NameRow = Schema.Struct({ name: Schema.Array(Schema.String) })
const BatchRow = Schema.Struct({ count: Schema.Int, last: Schema.NullOr(Schema.Array(Schema.String)) })

/** Their rows don't lie beside others of their owner: no statement names them together with others. */
const apart: ReadonlySet<TableName> = new Set(
  tables.filter(({ place }) => typeof place === "string").map(({ name }) => name)
)

type Walks = ReadonlyArray<readonly [TableName, Walk]>

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
        DELETE FROM ${sql(table)} WHERE workspace_id = ${owner.workspaceId} AND ctid = ANY(ARRAY(SELECT place FROM batch))
      )
      SELECT (SELECT count(*)::int FROM batch) AS count, (SELECT ARRAY[${sql.literal(texts)}]::text[] FROM batch
        ${sql.literal(down === "" ? "" : `ORDER BY ${down}`)} LIMIT 1) AS last`)
  }

  /**
   * One batch of a table that does not lie beside others: where every node has a copy of it its rows lie in another place on
   * each, so that they are named by their keys.
   */
  const removeApart = Effect.fnUntraced(function* (
    table: TableName,
    walk: Walk,
    owner: RowOwner,
    last: WalkPlace["last"],
    limit: number
  ) {
    const columns = Object.entries(walk.key)
    const rows = yield* all(
      NameRow
    )(sql`SELECT ARRAY[${sql.literal(columns.map(([name]) => `${name}::text`).join(", "))}]::text[] AS name
      FROM ${sql(table)} WHERE ${rowsOf(owner, walk, last)} LIMIT ${sql.literal(`${limit}`)}`)
    const names = rows.map(({ name }) => name)
    if (names.length > 0) {
      const keys = columns.map(
        ([, type], n) => sql`${names.map((name) => name[n] ?? "")}::text[]::${sql.literal(type)}[]`
      )
      const isNamed =
        columns.length === 0
          ? sql.literal("")
          : sql`AND (${sql.literal(columns.map(([name]) => name).join(", "))}) IN (SELECT * FROM unnest(${sql.csv(keys)}))`
      yield* sql`DELETE FROM ${sql(table)} WHERE workspace_id = ${owner.workspaceId}
        ${owner.accountId === undefined ? sql.literal("") : sql`AND account_id = ${owner.accountId}`} ${isNamed}`
    }
    return { count: names.length, last: names.at(-1) ?? null }
  })

  /** Removes up to `limit` rows, of one table after the other. Gives where to go on; none: nothing is left. */
  const remove = Effect.fnUntraced(function* (walks: Walks, owner: RowOwner, from: WalkPlace, limit: number) {
    let { last, table } = from
    for (let room = limit; ;) {
      const walk = walks[table]
      if (walk === undefined) return Option.none<WalkPlace>()
      if (room === 0) return Option.some<WalkPlace>({ table, last })
      const removeSome = apart.has(walk[0]) ? removeApart : removeBatch
      const batch = yield* removeSome(walk[0], walk[1], owner, last, room)
      last = batch.count < room ? Option.none() : Option.filter(Option.fromNullOr(batch.last), (key) => key.length > 0)
      if (batch.count < room) table++
      room -= batch.count
    }
  })

  const anyOf = (walks: Walks, owner: RowOwner) =>
    sql.or(
      walks.map(
        ([table, walk]) =>
          sql`(SELECT true FROM ${sql(table)} WHERE ${rowsOf(owner, walk, Option.none())} LIMIT 1) IS NOT NULL`
      )
    )

  /** A condition: whether a row is left of any of the tables that lie beside the owner. */
  const isLeft = (walks: Walks, owner: RowOwner) =>
    anyOf(
      walks.filter(([table]) => !apart.has(table)),
      owner
    )

  /** Whether a row of any other one is left. */
  const isLeftApart = Effect.fnUntraced(function* (walks: Walks, owner: RowOwner) {
    for (const walk of walks) {
      if (apart.has(walk[0]) && (yield* sql`SELECT 1 WHERE ${anyOf([walk], owner)}`).length > 0) return true
    }
    return false
  })

  return { remove, isLeft, isLeftApart }
})
