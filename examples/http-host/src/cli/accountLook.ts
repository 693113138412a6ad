import { networks } from "@loopbox/adapters-social/names"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { CommandFailed } from "../CommandFailed.ts"
import { connectionFlags } from "./connection.ts"
import { jsonFlag, printJson, printRows } from "./output.ts"
import { textFlag } from "./sandboxInputs.ts"

const adminClient = Effect.promise(() => import("./adminClient.ts"))
const accountCalls = Effect.promise(() => import("./accountCalls.ts"))

const scopeFlag = textFlag("external-user-id", "Only what this managed user owns; without it the whole workspace")

export const listCommand = Command.make(
  "list",
  {
    workspace: Argument.String("workspace").pipe(
      Argument.optional,
      Argument.withDescription("The workspace's id, ws_…, to ask as an operator; without it the key's workspace")
    ),
    network: Flag.Literals("network", networks).pipe(Flag.optional, Flag.withDescription("Only of this network")),
    status: Flag.Literals("status", ["connected", "reauth_required", "disconnected"]).pipe(
      Flag.optional,
      Flag.withDescription("Only with this status")
    ),
    externalUserId: scopeFlag,
    ...connectionFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ apiKeyFile, externalUserId, json, network, status, url, workspace }) {
    if (Option.isNone(workspace)) {
      const { listAccounts } = yield* accountCalls
      return yield* listAccounts({ url, apiKeyFile }, { network, status, externalUserId }, json)
    }
    if ([network, status, externalUserId, url, apiKeyFile].some(Option.isSome)) {
      const message = "With a WORKSPACE all its accounts are listed, by the admin API; leave WORKSPACE out to filter."
      return yield* new CommandFailed({ message, isMisuse: true })
    }
    const { listAdmin, segment } = yield* adminClient
    const accounts = yield* listAdmin(`/workspaces/${segment(workspace.value)}/social-accounts`)
    const columns = ["id", "network", "network_account_id", "name", "external_user_id", "status"]
    yield* json ? printJson(accounts) : printRows(columns, accounts)
  })
).pipe(
  Command.withDescription(
    "List the accounts with their health; with WORKSPACE as an operator, who sees the networks' ids"
  )
)

export const checkCommand = Command.make(
  "check",
  {
    account: Argument.String("account").pipe(Argument.withDescription("The account's id: acc_…")),
    externalUserId: scopeFlag,
    ...connectionFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, apiKeyFile, externalUserId, json, url }) {
    const { checkAccount } = yield* accountCalls
    yield* checkAccount({ url, apiKeyFile }, account, externalUserId, json)
  })
).pipe(
  Command.withDescription(
    "Ask the network now whether an account is well, and mend its webhooks; exit 1 if it is broken"
  )
)
