import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { jsonFlag, printFields, printJson, printRows } from "./output.ts"
import { workspaceArgument } from "./workspace.ts"

const adminClient = Effect.promise(() => import("./adminClient.ts"))

const add = Command.make(
  "add",
  {
    workspace: workspaceArgument,
    user: Argument.String("user").pipe(Argument.withDescription("The user's id in your app, exactly as you use it")),
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

export const managedUserCommand = Command.make("managed-user").pipe(
  Command.withDescription("Add and list the users of your app, who own accounts"),
  Command.withSubcommands([add, list])
)
