import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { ApiKeyId, toBase32 } from "../kernel/Ids.ts"

/** `test` in a host that uses the sandbox networks, else `live` (design §3). */
export type KeyMode = "live" | "test"

const pattern = /^lbx_(?:live|test)_([0-7][0-9a-hjkmnp-tv-z]{25})_[0-9a-hjkmnp-tv-z]{52}$/

/** The text of a key: `lbx_live_<id>_<256 random bits>`, the id without its prefix, the secret in base32. */
export const toKeyText = (mode: KeyMode, id: ApiKeyId, secret: Uint8Array): Redacted.Redacted<string> =>
  Redacted.make(`lbx_${mode}_${id.slice("key_".length)}_${toBase32(secret)}`)

/** The id in the text of a key; absent when the text is not a Loopbox key. */
export const idOfKeyText = (text: string): Option.Option<ApiKeyId> => {
  const id = pattern.exec(text)?.[1]
  return id === undefined ? Option.none() : Option.some(ApiKeyId.make(`key_${id}`))
}
