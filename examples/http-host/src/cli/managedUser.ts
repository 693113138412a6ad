import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { CommandFailed } from "../CommandFailed.ts"
import { jsonFlag, print, printFields, printJson, printRows } from "./output.ts"
import { workspaceArgument } from "./workspace.ts"

const adminClient = Effect.promise(() => import("./adminClient.ts"))

const userArgument = Argument.String("user").pipe(
  Argument.withDescription("The user's id in your app, exactly as you use it")
)

const add = Command.make(
  "add",
  {
    workspace: workspaceArgument,
    user: userArgument,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ json, user, workspace }) {
    const { callAdmin, segment } = yield* adminClient
    const path = `/workspaces/${segment(workspace)}/managed-users/${segment(user)}`
    const added = yield* callAdmin({ method: "PUT", path, body: {} })
    yield* json ? printJson(added) : printFields(added)
  })
).pipe(Command.withDescription("Make a user of your app exist; one that is known stays as it is"))

const list = Command.make(
  "list",
  { workspace: workspaceArgument, json: jsonFlag },
  Effect.fnUntraced(function* ({ json, workspace }) {
    const { listAdmin, segment } = yield* adminClient
    const users = yield* listAdmin(`/workspaces/${segment(workspace)}/managed-users`)
    yield* json ? printJson(users) : printRows(["external_user_id", "created_at"], users)
  })
).pipe(Command.withDescription("List the managed users of a workspace, newest first"))

const erase = Command.make(
  "erase",
  {
    workspace: workspaceArgument,
    user: userArgument,
    yes: Flag.Boolean("yes").pipe(Flag.withDefault(false), Flag.withDescription("Really erase it")),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ json, user, workspace, yes }) {
    if (!yes) {
      return yield* new CommandFailed({
        message: `This erases ${user} with its accounts and all their items, for good. Say it again with --yes.`
      })
    }
    const { callAdmin, segment } = yield* adminClient
    yield* callAdmin({ method: "DELETE", path: `/workspaces/${segment(workspace)}/managed-users/${segment(user)}` })
    yield* json ? printJson({ external_user_id: user, erased: true }) : print(`${user} is erased.`)
  })
).pipe(Command.withDescription("Erase a managed user with its accounts and all their data"))

export const managedUserCommand = Command.make("managed-user").pipe(
  Command.withDescription("Add, list and erase the users of your app, who own accounts"),
  Command.withSubcommands([add, list, erase])
)
