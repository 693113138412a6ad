import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { CommandFailed } from "../CommandFailed.ts"
import { loadHostConfig } from "../hostConfig.ts"
import { jsonFlag, print, printJson } from "./output.ts"

const reseal = Command.make(
  "reseal",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const config = yield* loadHostConfig()
    const { resealCredentials } = yield* Effect.promise(() => import("../credentials.ts"))
    const { keyId, left, resealed, sealed, unopened } = yield* resealCredentials(config)
    const counts = Array.from(sealed, ([id, accounts]) => ({ key_id: id, accounts }))
    const lost = unopened.map(({ accountId, reason, workspaceId }) => ({
      workspace_id: workspaceId,
      ...(accountId.startsWith("whe_") ? { endpoint_id: accountId } : { social_account_id: accountId }),
      reason
    }))
    yield* json
      ? printJson({ key_id: keyId, resealed, left, unopened: lost, sealed: counts })
      : print(
          [
            `${resealed} tokens of accounts and secrets of webhook endpoints were sealed anew by "${keyId}".`,
            ...counts.map(({ accounts, key_id }) => `${accounts} are sealed by "${key_id}".`),
            ...unopened.map((one) => `${one.accountId} (${one.workspaceId}) can't be opened: ${one.reason}.`)
          ].join("\n")
        )
    if (left > 0) {
      return yield* new CommandFailed({ message: `${left} of them were in use all the time. Run it again.` })
    }
    if (lost.length > 0) {
      return yield* new CommandFailed({
        message:
          `${lost.length} tokens or secrets can't be opened. Put their keys back, connect the accounts again, or rotate ` +
          "the endpoints' secrets."
      })
    }
  })
).pipe(
  Command.withDescription(
    "Seal the tokens of accounts and the secrets of webhook endpoints by the first of LOOPBOX_SECRET_KEYS; hosts may run"
  )
)

export const secretsCommand = Command.make("secrets").pipe(
  Command.withDescription("Rotate the keys that seal the tokens of accounts"),
  Command.withSubcommands([reseal])
)
