import { networks } from "@loopbox/adapters-social/names"
import { enclosures, surfaces } from "@loopbox/adapters-social/sandbox/Writing"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { jsonFlag, print, printJson, printRows } from "./output.ts"
import { accountCommand } from "./sandboxAccounts.ts"
import { countFlag, given, sandboxClient, textFlag } from "./sandboxInputs.ts"
import { appCommand, consentCommand, peopleCommand } from "./sandboxLogins.ts"
import {
  endpointsCommand,
  faultCommand,
  sentCommand,
  settingsCommand,
  subscribeCommand,
  tokenCommand,
  unsubscribeCommand
} from "./sandboxNetworks.ts"

/** What may go wrong with the delivery. */
const faultFlags = {
  times: countFlag("times", [0, 10], "Deliver it so often at once"),
  delay: countFlag("delay", [0, 129_600], "Deliver it so many seconds late"),
  signature: Flag.Literals("signature", ["wrong", "none", "sha1", "reserialised"]).pipe(
    Flag.optional,
    Flag.withDescription("Sign it wrongly")
  ),
  editOnly: Flag.Boolean("edit-only").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Of a message on Instagram: tell only its edit of number 0, as Instagram does at times")
  ),
  hold: Flag.Boolean("hold").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Keep it back until `loopbox sandbox release`")
  )
}

type Faults = {
  readonly times: Option.Option<number>
  readonly delay: Option.Option<number>
  readonly signature: Option.Option<string>
  readonly editOnly: boolean
  readonly hold: boolean
}

const faultsOf = ({ delay, editOnly, hold, signature, times }: Faults): Record<string, Schema.Json> => ({
  ...given({ times, signature, delay_ms: Option.map(delay, (seconds) => seconds * 1000) }),
  ...(editOnly ? { is_edit_only: true } : {}),
  ...(hold ? { is_held: true } : {})
})

const act = Effect.fnUntraced(function* (what: string, body: Record<string, Schema.Json>, json: boolean) {
  const { callSandbox, Done } = yield* sandboxClient
  const done = yield* callSandbox(Done, `/sandbox/${what}`, body)
  if (json) return yield* printJson(done)
  yield* print(done.is_told ? done.id : `${done.id} (the network tells nobody of it)`)
})

const networkFlag = (standard: (typeof networks)[number]) =>
  Flag.Literals("network", networks).pipe(Flag.withDefault(standard), Flag.withDescription(`Where (${standard})`))

const writing = (
  what: "comment" | "message" | "mention" | "quote",
  standard: { readonly network: (typeof networks)[number]; readonly text: string },
  description: string
) =>
  Command.make(
    what,
    {
      text: Argument.String("text").pipe(
        Argument.withDefault(standard.text),
        Argument.withDescription("What they say")
      ),
      network: networkFlag(standard.network),
      from: textFlag("from", "Who: a name is the same person always"),
      account: textFlag("account", "The account's id at the network; the first one if left out"),
      post: textFlag("post", "The post under which they write"),
      parent: textFlag("parent", "The comment that they answer"),
      attachment: Flag.Literals("attachment", enclosures).pipe(
        Flag.optional,
        Flag.withDescription("What hangs on it, where the network lets it")
      ),
      surface: Flag.Literals("surface", surfaces).pipe(
        Flag.optional,
        Flag.withDescription("Of a comment: on what it stands (post); ads and live videos are in no list")
      ),
      ...faultFlags,
      json: jsonFlag
    },
    ({ account, attachment, from, json, network, parent, post, surface, text, ...faults }) =>
      act(
        what,
        {
          network,
          text,
          ...given({ from, account_id: account, post_id: post, parent_id: parent, attachment, surface }),
          faults: faultsOf(faults)
        },
        json
      )
  ).pipe(Command.withDescription(description))

