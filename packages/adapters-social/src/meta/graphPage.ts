import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { OptionalId, optionalPart, OptionalText, reader } from "../payloads/payload.ts"

/** One page of an edge of the Graph API. */
export interface GraphPage {
  readonly elements: ReadonlyArray<unknown>
  /** The cursor of the next page; none at the end. */
  readonly next: Option.Option<string>
  /** Whether a link says that there is a next page; a cursor alone says only where one would begin. */
  readonly isLinked: boolean
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
 * Where a page goes on. A link says that there is more. Without one there may be more all the same: pages end in a
 * cursor also where no link is ever given, so it is followed until a page is empty (social-networks.md §2.1).
 */
const pageOf = (value: unknown, elements: ReadonlyArray<unknown>): GraphPage => {
  const paging = Result.match(readPaging(value), { onFailure: () => Option.none(), onSuccess: ({ paging }) => paging })
  const link = Option.flatMap(paging, ({ next }) => next)
  const after = Option.flatMap(
    Option.flatMap(paging, ({ cursors }) => cursors),
    ({ after }) => after
  )
  const isLinked = Option.isSome(link)
  const next = Option.orElse(after, () => Option.flatMap(link, cursorIn))
  return { elements, next: isLinked || elements.length > 0 ? next : Option.none(), isLinked }
}

export const readGraphPage = (value: unknown): Result.Result<GraphPage, string> => {
  const elements = Predicate.isObject(value) ? value["data"] : undefined
  return Array.isArray(elements) ? Result.succeed(pageOf(value, elements)) : Result.fail("missing or unreadable: data")
}

/** A page inside an object that was asked for with it; where Meta leaves it out, it is empty. */
export const graphPageIn = (value: unknown): GraphPage =>
  Result.getOrElse(readGraphPage(value), (): GraphPage => ({ elements: [], next: Option.none(), isLinked: false }))

/** The cursor of the next page, unless everything is here already and no link says otherwise. */
export const nextUnless = (isWhole: boolean, { isLinked, next }: GraphPage): Option.Option<string> =>
  isWhole && !isLinked ? Option.none() : next
