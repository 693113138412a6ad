import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { type Credentials, CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { nextSocialAccountId, nextWorkspaceId } from "@loopbox/core/kernel/Ids"
import { noon } from "../fixtures/activities.ts"

const credentials: Credentials = {
  accessToken: Redacted.make("IGQVJ-secret-\u{1f511}"),
  refreshToken: Option.some(Redacted.make("refresh")),
  expiresAt: Option.some(noon)
}

const owner = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return { workspaceId: yield* nextWorkspaceId(random), accountId: yield* nextSocialAccountId(random) }
})

/** What every adapter of the port CredentialVault does. */
export const credentialVaultContract = <E>(adapter: string, vault: Layer.Layer<CredentialVault, E>) =>
  layer(Layer.merge(vault, SecureRandom.layerWebCrypto))(`CredentialVault: ${adapter}`, (it) => {
    it.effect("gives back what was sealed, and shows nothing of it sealed", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault
        const mine = yield* owner
        const sealed = yield* vault.seal(mine, credentials)
        assert.notInclude(sealed, "secret")
        const opened = yield* vault.open(mine, sealed)
        assert.strictEqual(Redacted.value(opened.accessToken), Redacted.value(credentials.accessToken))
        assert.deepStrictEqual(Option.map(opened.refreshToken, Redacted.value), Option.some("refresh"))
        assert.deepStrictEqual(opened.expiresAt, Option.some(noon))
        const bare = { ...credentials, refreshToken: Option.none(), expiresAt: Option.none() }
        const openedBare = yield* vault.open(mine, yield* vault.seal(mine, bare))
        assert.deepStrictEqual([openedBare.refreshToken, openedBare.expiresAt], [Option.none(), Option.none()])
      })
    )

    it.effect("seals the same credentials differently each time", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault
        const mine = yield* owner
        assert.notStrictEqual(yield* vault.seal(mine, credentials), yield* vault.seal(mine, credentials))
      })
    )

    it.effect("opens nothing in the name of another account or workspace, and nothing that was altered", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault
        const [mine, yours] = [yield* owner, yield* owner]
        const sealed = yield* vault.seal(mine, credentials)
        const wrong = [
          vault.open(yours, sealed),
          vault.open({ ...mine, accountId: yours.accountId }, sealed),
          vault.open({ ...mine, workspaceId: yours.workspaceId }, sealed),
          vault.open(mine, `${sealed}A`),
          vault.open(mine, "")
        ]
        for (const attempt of wrong) assert.strictEqual((yield* Effect.flip(attempt))._tag, "CredentialsUnreadable")
      })
    )
  })
