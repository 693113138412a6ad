import { PgCredentialVault, reseal } from "@loopbox/adapters-postgres"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { CommandFailed } from "./CommandFailed.ts"
import { layerShared } from "./database.ts"
import { placesIn } from "./dataFolder.ts"
import type { HostConfig } from "./hostConfig.ts"
import { readSecretKeys } from "./hostSecrets.ts"
import { examineInstallation } from "./installation.ts"
import type { SecretKeys } from "@loopbox/embedded/presets/secretKeys"
import { explainFailure } from "./startFailure.ts"

/** Why there are no keys, and what to do. */
export const noKeys = ({ databaseUrl, dataFolder }: HostConfig): string =>
  Option.isSome(databaseUrl)
    ? "LOOPBOX_SECRET_KEYS must be set: the keys by which the hosts of this database were started"
    : `there are no secret keys: ${placesIn(dataFolder).secretKeys} is not there. Put back the file that was there.`

const inWords = (counts: ReadonlyArray<readonly [string, number]>): string =>
  counts.map(([id, accounts]) => `${accounts} by "${id}"`).join(", ")

/** By which keys the tokens of accounts and the secrets of webhook endpoints are sealed, and whether the host has them all. */
const judgeSealed = (sealed: ReadonlyMap<string, number>, keys: SecretKeys) => {
  const known = new Set(keys.map(({ id }) => id))
  const first = Arr.headNonEmpty(keys).id
  const counts = Array.from(sealed)
  const missing = counts.filter(([id]) => !known.has(id))
  if (missing.length > 0) {
    const message =
      "tokens of accounts or secrets of webhook endpoints were sealed by keys that LOOPBOX_SECRET_KEYS (or the data " +
      `folder's secret-keys) no longer has: ${inWords(missing)}. Put them back behind the others, or connect the ` +
      "accounts again and rotate the endpoints' secrets."
    return { isWell: false, message }
  }
  if (counts.length === 0) return { isWell: true, message: "no account has tokens here, no webhook endpoint a secret" }
  const isCurrent = counts.every(([id]) => id === first)
  const rest = isCurrent ? "" : `; \`loopbox secrets reseal\` seals all of them by "${first}"`
  return {
    isWell: true,
    message: `what is sealed for accounts and webhook endpoints is sealed by keys of ours: ${inWords(counts)}${rest}`
  }
}

/** Whether the host still has every key that has sealed something, while a host may run; in a sentence. */
export const compareSealingKeys = (config: HostConfig) =>
  Effect.gen(function* () {
    const keys = yield* readSecretKeys(config)
    if (Option.isNone(keys)) return { isWell: false, message: noKeys(config) }
    return judgeSealed(yield* PgCredentialVault.countSealed, Redacted.value(keys.value))
  }).pipe(Effect.provide(layerShared(config, { patience: "1 minute" })), explainFailure)

/**
 * Seals the tokens of all accounts and the secrets of all webhook endpoints by the first key, while hosts run.
 *
 * A host that does not have that key could open none of them any more, so one must have been started with it in front.
 */
export const resealCredentials = Effect.fnUntraced(function* (config: HostConfig) {
  const keys = yield* readSecretKeys(config)
  if (Option.isNone(keys)) return yield* new CommandFailed({ message: noKeys(config) })
  const { id } = Arr.headNonEmpty(Redacted.value(keys.value))
  return yield* Effect.gen(function* () {
    const startedWith = yield* examineInstallation(config, keys.value)
    if (!Option.contains(startedWith, id)) {
      return yield* new CommandFailed({
        message:
          `No host has been started with "${id}" as its first secret key yet, and one without it could open no tokens ` +
          "any more. Put the key in front everywhere, start every host again, and then seal anew."
      })
    }
    const report = yield* reseal(id)
    return { ...report, keyId: id, sealed: yield* PgCredentialVault.countSealed }
  }).pipe(
    Effect.provide(
      Layer.mergeAll(layerShared(config, { patience: "1 minute" }), PgCredentialVault.layer(keys.value)).pipe(
        Layer.provideMerge(SecureRandom.layerWebCrypto)
      )
    ),
    explainFailure
  )
})
