import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { CommandFailed } from "../CommandFailed.ts"
import { checkCommand, listCommand } from "./accountLook.ts"
import { connectCommand } from "./accountConnect.ts"
import { jsonFlag, print, printFields, printJson } from "./output.ts"
import { workspaceArgument } from "./workspace.ts"

const adminClient = Effect.promise(() => import("./adminClient.ts"))

const accountArgument = Argument.String("account").pipe(Argument.withDescription("The account's id: acc_…"))

const move = Command.make(
  "move",
  {
    workspace: workspaceArgument,
    account: accountArgument,
    to: Flag.String("to").pipe(Flag.optional, Flag.withDescription("The managed user that owns it from now on")),
    toNobody: Flag.Boolean("to-nobody").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Leave it to the workspace alone")
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, json, to, toNobody, workspace }) {
    if (Option.isSome(to) === toNobody) {
      return yield* new CommandFailed({ message: "Say either --to USER or --to-nobody.", isMisuse: true })
    }
    const { callAdmin, segment } = yield* adminClient
    const moved = yield* callAdmin({
      method: "PATCH",
      path: `/workspaces/${segment(workspace)}/social-accounts/${segment(account)}`,
      body: { external_user_id: Option.getOrNull(to) }
    })
    yield* json ? printJson(moved) : printFields(moved)
  })
).pipe(Command.withDescription("Give an account, and with it its items, to another managed user"))

const disconnect = Command.make(
  "disconnect",
  { workspace: workspaceArgument, account: accountArgument, json: jsonFlag },
  Effect.fnUntraced(function* ({ account, json, workspace }) {
    const { callAdmin, segment } = yield* adminClient
    const path = `/workspaces/${segment(workspace)}/social-accounts/${segment(account)}`
    yield* callAdmin({ method: "DELETE", path })
    yield* json
      ? printJson({ id: account, disconnected: true })
      : print(`${account} is disconnected. Connect it again within 7 days, and its items are back.`)
  })
).pipe(Command.withDescription("Disconnect an account and hide its items; after 7 days they are erased"))

export const accountCommand = Command.make("account").pipe(
  Command.withDescription("Connect, list, check, move and disconnect social accounts"),
  Command.withSubcommands([connectCommand, listCommand, checkCommand, move, disconnect])
)
