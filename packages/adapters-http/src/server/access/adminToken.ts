import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Digest, sha256 } from "effect/crypto/Digest"
import { timingSafeEqual } from "effect/crypto/Mac"
import { refuseUnauthorized } from "../edge/refuse.ts"
import { HttpSettings } from "../system/HttpSettings.ts"

/** Whether a token is the administrator's: the one in use, or one that is being replaced. */
export const makeIsAdmin = Effect.gen(function* () {
  const { adminTokens } = yield* HttpSettings
  const digest = yield* Digest
  const encoder = new TextEncoder()
  const hashOf = (token: Redacted.Redacted<string>) => digest.digest(sha256, encoder.encode(Redacted.value(token)))
  const expected = yield* Effect.forEach(adminTokens, hashOf)
  return (token: Redacted.Redacted<string>): Effect.Effect<boolean> =>
    // Hashes have one length, and each is compared, so that the time tells nothing of the tokens.
    Effect.map(hashOf(token), (given) => expected.filter((one) => timingSafeEqual(given, one)).length > 0)
})

/** The refusal of what was given in place of the admin token; empty where nothing was. */
export const refuseAdminToken = (given: Redacted.Redacted<string>) =>
  refuseUnauthorized(
    Redacted.value(given) === ""
      ? "Give the admin token: Authorization: Bearer …"
      : "This is not the admin token of this installation."
  )
