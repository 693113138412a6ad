import { networks } from "@loopbox/adapters-social/names"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { jsonFlag, print, printJson, printRows } from "./output.ts"
import { choiceArgument, countFlag, given, sandboxClient, textFlag } from "./sandboxInputs.ts"

const networkFlag = Flag.Literals("network", networks).pipe(Flag.withDescription("Which network"))

const listed = (name: string, list: Option.Option<string>) =>
  Option.match(list, { onNone: () => ({}), onSome: (text) => ({ [name]: text.split(",") }) })

export const consentCommand = Command.make(
  "consent",
  {
    decision: choiceArgument(
      "decision",
      ["approve", "deny", "hang", "ask"],
      "What dialogs do from now on, without asking; ask: people choose again"
    ),
    network: networkFlag,
    person: textFlag("person", "Who signs in, by id as in `loopbox sandbox people`; the first one if left out"),
    accounts: textFlag("accounts", "Only these accounts or Pages, by id, separated by commas"),
    withoutAccounts: textFlag("without-accounts", "Accounts or Pages that are unticked, separated by commas"),
    without: textFlag("without", "Permissions that are unticked, separated by commas"),
    times: countFlag("times", [1, 100_000], "How many dialogs; until it is changed if left out"),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ accounts, decision, json, network, person, times, without, withoutAccounts }) {
    const { callSandbox, Preset } = yield* sandboxClient
    const presets = yield* callSandbox(Schema.Array(Preset), "/sandbox/consent", {
      network,
      decision,
      ...given({ person, times }),
      ...listed("accounts", accounts),
      ...listed("without_accounts", withoutAccounts),
      ...listed("without_permissions", without)
    })
    yield* json
      ? printJson(presets)
      : print(decision === "ask" ? `People choose on ${network} again.` : `Dialogs of ${network}: ${decision}.`)
  })
).pipe(Command.withDescription("Decide the dialogs by which accounts are connected, for tests without a browser"))

export const peopleCommand = Command.make(
  "people",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const { callSandbox, Owner } = yield* sandboxClient
    const owners = yield* callSandbox(Schema.Array(Owner), "/sandbox/people")
    if (json) return yield* printJson(owners)
    const rows = owners.map(({ accounts, ...owner }) => ({
      ...owner,
      accounts: accounts.map((one) => `${one.name} (${one.network_account_id})`).join(", ")
    }))
    yield* printRows(["network", "id", "name", "accounts"], rows)
  })
).pipe(Command.withDescription("List who may sign in at the networks, with which accounts"))

const printApps = Effect.fnUntraced(function* (
  apps: ReadonlyArray<Readonly<Record<string, Schema.Json>>>,
  json: boolean
) {
  yield* json ? printJson(apps) : printRows(["network", "client_id", "redirect_uri", "is_in_development"], apps)
})

const list = Command.make(
  "list",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const { App, callSandbox } = yield* sandboxClient
    yield* printApps(yield* callSandbox(Schema.Array(App), "/sandbox/apps"), json)
  })
).pipe(Command.withDescription("List our apps at the networks"))

const set = Command.make(
  "set",
  {
    network: networkFlag,
    redirectUri: textFlag("redirect-uri", "The only address that people are sent back to"),
    development: Flag.Literals("development", ["on", "off"]).pipe(
      Flag.optional,
      Flag.withDescription("Whether it is in development: dialogs answer as if denied, and webhooks stop")
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ development, json, network, redirectUri }) {
    const { App, callSandbox } = yield* sandboxClient
    const apps = yield* callSandbox(Schema.Array(App), "/sandbox/apps", {
      network,
      ...given({ redirect_uri: redirectUri }),
      ...(Option.isSome(development) ? { is_in_development: development.value === "on" } : {})
    })
    yield* printApps(apps, json)
  })
).pipe(Command.withDescription("Change an app, as in the network's dashboard"))

export const appCommand = Command.make("app").pipe(
  Command.withDescription("Our apps at the networks"),
  Command.withSubcommands([list, set])
)
