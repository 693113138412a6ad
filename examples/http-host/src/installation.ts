import { Installation } from "@loopbox/adapters-postgres"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Aead from "effect/crypto/Aead"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Base64 from "effect/encoding/Base64"
import * as path from "node:path"
import { CommandFailed } from "./CommandFailed.ts"
import type { HostConfig } from "./hostConfig.ts"
import type { HostSecrets } from "./hostSecrets.ts"
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

const cannot = (folder: string) => (error: PlatformError) =>
  new CommandFailed({ message: `The blob folder ${folder} cannot be used: ${error.message}. LOOPBOX_BLOBS names it.` })

const markOf = (folder: string) => path.join(folder, "INSTALLATION")

/** Marks the folder, when the database has never been used with one before. */
const putMark = Effect.fnUntraced(function* (folder: string, id: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
  // Of several processes that start at once each writes the same.
  yield* Effect.ignore(fs.writeFileString(markOf(folder), `${id}\n`, { flag: "wx", mode: 0o600 }))
})

/** The id in the folder. */
const readMark = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const mark = yield* fs.readFileString(markOf(folder)).pipe(
    Effect.map((text) => Option.some(text.trim())),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(Option.none<string>()))
  )
  return mark
})

const checkFolder = Effect.fnUntraced(function* (folder: string, id: string, isNew: boolean) {
  if (isNew) yield* putMark(folder, id).pipe(Effect.mapError(cannot(folder)))
  const mark = yield* readMark(folder).pipe(Effect.mapError(cannot(folder)))
  if (Option.contains(mark, id)) return
  return yield* new CommandFailed({
    message: Option.match(mark, {
      onNone: () =>
        `The blob folder ${folder} is not the one that the database was used with: it has no file INSTALLATION. ` +
        `Is its disk mounted, is LOOPBOX_BLOBS right? If it is the right one, write ${id} into that file.`,
      onSome: () =>
        `The blob folder ${folder} belongs to another database: its file INSTALLATION names another installation. ` +
        "Are DATABASE_URL, LOOPBOX_DATA and LOOPBOX_BLOBS right?"
    })
  })
})

/**
 * Proves that database, blob folder and secret keys belong together, so that a wrong one stops the start instead of
 * losing files and credentials. The sealed value is written last: where it is, the folder was marked.
 */
export const checkInstallation = Effect.fn("checkInstallation")(function* (config: HostConfig, secrets: HostSecrets) {
  const id = yield* Installation.id
  const stored = yield* Installation.sealedCheck
  yield* checkFolder(config.blobFolder, id, Option.isNone(stored))
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
  yield* checkFolder(config.blobFolder, id.value, false)
  return Option.some(yield* checkKeys(stored.value, keys))
}, Effect.provide(Aead.layerWebCrypto))
