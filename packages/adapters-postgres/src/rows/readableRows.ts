import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as DateTime from "effect/DateTime"
import type { Page, PageKey } from "@loopbox/core/kernel/Page"
import { MustBeWhole, UnreadableRow } from "@loopbox/core/kernel/UnreadableRow"
import { makeIsShapedInPlace, type NameRow } from "./isShaped.ts"
import { plain } from "./rows.ts"

const leftOut = Metric.counter("loopbox_list_unreadable_rows_total", {
  description: "Rows that lists left out because this version cannot read them",
  incremental: true
})

/** Lists of which the log of this process has said that a row is left out. */
const told = new Set<string>()

/** Says of a row that a list leaves it out, and counts it. */
const noteLeftOut = Effect.fnUntraced(function* (list: string, cause: unknown) {
  if (yield* MustBeWhole) return yield* Effect.die(new UnreadableRow({ cause }))
  const isFirst = !told.has(list)
  told.add(list)
  const message = "a row is of a kind that this version does not know; a list leaves it out"
  yield* Metric.update(Metric.withAttributes(leftOut, { list }), 1)
  yield* Effect.annotateLogs(isFirst ? Effect.logWarning(message, cause) : Effect.logDebug(message, cause), { list })
})

/**
 * Makes what decodes the rows of a list one by one, and leaves out what cannot be read: during an upgrade the version before
 * meets rows of the newer one, and everything else in the list must still be seen.
 */
export const makeReadable = <A, I>(list: string, schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownExit(schema)
  return Effect.fnUntraced(function* (rows: ReadonlyArray<unknown>) {
    const read: Array<A> = []
    for (const row of rows) {
      const exit = decode(row)
      if (Exit.isSuccess(exit)) read.push(exit.value)
      else yield* noteLeftOut(list, exit.cause)
    }
    return read
  })
}

/** The rows of a statement that this version can read. */
export const readable = <A, I>(list: string, schema: Schema.Codec<A, I>) => {
  const read = makeReadable(list, schema)
  return <E>(statement: Effect.Effect<ReadonlyArray<unknown>, E>): Effect.Effect<ReadonlyArray<A>, E> =>
    Effect.flatMap(statement, read)
}

/** Where a row stands in its list. */
const decodePlace = Schema.decodeUnknownExit(Schema.Struct({ moment: plain.moment, id: Schema.String }))

const placeOf = (row: unknown, { id, moment }: ListOrder): Exit.Exit<PageKey, Schema.SchemaError> => {
  const named: Readonly<Record<string, unknown>> = typeof row === "object" && row !== null ? { ...row } : {}
  return Exit.map(decodePlace({ moment: named[moment], id: named[id] }), (place) => ({
    createdAt: DateTime.fromDateUnsafe(place.moment),
    id: place.id
  }))
}

/** The columns by which a list is sorted, as its rows name them. */
interface ListOrder {
  readonly moment: string
  readonly id: string
}

const byCreation: ListOrder = { moment: "created_at", id: "id" }

/**
 * A page from the at most `limit + 1` rows of a statement. Rows that cannot be read are left out of it, so that it may be
 * short, or empty; where the next one begins is told by the statement's own last row, read or not.
 */
export const pageOf = <A, I, B>(
  list: string,
  schema: Schema.Codec<A, I>,
  toItem: (row: A) => B,
  order: ListOrder = byCreation
) => {
  const read = makeReadable(list, schema)
  return Effect.fnUntraced(function* <E>(
    statement: Effect.Effect<ReadonlyArray<unknown>, E>,
    limit: number
  ): Effect.fn.Return<Page<B>, E | Schema.SchemaError> {
    const rows = yield* statement
    const items = yield* read(rows.slice(0, limit))
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      items: items.map(toItem),
      next: last === undefined ? Option.none() : Option.some(yield* placeOf(last, order))
    }
  })
}

/** What is known of a row that cannot be read: where it stands. */
export type Unread<Place> = Place & { readonly isUnread: true }

export const isRead = <Row extends object, Place>(row: Row | Unread<Place>): row is Row => !("isUnread" in row)

/**
 * The rows of a list whose values stand in the order of their columns, which `toNamed` gives names, judged as `shaped` judges.
 * What cannot be read keeps its place, by which the next page begins.
 */
export const readableInPlace = <A extends object, I, P extends object, J>(
  list: string,
  schema: Schema.Codec<A, I>,
  place: Schema.Codec<P, J>,
  toNamed: NameRow
) => {
  const isShaped = makeIsShapedInPlace(schema, toNamed)
  const decode = Schema.decodeUnknownExit(schema, { disableChecks: true })
  const decodeUnread = Schema.decodeUnknownExit(place, { disableChecks: true })
  const readEach = Effect.fnUntraced(function* (rows: ReadonlyArray<unknown>) {
    const read: Array<A | Unread<P>> = []
    for (const row of rows) {
      const exit = decode(row)
      if (Exit.isSuccess(exit)) {
        read.push(exit.value)
        continue
      }
      yield* noteLeftOut(list, exit.cause)
      read.push({ ...(yield* decodeUnread(row)), isUnread: true })
    }
    return read
  })
  return <E>(
    statement: Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, E>
  ): Effect.Effect<ReadonlyArray<A | Unread<P>>, E | Schema.SchemaError> =>
    Effect.flatMap(statement, (rows): Effect.Effect<ReadonlyArray<A | Unread<P>>, Schema.SchemaError> => {
      const named: ReadonlyArray<unknown> = rows.map(toNamed)
      return isShaped(rows, named) ? Effect.succeed(named) : readEach(named)
    })
}
