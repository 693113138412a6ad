import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Mac from "effect/crypto/Mac"
import { HttpSettings } from "../system/HttpSettings.ts"

const encoder = new TextEncoder()

/** HMAC-SHA256 with the host's keys over a use and its parts, so that no signature serves another use. */
export class Signer extends Context.Service<
  Signer,
  {
    readonly sign: (use: string, parts: ReadonlyArray<string>) => Effect.Effect<Uint8Array>
    /** What each key makes of it, so that what an older key signed can be recognised. */
    readonly signatures: (
      use: string,
      parts: ReadonlyArray<string>
    ) => Effect.Effect<Arr.NonEmptyReadonlyArray<Uint8Array>>
    /** By any of the keys, each in constant time. */
    readonly verify: (use: string, parts: ReadonlyArray<string>, signature: Uint8Array) => Effect.Effect<boolean>
  }
>()("@loopbox/adapters-http/server/media/Signer") {
  static readonly layer: Layer.Layer<Signer, never, HttpSettings | Mac.Mac> = Layer.effect(
    Signer,
    Effect.gen(function* () {
      const { signingKeys } = yield* HttpSettings
      const mac = yield* Mac.Mac
      const keys = yield* Effect.orDie(
        Effect.forEach(signingKeys, (key) => Mac.key(Mac.hmacSha256, Redacted.value(key)))
      )
      // JSON keeps the parts apart whatever stands in them.
      const message = (use: string, parts: ReadonlyArray<string>) => encoder.encode(JSON.stringify([use, ...parts]))
      return Signer.of({
        sign: (use, parts) => Effect.orDie(mac.sign(Arr.headNonEmpty(keys), message(use, parts))),
        signatures: (use, parts) => Effect.orDie(Effect.forEach(keys, (key) => mac.sign(key, message(use, parts)))),
        verify: (use, parts, signature) =>
          Effect.forEach(keys, (key) => mac.verify(key, signature, message(use, parts))).pipe(
            Effect.map((verdicts) => verdicts.includes(true)),
            Effect.orDie
          )
      })
    })
  )
}
