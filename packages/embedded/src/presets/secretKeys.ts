import * as Arr from "effect/Array"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Base64 from "effect/encoding/Base64"

/** A key of 256 bits and the name under which records remember it. */
export interface SecretKey {
  readonly id: string
  readonly bytes: Uint8Array
}

/** The first encrypts and signs; all of them decrypt and verify, so that keys can be rotated. */
export type SecretKeys = Arr.NonEmptyReadonlyArray<SecretKey>

const parseSecretKey = (text: string): Option.Option<SecretKey> => {
  const [, id, base64] = /^([A-Za-z0-9._-]{1,64}):([A-Za-z0-9+/]{43}=)$/.exec(text) ?? []
  if (id === undefined || base64 === undefined) return Option.none()
  return Base64.decode(base64).pipe(
    Result.getSuccess,
    Option.filter((bytes) => bytes.length === 32),
    Option.map((bytes) => ({ id, bytes }))
  )
}

/** Reads `id:<32 bytes in base64>,…`; none when a part is anything else or an id stands twice. */
export const parseSecretKeys = (text: string): Option.Option<SecretKeys> =>
  Option.all(text.split(",").map((part) => parseSecretKey(part.trim()))).pipe(
    Option.filter((keys) => new Set(keys.map(({ id }) => id)).size === keys.length),
    Option.flatMap((keys) => (Arr.isReadonlyArrayNonEmpty(keys) ? Option.some(keys) : Option.none()))
  )

/** The text that `parseSecretKeys` reads. */
export const formatSecretKeys = (keys: SecretKeys): string =>
  keys.map(({ bytes, id }) => `${id}:${Base64.encode(bytes)}`).join(",")
