import { Installation } from "@loopbox/adapters-postgres"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Aead from "effect/crypto/Aead"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Base64 from "effect/encoding/Base64"
import { CommandFailed } from "./CommandFailed.ts"
import type { HostConfig } from "./hostConfig.ts"
import type { HostSecrets } from "./hostSecrets.ts"
import { checkMark, putMark } from "./installationMark.ts"
import type { SecretKey } from "@loopbox/embedded/presets/secretKeys"

const sealedText = new TextEncoder().encode("loopbox")

/** `<key id>:<nonce and ciphertext, base64>`: a known text that only the key's owner can have sealed. */
const seal = Effect.fnUntraced(function* ({ bytes, id }: SecretKey) {
  const aead = yield* Aead.Aead
  const random = yield* SecureRandom
  const nonce = yield* random.randomBytes(Aead.aes256Gcm.nonceLength)
  const sealed = yield* aead.encrypt(yield* Aead.key(Aead.aes256Gcm, bytes), sealedText, {
    nonce,
    aad: new TextEncoder().encode(id)
  })
  return `${id}:${Base64.encode(new Uint8Array([...nonce, ...sealed]))}`
}, Effect.orDie)

const opens = Effect.fnUntraced(function* ({ bytes, id }: SecretKey, base64: string) {
  const aead = yield* Aead.Aead
  const record = yield* Effect.fromResult(Base64.decode(base64))
  const nonceLength = Aead.aes256Gcm.nonceLength
  yield* aead.decrypt(yield* Aead.key(Aead.aes256Gcm, bytes), record.subarray(nonceLength), {
    nonce: record.subarray(0, nonceLength),
    aad: new TextEncoder().encode(id)
  })
})

/** Fails unless the keys hold the one that this database was used with last; answers that one's id. */
const checkKeys = Effect.fnUntraced(function* (stored: string, keys: HostSecrets["keys"]) {
  const [id = "", base64 = ""] = stored.split(":")
  const key = Redacted.value(keys).find((known) => known.id === id)
  if (key === undefined || Result.isFailure(yield* Effect.result(opens(key, base64)))) {
    const why = key === undefined ? "is missing from them" : "is another one"
    return yield* new CommandFailed({
      message:
        `These are not the secret keys that the database was used with: the key "${id}" ${why}. ` +
        "Put it back into LOOPBOX_SECRET_KEYS (or the data folder's secret-keys); new keys go before it."
    })
  }
  return id
})

/** A new database marks the place where its files will be. */
const checkPlace = Effect.fnUntraced(function* ({ blobs, s3Key }: HostConfig, id: string, isNew: boolean) {
  if (isNew) yield* putMark(blobs, s3Key, id)
  yield* checkMark(blobs, s3Key, id)
})

/**
 * Proves that database, place of files and secret keys belong together, so that a wrong one stops the start instead of
 * losing files and credentials. The sealed value is written last: where it is, the place was marked.
 */
export const checkInstallation = Effect.fn("checkInstallation")(function* (config: HostConfig, secrets: HostSecrets) {
  const id = yield* Installation.id
  const stored = yield* Installation.sealedCheck
  yield* checkPlace(config, id, Option.isNone(stored))
  const sealed = Option.isSome(stored)
    ? stored.value
    : yield* Effect.flatMap(seal(Arr.headNonEmpty(Redacted.value(secrets.keys))), Installation.sealCheck)
  const first = Arr.headNonEmpty(Redacted.value(secrets.keys))
  const sealedBy = yield* checkKeys(sealed, secrets.keys)
  // After a rotation: the first key may be the only one soon.
  if (sealedBy !== first.id) yield* Installation.resealCheck(yield* seal(first))
}, Effect.provide(Aead.layerWebCrypto))

/**
 * The same for a command that only looks. Answers the id of the key by which the last host was started; none where no
 * host has been started on the database yet.
 */
export const examineInstallation = Effect.fn("examineInstallation")(function* (
  config: HostConfig,
  keys: HostSecrets["keys"]
) {
  const id = yield* Installation.findId
  const stored = yield* Installation.sealedCheck
  if (Option.isNone(id) || Option.isNone(stored)) return Option.none<string>()
  yield* checkPlace(config, id.value, false)
  return Option.some(yield* checkKeys(stored.value, keys))
}, Effect.provide(Aead.layerWebCrypto))
