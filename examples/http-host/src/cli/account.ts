import { networks } from "@loopbox/adapters-social/names"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { CommandFailed } from "../CommandFailed.ts"
import { jsonFlag, print, printFields, printJson, printRows } from "./output.ts"
import { workspaceArgument } from "./workspace.ts"

const adminClient = Effect.promise(() => import("./adminClient.ts"))

const accountArgument = Argument.String("account").pipe(Argument.withDescription("The account's id: acc_…"))

/** `{ [name]: value }`, or nothing. */
const member = <A>(name: string, value: Option.Option<A>): Readonly<Record<string, A>> =>
  Option.match(value, { onNone: () => ({}), onSome: (one) => ({ [name]: one }) })

/** A command line is seen by every user of the machine, so a token may also come out of a file. */
const tokenFlag = (name: string, what: string) =>
  Flag.String(name).pipe(
    Flag.optional,
    Flag.withDescription(`${what}; others of this machine can see it in the list of processes`)
  )

const fileFlag = (name: string, what: string) =>
  Flag.String(name).pipe(Flag.optional, Flag.withDescription(`${what}; /dev/stdin reads it from a pipe`))

const tokenFlags = {
  accessToken: tokenFlag("access-token", "The network's token"),
  accessTokenFile: fileFlag("access-token-file", "A file that holds the network's token"),
  refreshToken: tokenFlag("refresh-token", "The token that renews it (X)"),
  refreshTokenFile: fileFlag("refresh-token-file", "A file that holds the token that renews it"),
  tokenExpiresAt: Flag.String("token-expires-at").pipe(
    Flag.optional,
    Flag.withDescription(
      "When the network's token expires, as 2027-01-31T12:00:00Z; it is renewed before (without it after a day)"
    )
  ),
  scopes: Flag.String("scope").pipe(
    Flag.between(0, 100),
    Flag.withDescription("A permission that the token has, as the network names it; once for each")
  )
}

/** What one of two flags says: the value itself, or a file that holds it. */
const readToken = Effect.fnUntraced(function* (value: Option.Option<string>, file: Option.Option<string>) {
  if (Option.isNone(file)) return value
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs
    .readFileString(file.value)
    .pipe(Effect.mapError((error) => new CommandFailed({ message: `${file.value} cannot be read: ${error.message}` })))
  return Option.some(text.trim())
})

const connect = Command.make(
  "connect",
  {
    workspace: workspaceArgument,
    network: Flag.Literals("network", networks).pipe(Flag.withDescription("Its network")),
    networkAccountId: Flag.String("network-account-id").pipe(
      Flag.withDescription("The id that webhooks use: Instagram user_id, Page id, Threads user id, X user id")
    ),
    name: Flag.String("name").pipe(Flag.withDescription("What it is called")),
    username: Flag.String("username").pipe(
      Flag.optional,
      Flag.withDescription("The handle without @; Threads and X need it")
    ),
    avatarUrl: Flag.String("avatar-url").pipe(Flag.optional, Flag.withDescription("Its picture")),
    externalUserId: Flag.String("external-user-id").pipe(
      Flag.optional,
      Flag.withDescription("The managed user that owns it, who exists from then on")
    ),
    ...tokenFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ json, name, network, networkAccountId, workspace, ...flags }) {
    const token = yield* readToken(flags.accessToken, flags.accessTokenFile)
    const refreshToken = yield* readToken(flags.refreshToken, flags.refreshTokenFile)
    if (Option.isNone(token)) {
      const message = "An account needs its token: --access-token-file or --access-token."
      return yield* new CommandFailed({ message, isMisuse: true })
    }
    const { callAdmin, segment } = yield* adminClient
    const account = yield* callAdmin({
      method: "POST",
      path: `/workspaces/${segment(workspace)}/social-accounts`,
      body: {
        network,
        network_account_id: networkAccountId,
        name,
        access_token: token.value,
        ...member("refresh_token", refreshToken),
        ...member("token_expires_at", flags.tokenExpiresAt),
        ...(flags.scopes.length > 0 ? { scopes: flags.scopes } : {}),
        ...member("username", flags.username),
        ...member("avatar_url", flags.avatarUrl),
        ...member("external_user_id", flags.externalUserId)
      }
    })
    yield* json ? printJson(account) : printFields(account)
  })
).pipe(Command.withDescription("Connect an account, or revive one that was disconnected within 7 days"))

const list = Command.make(
  "list",
  { workspace: workspaceArgument, json: jsonFlag },
  Effect.fnUntraced(function* ({ json, workspace }) {
    const { listAdmin, segment } = yield* adminClient
    const accounts = yield* listAdmin(`/workspaces/${segment(workspace)}/social-accounts`)
    const columns = ["id", "network", "network_account_id", "name", "external_user_id", "status"]
    yield* json ? printJson(accounts) : printRows(columns, accounts)
  })
).pipe(Command.withDescription("List the accounts of a workspace, newest first"))

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
  Command.withDescription("Connect, list, move and disconnect social accounts"),
  Command.withSubcommands([connect, list, move, disconnect])
)
