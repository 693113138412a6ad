import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Digest, sha256 } from "effect/crypto/Digest"
import { timingSafeEqual } from "effect/crypto/Mac"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { toBase32 } from "../kernel/Ids.ts"

const encoder = new TextEncoder()

/** Bytes of a link's token, a `state`, a cookie and a PKCE verifier: 256 bits. */
const secretBytes = 32

/** What a form's token is made of beside the cookie, so that neither takes the place of the other. */
const formPurpose = "loopbox connect form"

/** Makes secrets for browsers, and their digests, by which they are stored and compared. */
export const makeBrowserSecrets = ({
  digest,
  random
}: {
  readonly digest: Digest["Service"]
  readonly random: SecureRandom["Service"]
}) => {
  const sha = (text: string) => digest.digestHex(sha256, encoder.encode(text))
  const digestOf = (secret: Redacted.Redacted<string>) => sha(Redacted.value(secret))

  /** The form of a page belongs to the cookie of its browser: nobody else can make its token. */
  const formTokenOf = (cookie: Redacted.Redacted<string>) =>
    Effect.map(sha(`${formPurpose}\n${Redacted.value(cookie)}`), (text) => Redacted.make(text))

  return {
    /** 52 characters: letters and digits. */
    fresh: Effect.map(random.randomBytes(secretBytes), (bytes) => Redacted.make(toBase32(bytes))),
    digestOf,
    formTokenOf,
    /** Takes the same time whatever differs. */
    isFormToken: (cookie: Redacted.Redacted<string>, given: Redacted.Redacted<string>) =>
      Effect.map(formTokenOf(cookie), (expected) =>
        timingSafeEqual(encoder.encode(Redacted.value(expected)), encoder.encode(Redacted.value(given)))
      )
  }
}

export type BrowserSecrets = ReturnType<typeof makeBrowserSecrets>
