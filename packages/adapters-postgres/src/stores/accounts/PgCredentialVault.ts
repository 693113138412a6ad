import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Aead from "effect/crypto/Aead"
import { SqlClient } from "effect/sql/SqlClient"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Base64Url from "effect/encoding/Base64Url"
import { CredentialsUnreadable } from "@loopbox/core/accounts/AccountErrors"
import { type CredentialOwner, type Credentials, CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { all, optional } from "../../rows/rows.ts"
import { storeCallWithin } from "../../connection/storeFailure.ts"

/** A secret key and the name by which sealed credentials refer to it. */
export interface VaultKey {
  /** Anything without a colon. */
  readonly id: string
  /** 32 of them. */
  readonly bytes: Uint8Array
}

/** `<version>:<key id>:<nonce and ciphertext, base64url>`. */
const version = "v1"
const nonceBytes = 12

const Opened = Schema.fromJsonString(
  Schema.Struct({
    accessToken: Schema.String,
    refreshToken: optional(Schema.String),
    expiresAt: optional(Schema.DateTimeUtcFromString)
  })
)
const encode = Schema.encodeEffect(Opened)
const decode = Schema.decodeUnknownEffect(Opened)

const text = new TextEncoder()

/** Additional authenticated data: a ciphertext of another account, or under another key id, does not open. */
const associated = (keyId: string, { accountId, workspaceId }: CredentialOwner) =>
  text.encode([version, keyId, workspaceId, accountId].join("\n"))

const toCredentials = ({ accessToken, expiresAt, refreshToken }: typeof Opened.Type): Credentials => ({
  accessToken: Redacted.make(accessToken),
  refreshToken: Option.map(refreshToken, (token) => Redacted.make(token)),
  expiresAt
})

/** Parts of a sealed text; absent if it is none. */
const parse = (sealed: string) => {
  const [found, keyId, data, ...more] = sealed.split(":")
  if (found !== version || keyId === undefined || data === undefined || more.length > 0) return undefined
  const bytes = Result.getOrUndefined(Base64Url.decode(data))
  if (bytes === undefined || bytes.length <= nonceBytes) return undefined
  return { keyId, nonce: bytes.slice(0, nonceBytes), ciphertext: bytes.slice(nonceBytes) }
}

/**
 * Seals credentials with AES-256-GCM. The first key seals, all open, so a new one is put in front and the old one
 * stays for what it has sealed. A key that is not 32 bytes long is a defect.
 */
export const layer = (
  keys: Redacted.Redacted<readonly [VaultKey, ...ReadonlyArray<VaultKey>]>
): Layer.Layer<CredentialVault, never, SecureRandom> =>
  Layer.effect(
    CredentialVault,
    Effect.gen(function* () {
      const aead = yield* Aead.Aead
      const random = yield* SecureRandom
      const opening = new Map<string, Aead.Key>()
      for (const { bytes, id } of Redacted.value(keys)) {
        opening.set(id, yield* Effect.orDie(Aead.key(Aead.aes256Gcm, bytes)))
      }
      const [{ id: sealingId }] = Redacted.value(keys)
      const sealing = yield* Effect.orDie(Effect.fromNullishOr(opening.get(sealingId)))

      return CredentialVault.of({
        seal: Effect.fn("PgCredentialVault.seal")(function* (owner, { accessToken, expiresAt, refreshToken }) {
          const plain = yield* encode({
            accessToken: Redacted.value(accessToken),
            refreshToken: Option.map(refreshToken, Redacted.value),
            expiresAt
          })
          const nonce = yield* random.randomBytes(nonceBytes)
          const aad = associated(sealingId, owner)
          const ciphertext = yield* aead.encrypt(sealing, text.encode(plain), { nonce, aad })
          const data = new Uint8Array(nonce.length + ciphertext.length)
          data.set(nonce)
          data.set(ciphertext, nonce.length)
          return [version, sealingId, Base64Url.encode(data)].join(":")
        }, Effect.orDie),

        open: Effect.fn("PgCredentialVault.open")(function* (owner, sealed) {
          const { accountId } = owner
          const parts = parse(sealed)
          if (parts === undefined) return yield* new CredentialsUnreadable({ accountId, reason: "altered" })
          const { ciphertext, keyId, nonce } = parts
          const key = opening.get(keyId)
          if (key === undefined) return yield* new CredentialsUnreadable({ accountId, reason: "key_missing" })
          // Failures from here on must reveal neither a reason nor any content.
          return yield* aead.decrypt(key, ciphertext, { nonce, aad: associated(keyId, owner) }).pipe(
            Effect.flatMap((bytes) => decode(new TextDecoder().decode(bytes))),
            Effect.map(toCredentials),
            Effect.mapError(() => new CredentialsUnreadable({ accountId, reason: "altered" }))
          )
        })
      })
    })
  ).pipe(Layer.provide(Aead.layerWebCrypto))

const SealedRow = Schema.Struct({ key_id: Schema.String, sealed: Schema.Int })

/** How many accounts' credentials and webhook endpoints' secrets each key has sealed, by its id. It reads all of them. */
export const countSealed: Effect.Effect<ReadonlyMap<string, number>, StoreUnavailable, SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient
    const rows = yield* all(SealedRow)(sql`SELECT split_part(sealed, ':', 2) AS key_id, count(*)::int AS sealed
      FROM (SELECT sealed FROM account_credentials UNION ALL SELECT sealed FROM outgoing_secrets) s GROUP BY 1 ORDER BY 1`)
    return new Map(rows.map((row) => [row.key_id, row.sealed]))
  }
).pipe(storeCallWithin(Duration.seconds(60))("credentials.countSealed", "no"))
