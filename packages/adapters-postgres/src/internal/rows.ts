import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { PageRequest } from "@loopbox/core/kernel/Page"
import { storable } from "./text.ts"

/** Decodes all rows of a statement. */
export const all = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))
  return (
    statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>
  ): Effect.Effect<ReadonlyArray<A>, SqlError | Schema.SchemaError> => Effect.flatMap(statement, (rows) => decode(rows))
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

/** A moment as a parameter. */
export const at = (moment: DateTime.Utc): Date => DateTime.toDateUtc(moment)

/** `ORDER BY` and keyset of a list that is newest first; one row more than asked says whether more come. */
export const newestFirst = Effect.map(SqlClient, (sql) => ({ after, limit }: PageRequest) => {
  const older = Option.match(after, {
    onNone: () => sql.literal(""),
    onSome: ({ createdAt, id }) => sql`AND (created_at, id) < (${at(createdAt)}, ${storable(id)})`
  })
  return sql`${older} ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`
})
