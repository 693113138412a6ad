import { PgCredentialVault } from "@loopbox/adapters-postgres"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { layerShared } from "./database.ts"
import type { HostConfig } from "./hostConfig.ts"
import { hostSecrets } from "./hostSecrets.ts"
import { explainFailure } from "./startFailure.ts"

/** Whether the host still has every key that has sealed an account's tokens, while a host may run; in a sentence. */
export const compareSealingKeys = (config: HostConfig) =>
  Effect.gen(function* () {
    const { keys } = yield* hostSecrets(config)
    const known = new Set(Redacted.value(keys).map(({ id }) => id))
    const missing = Array.from(yield* PgCredentialVault.countSealed).filter(([id]) => !known.has(id))
    if (missing.length === 0) return { isWell: true, message: "every account's tokens can be opened by a key of ours" }
    const lost = missing.map(([id, accounts]) => `${accounts} by "${id}"`).join(", ")
    const message =
      `tokens of accounts were sealed by keys that LOOPBOX_SECRET_KEYS (or the data folder's secret-keys) no longer has: ` +
      `${lost}. Put them back behind the others, or connect the accounts again.`
    return { isWell: false, message }
  }).pipe(Effect.provide(layerShared(config, { patience: "1 minute" })), explainFailure)
