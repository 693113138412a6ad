import { roles } from "@loopbox/core/workspaces/Role"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { jsonFlag, print, printFields, printJson } from "./output.ts"
import { workspaceArgument } from "./workspace.ts"

const adminClient = Effect.promise(() => import("./adminClient.ts"))

const userArgument = Argument.String("user").pipe(Argument.withDescription("The user's id at your identity provider"))

const set = Command.make(
  "set",
  {
    workspace: workspaceArgument,
    user: userArgument,
    role: Flag.Literals("role", roles).pipe(Flag.withDescription("What the user may do")),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ json, role, user, workspace }) {
    const { callAdmin, segment } = yield* adminClient
    const path = `/workspaces/${segment(workspace)}/members/${segment(user)}`
    const member = yield* callAdmin({ method: "PUT", path, body: { role } })
    yield* json ? printJson(member) : printFields(member)
  })
).pipe(Command.withDescription("Add a member to a workspace, or change the role of one"))

const remove = Command.make(
  "remove",
  { workspace: workspaceArgument, user: userArgument, json: jsonFlag },
  Effect.fnUntraced(function* ({ json, user, workspace }) {
    const { callAdmin, segment } = yield* adminClient
    yield* callAdmin({ method: "DELETE", path: `/workspaces/${segment(workspace)}/members/${segment(user)}` })
    yield* json ? printJson({ user_id: user, removed: true }) : print(`${user} is no member of ${workspace} any more.`)
  })
).pipe(Command.withDescription("Take a member out of a workspace; the keys that this user made stop working"))

export const memberCommand = Command.make("member").pipe(
  Command.withDescription("Add and remove the members of a workspace"),
  Command.withSubcommands([set, remove])
)
