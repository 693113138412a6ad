import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { OptionalId, optionalPart, OptionalText, reader } from "./payload.ts"

/** One page of an edge of the Graph API. */
export interface GraphPage {
  readonly elements: ReadonlyArray<unknown>
  /** The cursor of the next page; none at the end. */
  readonly next: Option.Option<string>
}

const readPaging = reader(
  Schema.Struct({
    paging: optionalPart(
      Schema.Struct({ next: OptionalText, cursors: optionalPart(Schema.Struct({ after: OptionalId })) })
    )
  })
)

/** The cursor in a link. The link itself is never followed: it could lead elsewhere, with the token. */
const cursorIn = (link: string): Option.Option<string> =>
  URL.canParse(link) ? Option.fromNullishOr(new URL(link).searchParams.get("after")) : Option.none()

/**
 * Where a page goes on. Meta ends where it gives no link to a next page, though a cursor is always there; a page as
 * long as it was asked for may have a next one, whether it has a link or not.
 */
const nextOf = (value: unknown, count: number, asked: number): Option.Option<string> => {
  const read = readPaging(value)
  if (Result.isFailure(read)) return Option.none()
  const link = Option.flatMap(read.success.paging, ({ next }) => next)
  const after = Option.flatMap(
    Option.flatMap(read.success.paging, ({ cursors }) => cursors),
    ({ after }) => after
  )
  return Option.isSome(link) || (count > 0 && count >= asked)
    ? Option.orElse(after, () => Option.flatMap(link, cursorIn))
    : Option.none()
}

/** A page that was asked for with so many elements at most. */
export const readGraphPage =
  (asked: number) =>
  (value: unknown): Result.Result<GraphPage, string> => {
    const elements = Predicate.isObject(value) ? value["data"] : undefined
    return Array.isArray(elements)
      ? Result.succeed({ elements, next: nextOf(value, elements.length, asked) })
      : Result.fail("missing or unreadable: data")
  }

/** A page inside an object that was asked for with it; where Meta leaves it out, it is empty. */
export const graphPageIn = (value: unknown, asked: number): GraphPage =>
  Result.getOrElse(readGraphPage(asked)(value), (): GraphPage => ({ elements: [], next: Option.none() }))
