import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { jsonFlag, printFields, printJson } from "./output.ts"
import { workspaceArgument } from "./workspace.ts"

const adminClient = Effect.promise(() => import("./adminClient.ts"))

const create = Command.make(
  "create",
  {
    workspace: workspaceArgument,
    user: Argument.String("user").pipe(Argument.withDescription("Whose token it is; the role is that of the member")),
    externalUser: Flag.String("external-user").pipe(
      Flag.optional,
      Flag.withDescription("Bind it to this managed user: it opens their inbox and no other")
    ),
    ttl: Flag.Int("ttl").pipe(Flag.optional, Flag.withDescription("Seconds until it ends (3600)")),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ externalUser, json, ttl, user, workspace }) {
    const { callAdmin, segment } = yield* adminClient
    const issued = yield* callAdmin({
      method: "POST",
      path: `/workspaces/${segment(workspace)}/dashboard-tokens`,
      body: {
        user_id: user,
        ...Option.match(externalUser, { onNone: () => ({}), onSome: (external_user_id) => ({ external_user_id }) }),
        ...Option.match(ttl, { onNone: () => ({}), onSome: (ttl_seconds) => ({ ttl_seconds }) })
      }
    })
    yield* json ? printJson(issued) : printFields(issued)
  })
).pipe(Command.withDescription("Sign a dashboard token for development; only without an identity provider"))

export const tokenCommand = Command.make("token").pipe(
  Command.withDescription("Make dashboard tokens to develop with"),
  Command.withSubcommands([create])
)
