import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { jsonFlag, print, printFields, printJson, printRows } from "./output.ts"
import { workspaceArgument } from "./workspace.ts"

const adminClient = Effect.promise(() => import("./adminClient.ts"))

const create = Command.make(
  "create",
  {
    workspace: workspaceArgument,
    name: Flag.String("name").pipe(Flag.withDescription("What the key is for")),
    creator: Flag.String("creator").pipe(Flag.optional, Flag.withDescription("The member that it acts for")),
    expiresAt: Flag.String("expires-at").pipe(
      Flag.optional,
      Flag.withDescription("When it stops working: 2026-12-31T00:00:00Z")
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ creator, expiresAt, json, name, workspace }) {
    const { callAdmin, segment } = yield* adminClient
    const body = {
      name,
      ...Option.match(creator, { onNone: () => ({}), onSome: (creator_user_id) => ({ creator_user_id }) }),
      ...Option.match(expiresAt, { onNone: () => ({}), onSome: (expires_at) => ({ expires_at }) })
    }
    const issued = yield* callAdmin({ method: "POST", path: `/workspaces/${segment(workspace)}/api-keys`, body })
    if (json) return yield* printJson(issued)
    yield* printFields(issued)
    yield* print("The key is shown this once. Keep it where secrets are kept.")
  })
).pipe(Command.withDescription("Make an API key"))

const list = Command.make(
  "list",
  { workspace: workspaceArgument, json: jsonFlag },
  Effect.fnUntraced(function* ({ json, workspace }) {
    const { listAdmin, segment } = yield* adminClient
    const keys = yield* listAdmin(`/workspaces/${segment(workspace)}/api-keys`)
    const columns = ["id", "name", "creator_user_id", "created_at", "expires_at", "last_used_at"]
    yield* json ? printJson(keys) : printRows(columns, keys)
  })
).pipe(Command.withDescription("List the API keys of a workspace"))

const revoke = Command.make(
  "revoke",
  {
    workspace: workspaceArgument,
    key: Argument.String("key").pipe(Argument.withDescription("The key's id: key_…")),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ json, key, workspace }) {
    const { callAdmin, segment } = yield* adminClient
    yield* callAdmin({ method: "DELETE", path: `/workspaces/${segment(workspace)}/api-keys/${segment(key)}` })
    yield* json ? printJson({ id: key, revoked: true }) : print(`${key} does not work any more.`)
  })
).pipe(Command.withDescription("Revoke an API key"))

export const keyCommand = Command.make("key").pipe(
  Command.withDescription("Make, list and revoke API keys"),
  Command.withSubcommands([create, list, revoke])
)
