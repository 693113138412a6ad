import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Ask, SandboxAnswer } from "../Operation.ts"
import { invalid } from "./graphAnswers.ts"
import { asLimit, numberArg, parseFields, select } from "./graphFields.ts"
import type { Field, GraphNode } from "./graphFields.ts"

/** How a list is read: where to go on, how many, which members of each. */
export interface PageRequest {
  readonly after: string | undefined
  readonly limit: Option.Option<number>
  readonly fields: ReadonlyArray<Field> | undefined
  /** Where the next page is asked for, given its cursor; none where it can't be said. */
  readonly nextUrl: (after: string) => Option.Option<string>
}

/** One list: all that ever was on it, in order, so that a cursor outlives what it points to. */
export interface PagedList<A> {
  readonly all: ReadonlyArray<A>
  readonly idOf: (one: A) => string
  readonly isThere: (one: A) => boolean
  readonly toNode: (one: A) => GraphNode
  /** Items of a page unless asked otherwise; more than `most` never come. */
  readonly standard: number
  readonly most: number
  /** Threads gives no cursor behind the last page; Instagram and Facebook do. */
  readonly endsWithoutCursor?: boolean
}

const cursorOf = (id: string): string => Buffer.from(`after ${id}`).toString("base64url")

const idOfCursor = (cursor: string): string | undefined =>
  /^after (.+)$/s.exec(Buffer.from(cursor, "base64url").toString())?.[1]

/** A page as Meta writes it: cursors of what it holds, `next` only where there is more; an empty one has neither. */
export const readPage = <A>(
  list: PagedList<A>,
  request: PageRequest
): Result.Result<Readonly<Record<string, unknown>>, SandboxAnswer> =>
  Result.gen(function* () {
    const { after, fields, limit, nextUrl } = request
    const from = after === undefined ? 0 : list.all.findIndex((one) => list.idOf(one) === idOfCursor(after)) + 1
    if (after !== undefined && from === 0) return yield* Result.fail(invalid("Invalid cursor"))
    const size = Math.min(
      Option.getOrElse(limit, () => list.standard),
      list.most
    )
    const rest = list.all.slice(from).filter(list.isThere)
    const page = rest.slice(0, size)
    const data: Array<unknown> = []
    for (const one of page) data.push(yield* select(list.toNode(one), fields))
    const [first, last] = [page[0], page.at(-1)]
    if (first === undefined || last === undefined) return { data }
    const next = rest.length > page.length ? nextUrl(cursorOf(list.idOf(last))) : Option.none()
    const isEnd = rest.length === page.length && list.endsWithoutCursor === true
    const following = isEnd ? {} : { after: cursorOf(list.idOf(last)) }
    const cursors = { before: cursorOf(list.idOf(first)), ...following }
    return { data, paging: { cursors, ...Option.match(next, { onNone: () => ({}), onSome: (next) => ({ next }) }) } }
  })

/** A list that is asked for by its own path. */
export const pageOfAsk = (ask: Ask): Result.Result<PageRequest, SandboxAnswer> =>
  Result.gen(function* () {
    const limitText = ask.text("limit")
    const limit = limitText === undefined ? Option.none() : asLimit(limitText)
    if (limitText !== undefined && Option.isNone(limit))
      return yield* Result.fail(invalid("Param limit must be a number"))
    if (ask.text("before") !== undefined) return yield* Result.fail(invalid("before is not simulated"))
    const nextUrl = (after: string) => {
      const params = new URLSearchParams()
      for (const [name, value] of Object.entries(ask.inputs)) if (typeof value === "string") params.set(name, value)
      params.set("after", after)
      return Option.some(`${ask.baseUrl}${ask.path}?${params}`)
    }
    return { after: ask.text("after"), limit, fields: yield* parseFields(ask.text("fields")), nextUrl }
  })

/** Under which network's name a request came: Instagram's objects are at Facebook's host too. */
export const hostOf = ({ path }: Ask): string => path.split("/")[1] ?? ""

/** A list that is asked for as a field of another object; `path` is where its next page can be had by itself. */
export const pageOfField = (field: Field, ask: Ask, path: string): PageRequest => ({
  after: field.args.get("after"),
  limit: numberArg(field, "limit"),
  fields: field.fields,
  nextUrl: (after) => Option.some(`${ask.baseUrl}${path}?${new URLSearchParams({ after })}`)
})

/** `since` and `until` of a request: seconds since 1970. */
export const timeInput = (
  ask: Ask,
  name: "since" | "until"
): Result.Result<Option.Option<DateTime.Utc>, SandboxAnswer> => {
  const text = ask.text(name)
  if (text === undefined) return Result.succeed(Option.none())
  const time = /^\d{1,12}$/.test(text) ? DateTime.make(Number(text) * 1000) : DateTime.make(text)
  return Option.match(time, {
    onNone: () => Result.fail(invalid(`Param ${name} must be a time`)),
    onSome: (time) => Result.succeed(Option.some(DateTime.toUtc(time)))
  })
}