const post = Command.make(
  "post",
  {
    text: Argument.String("text").pipe(
      Argument.withDefault("New in the shop today"),
      Argument.withDescription("What it says")
    ),
    network: networkFlag("instagram"),
    account: textFlag("account", "The account's id at the network; the first one if left out"),
    json: jsonFlag
  },
  ({ account, json, network, text }) => act("post", { network, text, ...given({ account_id: account }) }, json)
).pipe(Command.withDescription("The account publishes a post, for people to comment on with --post"))

const thatNetworkFlag = Flag.Literals("network", networks).pipe(
  Flag.optional,
  Flag.withDescription("Where; whichever has the id if left out")
)
const idArgument = Argument.String("id").pipe(Argument.withDescription("The id that the command before has printed"))

const edit = Command.make(
  "edit",
  {
    id: idArgument,
    text: Argument.String("text").pipe(Argument.withDescription("What it says from now on")),
    network: thatNetworkFlag,
    ...faultFlags,
    json: jsonFlag
  },
  ({ id, json, network, text, ...faults }) =>
    act("edit", { ...given({ network }), id, text, faults: faultsOf(faults) }, json)
).pipe(Command.withDescription("Somebody edits what they wrote; Facebook and X tell of it"))

const remove = Command.make(
  "delete",
  { id: idArgument, network: thatNetworkFlag, ...faultFlags, json: jsonFlag },
  ({ id, json, network, ...faults }) => act("delete", { ...given({ network }), id, faults: faultsOf(faults) }, json)
).pipe(Command.withDescription("Somebody deletes what they wrote"))

const hide = Command.make(
  "hide",
  {
    id: idArgument,
    network: thatNetworkFlag,
    again: Flag.Boolean("show").pipe(Flag.withDefault(false), Flag.withDescription("Show it again")),
    ...faultFlags,
    json: jsonFlag
  },
  ({ again, id, json, network, ...faults }) =>
    act("hide", { ...given({ network }), id, is_hidden: !again, faults: faultsOf(faults) }, json)
).pipe(Command.withDescription("The account's people hide a comment; Facebook tells of it"))

const release = Command.make(
  "release",
  {
    reversed: Flag.Boolean("reversed").pipe(Flag.withDefault(false), Flag.withDescription("The newest first")),
    batched: Flag.Boolean("batched").pipe(Flag.withDefault(false), Flag.withDescription("Meta's in one delivery")),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ batched, json, reversed }) {
    const { callSandbox, Released } = yield* sandboxClient
    const order = reversed ? "reversed" : "as_written"
    const answer = yield* callSandbox(Released, "/sandbox/release", { order, is_batched: batched })
    yield* json ? printJson(answer) : print(`${answer.released} deliveries are on their way.`)
  })
).pipe(Command.withDescription("Deliver what was held"))

const accounts = Command.make(
  "accounts",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const { Accounts, callSandbox } = yield* sandboxClient
    const known = yield* callSandbox(Accounts, "/sandbox/accounts")
    yield* json
      ? printJson(known)
      : printRows(["network", "network_account_id", "name", "username", "is_subscribed"], known)
  })
).pipe(Command.withDescription("List the accounts that the simulated networks have"))

export const sandboxCommand = Command.make("sandbox").pipe(
  Command.withDescription("Act as the people of the simulated networks, and as the networks"),
  Command.withSubcommands([
    writing("comment", { network: "instagram", text: "Is this still available?" }, "Somebody comments on a post"),
    writing("message", { network: "instagram", text: "Hello! A quick question." }, "Somebody writes a message"),
    writing("mention", { network: "x", text: "Have you seen this?" }, "Somebody mentions an account"),
    writing("quote", { network: "x", text: "Look at this!" }, "Somebody quotes a post of an account, on X"),
    edit,
    remove,
    hide,
    post,
    release,
    accounts,
    peopleCommand,
    consentCommand,
    appCommand,
    accountCommand,
    subscribeCommand,
    unsubscribeCommand,
    sentCommand,
    faultCommand,
    endpointsCommand,
    tokenCommand,
    settingsCommand
  ])
)
