import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { PageRequest } from "@loopbox/core/kernel/Page"
import { makeIsShaped } from "./isShaped.ts"
import { storable } from "./text.ts"

/** One by one, for a schema of the array would be a new one with every call, and be compiled with every call. */
const decodeRows =
  <A>(decode: (row: unknown) => Exit.Exit<A, Schema.SchemaError>) =>
  (rows: ReadonlyArray<unknown>): Exit.Exit<ReadonlyArray<A>, Schema.SchemaError> => {
    const decoded: Array<A> = []
    for (const row of rows) {
      const exit = decode(row)
      if (Exit.isFailure(exit)) return Exit.failCause(exit.cause)
      decoded.push(exit.value)
    }
    return Exit.succeed(decoded)
  }

/** Decodes all rows of a statement. */
export const all = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = decodeRows(Schema.decodeUnknownExit(schema))
  return (
    statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>
  ): Effect.Effect<ReadonlyArray<A>, SqlError | Schema.SchemaError> => Effect.flatMap(statement, decode)
}

/**
 * The rows of a statement that come by the dozen. Their shapes are judged and their texts are not: an id or a name was
 * checked when it was written. Rows of the right shape are given as they came; of any other the schema says what is wrong.
 */
export const shaped = <A, I>(schema: Schema.Codec<A, I>) => {
  const isShaped = makeIsShaped(schema)
  const decode = decodeRows(Schema.decodeUnknownExit(schema, { disableChecks: true }))
  return (
    statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>
  ): Effect.Effect<ReadonlyArray<A>, SqlError | Schema.SchemaError> =>
    Effect.flatMap(statement, (rows) => (rows.every(isShaped) ? Effect.succeed(rows) : decode(rows)))
}

/** The first row of a statement that runs with every request, judged as `shaped` judges. */
export const firstShaped = <A, I>(schema: Schema.Codec<A, I>) => {
  const judged = shaped(schema)
  return (
    statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>
  ): Effect.Effect<Option.Option<A>, SqlError | Schema.SchemaError> =>
    Effect.map(judged(statement), ([row]) => Option.fromUndefinedOr(row))
}

/** Decodes the first row of a statement, where there is one. */
export const first = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (
    statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>
  ): Effect.Effect<Option.Option<A>, SqlError | Schema.SchemaError> =>
    Effect.flatMap(statement, (rows) => (rows.length === 0 ? Effect.succeedNone : Effect.asSome(decode(rows[0]))))
}

/** Decodes the one row that a statement always gives. */
export const one = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (
    statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>
  ): Effect.Effect<A, SqlError | Schema.SchemaError> => Effect.flatMap(statement, (rows) => decode(rows[0]))
}

export const optional = Schema.OptionFromNullOr
export const Instant = Schema.DateTimeUtcFromDate

const isMoment = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

/**
 * Fields of rows that come by the dozen or with every request: judged as they are, and turned into the model by their
 * mapper. effect's compiler takes a schema only when nothing in it transforms or declares, as `optional`, `Instant` and
 * `Schema.Date` do; a page of 50 items is then decoded in 30 µs instead of 270.
 */
export const plain = {
  moment: Schema.Unknown.pipe(Schema.refine(isMoment)),
  text: Schema.NullOr(Schema.String)
} as const

/** A moment that may be absent, out of a `plain` field. */
export const toOptionalMoment = (date: Date | null): Option.Option<DateTime.Utc> =>
  date === null ? Option.none() : Option.some(DateTime.fromDateUnsafe(date))

/** A moment as a parameter. */
export const at = (moment: DateTime.Utc): Date => DateTime.toDateUtc(moment)

/**
 * `LIMIT` of a queue's claim, written out: by a plan that is made without the figure a third of the table would be due,
 * and be scanned.
 */
export const claimLimit = Effect.map(SqlClient, (sql) => (count: number) => sql.literal(`LIMIT ${Math.trunc(count)}`))

/**
 * Entries of a queue that are counted for its metrics: beyond that the backlog is long, however long. To count 100,000
 * replies took a second while a claim took two milliseconds (`bench/scale`).
 */
export const countedAtMost = 10_000

/** `ORDER BY` and keyset of a list that is newest first; one row more than asked says whether more come. */
export const newestFirstBy = (moment: string, id: string) =>
  Effect.map(SqlClient, (sql) => ({ after, limit }: PageRequest) => {
    const key = sql.literal(`(${moment}, ${id})`)
    const older = Option.match(after, {
      onNone: () => sql.literal(""),
      onSome: ({ createdAt, id }) => sql`AND ${key} < (${at(createdAt)}, ${storable(id)})`
    })
    return sql`${older} ORDER BY ${sql.literal(`${moment} DESC, ${id} DESC`)} LIMIT ${limit + 1}`
  })

export const newestFirst = newestFirstBy("created_at", "id")

/** What an `INSERT … ON CONFLICT` tells by `xmax = 0`. */
export const UpsertedRow = Schema.Struct({ is_new: Schema.Boolean })
