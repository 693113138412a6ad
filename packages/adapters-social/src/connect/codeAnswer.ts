import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { OptionalCount, reader, Token } from "../payloads/payload.ts"

/** A token that Meta's networks gave for a code, or for another token. */
export interface GivenToken {
  readonly token: Redacted.Redacted<string>
  readonly expiresIn_s: Option.Option<number>
  /** What was granted, where the answer says it. */
  readonly permissions: Option.Option<ReadonlyArray<string>>
}

const readGiven = reader(
  Schema.Struct({
    access_token: Token,
    expires_in: OptionalCount,
    permissions: Schema.optionalKey(Schema.Unknown)
  })
)

/** Names in a list, or in one text. */
const namesIn = (value: unknown): Option.Option<ReadonlyArray<string>> => {
  const names = typeof value === "string" ? value.split(/[,\s]+/) : Array.isArray(value) ? value : undefined
  return Option.map(Option.fromUndefinedOr(names), (all) =>
    all.filter((name) => typeof name === "string" && /^[\w.:-]{1,100}$/.test(name))
  )
}

/** What Instagram's documents have in a list `data`, and its servers gave without one. */
export const listedOrBare = (value: unknown): unknown => {
  const data: unknown = Predicate.isObject(value) ? value["data"] : undefined
  return Array.isArray(data) ? data[0] : value
}

/**
 * An answer with a token, in a list or not; permissions are a list or one text (social-networks-write.md A2). Both are
 * read.
 */
export const readGivenToken = (value: unknown): Result.Result<GivenToken, string> =>
  Result.map(readGiven(listedOrBare(value)), ({ access_token, expires_in, permissions }) => ({
    token: Redacted.make(access_token),
    expiresIn_s: expires_in,
    permissions: namesIn(permissions)
  }))

/** Instagram and Threads write `#_` behind a code (A2, A4), which is none of it. */
export const withoutFragment = (code: Redacted.Redacted<string>): string => Redacted.value(code).replace(/#_$/, "")
