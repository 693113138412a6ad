import { networks } from "@loopbox/adapters-social/names"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { CommandFailed } from "../CommandFailed.ts"
import { connectionFlags } from "./connection.ts"
import { readText } from "./namedFiles.ts"
import { jsonFlag, printFields, printJson } from "./output.ts"
import { textFlag } from "./sandboxInputs.ts"

const adminClient = Effect.promise(() => import("./adminClient.ts"))
const accountCalls = Effect.promise(() => import("./accountCalls.ts"))

/** A command line is seen by every user of the machine, so a token may also come out of a file. */
const tokenFlag = (name: string, what: string) =>
  Flag.String(name).pipe(
    Flag.optional,
    Flag.withDescription(`${what}; others of this machine can see it in the list of processes`)
  )

const fileFlag = (name: string, what: string) =>
  Flag.String(name).pipe(Flag.optional, Flag.withDescription(`${what}; /dev/stdin reads it from a pipe`))

/** By which somebody signs in at the network. */
const sessionFlags = {
  returnUrl: textFlag("return-url", "Where the person's browser goes at the end; without it a page of Loopbox"),
  features: textFlag("features", "What the account is for: inbox, publish, moderate, separated by commas (all)"),
  reconnect: textFlag("reconnect", "Connect this account again: acc_…"),
  noWait: Flag.Boolean("no-wait").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Print the address and end, without waiting for the person")
  ),
  ...connectionFlags
}

/** What an operator says of an account whose token is at hand; with WORKSPACE only. */
const tokenFlags = {
  networkAccountId: textFlag(
    "network-account-id",
    "With WORKSPACE: the id that webhooks use: Instagram user_id, Page id, Threads user id, X user id"
  ),
  name: textFlag("name", "With WORKSPACE: what it is called"),
  username: textFlag("username", "With WORKSPACE: the handle without @; Threads and X need it"),
  avatarUrl: textFlag("avatar-url", "With WORKSPACE: its picture"),
  accessToken: tokenFlag("access-token", "With WORKSPACE: the network's token"),
  accessTokenFile: fileFlag("access-token-file", "With WORKSPACE: a file that holds the network's token"),
  refreshToken: tokenFlag("refresh-token", "With WORKSPACE: the token that renews it (X)"),
  refreshTokenFile: fileFlag("refresh-token-file", "With WORKSPACE: a file that holds the token that renews it"),
  tokenExpiresAt: textFlag(
    "token-expires-at",
    "With WORKSPACE: when the network's token expires, as 2027-01-31T12:00:00Z; it is renewed before (without it after a day)"
  ),
  scopes: Flag.String("scope").pipe(
    Flag.between(0, 100),
    Flag.withDescription("With WORKSPACE: a permission that the token has, as the network names it; once for each")
  )
}

/** What one of two flags says: the value itself, or a file that holds it. */
const readToken = Effect.fnUntraced(function* (value: Option.Option<string>, file: Option.Option<string>) {
  if (Option.isNone(file)) return value
  return Option.some((yield* readText(file.value)).trim())
})

const misuse = (message: string) => new CommandFailed({ message, isMisuse: true })

type Texts = Readonly<Record<string, Option.Option<string>>>

/** `{ [name]: value }` of those that were given. */
const members = (texts: Texts): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => Option.toArray(text).map((one) => [name, one] as const))
  )

interface TokenFlags {
  readonly networkAccountId: Option.Option<string>
  readonly name: Option.Option<string>
  readonly username: Option.Option<string>
  readonly avatarUrl: Option.Option<string>
  readonly accessToken: Option.Option<string>
  readonly accessTokenFile: Option.Option<string>
  readonly refreshToken: Option.Option<string>
  readonly refreshTokenFile: Option.Option<string>
  readonly tokenExpiresAt: Option.Option<string>
  readonly scopes: ReadonlyArray<string>
}

/** Connects an account by a token that the operator has: the admin API. */
const connectByToken = Effect.fnUntraced(function* (
  workspace: string,
  network: string,
  externalUserId: Option.Option<string>,
  flags: TokenFlags
) {
  const token = yield* readToken(flags.accessToken, flags.accessTokenFile)
  const refreshToken = yield* readToken(flags.refreshToken, flags.refreshTokenFile)
  if (Option.isNone(flags.networkAccountId) || Option.isNone(flags.name)) {
    return yield* misuse("An account that is connected by its token needs --network-account-id and --name.")
  }
  if (Option.isNone(token)) {
    return yield* misuse("An account needs its token: --access-token-file or --access-token.")
  }
  const { callAdmin, segment } = yield* adminClient
  return yield* callAdmin({
    method: "POST",
    path: `/workspaces/${segment(workspace)}/social-accounts`,
    body: {
      network,
      ...(flags.scopes.length > 0 ? { scopes: flags.scopes } : {}),
      ...members({
        network_account_id: flags.networkAccountId,
        name: flags.name,
        access_token: token,
        refresh_token: refreshToken,
        token_expires_at: flags.tokenExpiresAt,
        username: flags.username,
        avatar_url: flags.avatarUrl,
        external_user_id: externalUserId
      })
    }
  })
})

/** Whether one of these flags was given. */
const isAnyGiven = (
  flags: Readonly<Record<string, Option.Option<string> | ReadonlyArray<string> | boolean>>
): boolean =>
  Object.values(flags).some((flag) =>
    typeof flag === "boolean" ? flag : Option.isOption(flag) ? Option.isSome(flag) : flag.length > 0
  )

export const connectCommand = Command.make(
  "connect",
  {
    workspace: Argument.String("workspace").pipe(
      Argument.optional,
      Argument.withDescription("The workspace's id, ws_…, where the account's token is at hand")
    ),
    network: Flag.Literals("network", networks).pipe(Flag.withDescription("Its network")),
    externalUserId: textFlag("external-user-id", "The managed user that owns it, who exists from then on"),
    ...sessionFlags,
    ...tokenFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({
    apiKeyFile,
    externalUserId,
    features,
    json,
    network,
    noWait,
    reconnect,
    returnUrl,
    url,
    workspace,
    ...flags
  }) {
    if (Option.isNone(workspace)) {
      if (isAnyGiven(flags)) {
        return yield* misuse("To connect an account by a token, name the WORKSPACE; without one somebody signs in.")
      }
      const { connectBySession } = yield* accountCalls
      const request = { network, externalUserId, returnUrl, features, reconnect }
      return yield* connectBySession({ url, apiKeyFile }, request, { json, noWait })
    }
    if (isAnyGiven({ returnUrl, features, reconnect, noWait, url, apiKeyFile })) {
      return yield* misuse("With a WORKSPACE the account is connected by its token; leave WORKSPACE out to sign in.")
    }
    const account = yield* connectByToken(workspace.value, network, externalUserId, flags)
    yield* json ? printJson(account) : printFields(account)
  })
).pipe(
  Command.withDescription(
    "Print an address at which somebody connects an account, and wait; or, with WORKSPACE, connect or revive one by its token"
  )
)
