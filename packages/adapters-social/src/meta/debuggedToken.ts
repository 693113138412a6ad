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

/** For which accounts a permission was granted, by its name; all accounts for one that is not in it. */
export type GrantedFor = ReadonlyMap<string, ReadonlySet<string>>

/** What a network says of a token: nothing of roles on Pages. */
export interface DebuggedToken {
  readonly isValid: boolean
  readonly permissions: ReadonlyArray<string>
  readonly grantedFor: GrantedFor
  /** The person who allowed it. */
  readonly userId: Option.Option<string>
  /** Why it is not valid. */
  readonly networkCode: Option.Option<string>
}

const Granular = Schema.Struct({ scope: Id, target_ids: Schema.optionalKey(Schema.Array(Id)) })

const read = reader(
  Schema.Struct({
    data: Schema.Struct({
      is_valid: OptionalFlag,
      scopes: optionalParts(Id),
      granular_scopes: optionalParts(Granular),
      user_id: OptionalId,
      error: optionalPart(Schema.Struct({ code: OptionalCount, subcode: OptionalCount }))
    })
  })
)

/** An entry without accounts is for all of them, those to come included (social-networks-write.md A1). */
const grantedForOf = (granular: ReadonlyArray<typeof Granular.Type>): GrantedFor =>
  new Map(granular.flatMap(({ scope, target_ids }) => (target_ids === undefined ? [] : [[scope, new Set(target_ids)]])))

/** The answer of `debug_token` of Facebook and Threads. */
export const readDebuggedToken = (value: unknown): Result.Result<DebuggedToken, string> =>
  Result.map(read(value), ({ data: { error, granular_scopes, is_valid, scopes, user_id } }) => ({
    isValid: Option.isSome(is_valid),
    permissions: scopes,
    grantedFor: grantedForOf(granular_scopes),
    userId: user_id,
    networkCode: Option.flatMap(error, ({ code, subcode }) =>
      Option.map(code, (main) =>
        Option.match(subcode, { onNone: () => String(main), onSome: (sub) => `${main}/${sub}` })
      )
    )
  }))

/** Those of portfolios and of advertising name no account that is connected. */
const isOfAccounts = (permission: string): boolean => /^(pages|instagram)_/.test(permission)

/** Which permissions hold for an account: a Page, or an Instagram account with its Page. */
export const permissionsOn = (
  permissions: ReadonlyArray<string>,
  grantedFor: GrantedFor,
  ids: ReadonlyArray<string>
): ReadonlyArray<string> =>
  permissions.filter((permission) => {
    const accounts = grantedFor.get(permission)
    return accounts === undefined || !isOfAccounts(permission) || ids.some((id) => accounts.has(id))
  })
