import { PgCredentialVault } from "@loopbox/adapters-postgres"
import { type Credentials, CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { nextSocialAccountId, nextWorkspaceId } from "@loopbox/core/kernel/Ids"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"

const key = (id: string, byte: number) => ({ id, bytes: new Uint8Array(32).fill(byte) })
type Keys = Parameters<typeof PgCredentialVault.layer>[0]

const withKeys = <A, E>(keys: Keys, self: Effect.Effect<A, E, CredentialVault>) =>
  Effect.provide(self, PgCredentialVault.layer(keys))

const credentials: Credentials = {
  accessToken: Redacted.make("token"),
  refreshToken: Option.none(),
  expiresAt: Option.none()
}

describe("PgCredentialVault", () => {
  it.effect("opens with an older key what it sealed, and says when a key is missing or is another one", () =>
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const owner = { workspaceId: yield* nextWorkspaceId(random), accountId: yield* nextSocialAccountId(random) }
      const seal = CredentialVault.use((vault) => vault.seal(owner, credentials))
      const open = (sealed: string) => CredentialVault.use((vault) => vault.open(owner, sealed))
      const [older, newer] = [key("2025", 1), key("2026.b", 2)]
      const old = yield* withKeys(Redacted.make([older]), seal)
      const opened = yield* withKeys(Redacted.make([newer, older]), open(old))
      assert.strictEqual(Redacted.value(opened.accessToken), "token")
      const fresh = yield* withKeys(Redacted.make([newer, older]), seal)
      assert.isTrue(fresh.startsWith("v1:2026.b:"))
      const missing = yield* Effect.flip(withKeys(Redacted.make([older]), open(fresh)))
      assert.strictEqual(missing.reason, "key_missing")
      const another = yield* Effect.flip(withKeys(Redacted.make([key("2026.b", 3)]), open(fresh)))
      assert.strictEqual(another.reason, "altered")
      // Under another key's name it is not what was sealed, either.
      const renamed = fresh.replace("2026.b", "2025")
      const same = yield* Effect.flip(withKeys(Redacted.make([newer, key("2025", 2)]), open(renamed)))
      assert.strictEqual(same.reason, "altered")
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )
})
