import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  Id,
  OptionalCount,
  OptionalFlag,
  OptionalId,
  optionalPart,
  optionalParts,
  reader
} from "../payloads/payload.ts"

/** What a network says of a token: nothing of roles on Pages. */
export interface DebuggedToken {
  readonly isValid: boolean
  readonly permissions: ReadonlyArray<string>
  /** The person who allowed it. */
  readonly userId: Option.Option<string>
  /** Why it is not valid. */
  readonly networkCode: Option.Option<string>
}

const read = reader(
  Schema.Struct({
    data: Schema.Struct({
      is_valid: OptionalFlag,
      scopes: optionalParts(Id),
      user_id: OptionalId,
      error: optionalPart(Schema.Struct({ code: OptionalCount, subcode: OptionalCount }))
    })
  })
)

/** The answer of `debug_token` of Facebook and Threads. */
export const readDebuggedToken = (value: unknown): Result.Result<DebuggedToken, string> =>
  Result.map(read(value), ({ data: { error, is_valid, scopes, user_id } }) => ({
    isValid: Option.isSome(is_valid),
    permissions: scopes,
    userId: user_id,
    networkCode: Option.flatMap(error, ({ code, subcode }) =>
      Option.map(code, (main) =>
        Option.match(subcode, { onNone: () => String(main), onSome: (sub) => `${main}/${sub}` })
      )
    )
  }))
