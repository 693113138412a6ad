import { networks } from "@loopbox/adapters-social/names"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { jsonFlag, print, printFields, printJson, printRows } from "./output.ts"
import { given, sandboxClient, textFlag } from "./sandboxInputs.ts"

const which = {
  network: Flag.Literals("network", networks).pipe(Flag.withDescription("Which network")),
  account: textFlag("account", "Which account, by its id at the network; the first one if left out"),
  json: jsonFlag
}

type Named = { readonly network: string; readonly account: Option.Option<string> }

const named = ({ account, network }: Named) => ({ network, ...given({ account_id: account }) })

const show = Command.make(
  "show",
  which,
  Effect.fnUntraced(function* ({ json, ...flags }) {
    const { AccountState, callSandbox } = yield* sandboxClient
    const query = new URLSearchParams({
      network: flags.network,
      ...Option.match(flags.account, { onNone: () => ({}), onSome: (account_id) => ({ account_id }) })
    })
    const state = yield* callSandbox(AccountState, `/sandbox/account?${query}`)
    if (json) return yield* printJson(state)
    const { events, fields, tokens, ...plain } = state
    yield* printFields({ ...plain, fields: fields.join(","), events: events.join(",") })
    yield* printRows(
      ["state", "issued_at", "expires_at", "permissions"],
      tokens.map((token) => ({ ...token, permissions: token.permissions.join(",") }))
    )
  })
).pipe(Command.withDescription("Show what the network knows of an account: tokens, permissions, role, webhooks"))

const change = Effect.fnUntraced(function* (
  path: string,
  body: Record<string, Schema.Json>,
  json: boolean,
  said: (changed: number) => string
) {
  const { callSandbox, Changed } = yield* sandboxClient
  const answer = yield* callSandbox(Changed, `/sandbox/account/${path}`, body)
  yield* json ? printJson(answer) : print(said(answer.changed))
})

const die = Command.make(
  "die",
  {
    ...which,
    reason: Flag.Literals("reason", ["password", "removed", "expired"]).pipe(
      Flag.withDefault("removed"),
      Flag.withDescription("Why: the password was changed, the app removed, the session is over (removed)")
    )
  },
  ({ json, reason, ...flags }) =>
    change("die", { ...named(flags), reason }, json, (changed) => `${changed} tokens are dead.`)
).pipe(Command.withDescription("Let all tokens of an account die; on Facebook those of the person's other Pages too"))

const withdraw = Command.make(
  "withdraw",
  {
    permissions: Argument.String("permissions").pipe(
      Argument.withDescription("Permissions by the network's names, separated by commas")
    ),
    ...which
  },
  ({ json, permissions, ...flags }) =>
    change(
      "withdraw",
      { ...named(flags), permissions: permissions.split(",") },
      json,
      (changed) => `${changed} tokens lack ${permissions}.`
    )
).pipe(Command.withDescription("Take permissions from the tokens of an account"))

const role = (name: string, hasRole: boolean, description: string) =>
  Command.make(name, which, ({ json, ...flags }) =>
    change("role", { ...named(flags), has_role: hasRole }, json, (changed) =>
      changed === 0 ? "It was so before." : `The person ${hasRole ? "has the role again" : "has no role any more"}.`
    )
  ).pipe(Command.withDescription(description))

const callback = (name: string, kind: "deauthorize" | "data_deletion", description: string) =>
  Command.make(
    name,
    { ...which, person: textFlag("person", "Whom the request names, in place of the person's id for the app") },
    Effect.fnUntraced(function* ({ json, person, ...flags }) {
      const { callSandbox, CallbackOutcome } = yield* sandboxClient
      const body = { ...named(flags), kind, ...given({ person_id: person }) }
      const outcome = yield* callSandbox(CallbackOutcome, "/sandbox/account/callback", body)
      if (json) return yield* printJson(outcome)
      const { problems, ...plain } = outcome
      yield* printFields(plain)
      yield* print(problems.length === 0 ? "Meta would be content." : problems.join("\n"))
    })
  ).pipe(Command.withDescription(description))

export const accountCommand = Command.make("account").pipe(
  Command.withDescription("Let something happen to an account at its network"),
  Command.withSubcommands([
    show,
    die,
    withdraw,
    role("lose-role", false, "The person loses the role on a Page; its token stays valid, and does nothing"),
    role("regain-role", true, "The person gets the role on a Page back"),
    callback("deauthorize", "deauthorize", "The person removes the app, and Meta calls this host"),
    callback("delete-data", "data_deletion", "The person wants their data deleted, and Meta calls this host")
  ])
)
