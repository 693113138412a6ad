import * as Schema from "effect/Schema"

/** `1` to `maximum`; digits are judged first, for a number's codec also takes "1e2" and " 5". */
export const limitUpTo = (maximum: number) => {
  const message = `must be an integer from 1 to ${maximum}`
  return Schema.String.check(Schema.isPattern(/^[1-9][0-9]{0,8}$/, { message })).pipe(
    Schema.decodeTo(Schema.FiniteFromString.check(Schema.isBetween({ minimum: 1, maximum }, { message })))
  )
}

/** What every list takes (api.md §5, §6, §8). */
export const listQuery = {
  limit: Schema.optionalKey(limitUpTo(100)),
  cursor: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[\w-]{1,2000}$/, { message: "must be a next_cursor that this list gave" })
    ).annotate({ description: "`next_cursor` of the page before." })
  )
}

/** Items of a page when `limit` is not given. */
export const defaultLimit = 50

/** A list refuses what it does not know: a mistyped filter must not return everything. */
export const strictQuery = { errors: "all", onExcessProperty: "error" } as const
