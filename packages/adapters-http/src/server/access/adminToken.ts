import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Digest, sha256 } from "effect/crypto/Digest"
import { timingSafeEqual } from "effect/crypto/Mac"
import { HttpSettings } from "../system/HttpSettings.ts"

/** Whether a token is the administrator's. */
export const makeIsAdmin = Effect.gen(function* () {
  const { adminToken } = yield* HttpSettings
  const digest = yield* Digest
  const encoder = new TextEncoder()
  const hashOf = (token: Redacted.Redacted<string>) => digest.digest(sha256, encoder.encode(Redacted.value(token)))
  const expected = Option.isSome(adminToken) ? yield* hashOf(adminToken.value) : undefined
  return (token: Redacted.Redacted<string>): Effect.Effect<boolean> =>
    // Hashes have one length, so the comparison tells nothing of the token's.
    Effect.map(hashOf(token), (given) => expected !== undefined && timingSafeEqual(given, expected))
})
