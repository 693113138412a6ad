import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Kdf from "effect/crypto/Kdf"
import type { SecretKey, SecretKeys } from "./secretKeys.ts"

const encoder = new TextEncoder()

/** A key of its own for links and cursors, so that no key has two uses. */
const derive = Effect.fnUntraced(function* ({ bytes }: SecretKey) {
  const kdf = yield* Kdf.Kdf
  const key = yield* kdf.derive(Kdf.hkdfSha256, bytes, {
    salt: new Uint8Array(0),
    info: encoder.encode("loopbox links and cursors"),
    length: 32
  })
  return Redacted.make(key)
})

/** What signs, out of the first secret key, and what signed before, out of the others. */
export const signingKeys = Effect.fnUntraced(
  function* (keys: Redacted.Redacted<SecretKeys>) {
    const [signingKey, ...olderSigningKeys] = yield* Effect.forEach(Redacted.value(keys), derive)
    return { signingKey, olderSigningKeys }
  },
  Effect.provide(Kdf.layerWebCrypto),
  Effect.orDie
)
