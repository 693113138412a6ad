import { apiFaultKinds } from "@loopbox/adapters-social/sandbox/faults/ApiFaults"
import { networks } from "@loopbox/adapters-social/names"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { jsonFlag, print, printFields, printJson, printRows } from "./output.ts"
import { choiceArgument, countFlag, given, sandboxClient, textFlag } from "./sandboxInputs.ts"

const networkFlag = Flag.Literals("network", networks).pipe(Flag.withDescription("Which network"))
const anyNetworkFlag = Flag.Literals("network", networks).pipe(
  Flag.optional,
  Flag.withDescription("Which network; all if left out")
)

interface Extent {
  readonly times: Option.Option<number>
  readonly percent: Option.Option<number>
}

/** How often a fault happens: "once", "to 30 of 100 requests, from now on". */
export const describeExtent = ({ percent, times }: Extent): string => {
  const often = Option.map(percent, (share) => `to ${share} of 100 requests`)
  const until = Option.map(times, (count) => (count === 1 ? "once" : `${count} times`))
  return [...Option.toArray(often), Option.getOrElse(until, () => "from now on")].join(", ")
}

const set = Command.make(
  "set",
  {
    kind: choiceArgument("kind", apiFaultKinds, "What goes wrong; with _after the network has done what it was asked"),
    network: networkFlag,
    endpoint: textFlag("endpoint", "Which of its endpoints, as in `loopbox sandbox endpoints`; all if left out"),
    account: textFlag("account", "Only in the name of this account, by its id at the network"),
    times: countFlag("times", [1, 100_000], "How many requests; until it is cleared if left out"),
    percent: countFlag("percent", [1, 100], "How many of a hundred requests; all if left out"),
    retryAfter: countFlag("retry-after", [0, 86_400], "What a rate limit tells to wait, in seconds (30); 0: nothing"),
    code: countFlag("code", [1, 10_000_000], "Of refused: Meta's code (100)"),
    subcode: countFlag("subcode", [1, 10_000_000], "Of refused and fails_later: Meta's subcode"),
    status: countFlag("status", [400, 599], "Of refused: the status (400, of X 403)"),
    message: textFlag("message", "Of refused and fails_later: the network's words"),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, endpoint, json, kind, network, percent, retryAfter, times, ...said }) {
    const { ApiFault, callSandbox } = yield* sandboxClient
    const options = { endpoint, account_id: account, times, percent, retry_after_s: retryAfter, ...said }
    const fault = yield* callSandbox(ApiFault, "/sandbox/faults", { network, kind, ...given(options) })
    yield* json ? printJson(fault) : print(`${network} answers with ${kind} ${describeExtent({ percent, times })}.`)
  })
).pipe(Command.withDescription("Let requests of connectors go wrong"))

const list = Command.make(
  "list",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const { ApiFault, callSandbox } = yield* sandboxClient
    const faults = yield* callSandbox(Schema.Array(ApiFault), "/sandbox/faults")
    const columns = ["network", "endpoint", "account_id", "kind", "times", "percent"]
    yield* json ? printJson(faults) : printRows(columns, faults)
  })
).pipe(Command.withDescription("List the faults that are not used up"))

const clear = Command.make(
  "clear",
  { network: anyNetworkFlag, endpoint: textFlag("endpoint", "Which endpoint; all if left out"), json: jsonFlag },
  Effect.fnUntraced(function* ({ endpoint, json, network }) {
    const { callSandbox, Cleared } = yield* sandboxClient
    const answer = yield* callSandbox(Cleared, "/sandbox/faults/clear", given({ network, endpoint }))
    yield* json ? printJson(answer) : print(`${answer.cleared} faults are cleared.`)
  })
).pipe(Command.withDescription("Let all go right again"))

export const faultCommand = Command.make("fault").pipe(
  Command.withDescription("Let the networks' APIs fail"),
  Command.withSubcommands([set, list, clear])
)

export const endpointsCommand = Command.make(
  "endpoints",
  { json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const { callSandbox, Endpoint } = yield* sandboxClient
    const endpoints = yield* callSandbox(Schema.Array(Endpoint), "/sandbox/endpoints")
    yield* json ? printJson(endpoints) : printRows(["network", "endpoint"], endpoints)
  })
).pipe(Command.withDescription("List the networks' endpoints by the names that faults use"))

export const sentCommand = Command.make(
  "sent",
  {
    network: anyNetworkFlag,
    account: textFlag("account", "Only of this account, by its id at the network"),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, json, network }) {
    const { callSandbox, Sent } = yield* sandboxClient
    const all = yield* callSandbox(Schema.Array(Sent), "/sandbox/sent")
    const sent = all.filter(
      (one) =>
        Option.getOrElse(network, () => one.network) === one.network &&
        Option.getOrElse(account, () => one.network_account_id) === one.network_account_id
    )
    if (json) return yield* printJson(sent)
    const rows = sent.map(({ in_reply_to, ...one }) => ({ ...one, to: in_reply_to?.to, target: in_reply_to?.id }))
    yield* printRows(["network", "network_account_id", "kind", "id", "to", "target", "text"], rows)
  })
).pipe(Command.withDescription("List what Loopbox has posted over the networks' APIs"))

export const tokenCommand = Command.make(
  "token",
  {
    state: choiceArgument("state", ["valid", "expired", "revoked"], "What the tokens are from now on"),
    network: networkFlag,
    account: textFlag("account", "Of which account, by its id at the network; all if left out"),
    expiresIn: countFlag("expires-in", [1, 10_000_000], "In how many seconds valid ones end; never if left out"),
    without: textFlag("without", "Permissions that they lack, separated by commas"),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, expiresIn, json, network, state, without }) {
    const { callSandbox, Changed } = yield* sandboxClient
    const scopes = Option.match(without, {
      onNone: () => ({}),
      onSome: (list) => ({ without_scopes: list.split(",") })
    })
    const body = { network, state, ...given({ account_id: account, expires_in_s: expiresIn }), ...scopes }
    const answer = yield* callSandbox(Changed, "/sandbox/tokens", body)
    yield* json ? printJson(answer) : print(`${answer.changed} tokens are ${state}.`)
  })
).pipe(Command.withDescription("Let accounts' tokens expire, or be revoked; those that they get later are sound"))

const subscribing = (what: "subscribe" | "unsubscribe", description: string) =>
  Command.make(
    what,
    {
      network: anyNetworkFlag,
      account: textFlag("account", "Which account, by its id at the network; all if left out"),
      json: jsonFlag
    },
    Effect.fnUntraced(function* ({ account, json, network }) {
      const { callSandbox, Changed } = yield* sandboxClient
      const answer = yield* callSandbox(Changed, `/sandbox/${what}`, given({ network, account_id: account }))
      const said =
        answer.changed === 0
          ? `Nothing changed: the accounts were ${what}d before, or there are none.`
          : `${answer.changed} accounts are ${what}d.`
      yield* json ? printJson(answer) : print(said)
    })
  ).pipe(Command.withDescription(description))

export const subscribeCommand = subscribing(
  "subscribe",
  "Let webhooks of accounts come, as one does in the networks' dashboards; until the host stops"
)
export const unsubscribeCommand = subscribing(
  "unsubscribe",
  "Let no webhooks of accounts come; polls tell all the same"
)

export const settingsCommand = Command.make(
  "settings",
  {
    lag: countFlag("lag", [0, 60_000], "How many milliseconds reads don't show what is written"),
    containerDelay: countFlag(
      "container-delay",
      [0, 3_600_000],
      "How many milliseconds a Threads container is in progress"
    ),
    metaCalls: countFlag("meta-calls", [1, 1_000_000_000], "How many calls Meta's networks allow an account in a day"),
    metaAppCalls: countFlag(
      "meta-app-calls",
      [1, 1_000_000_000],
      "How many calls Instagram and Facebook allow all accounts together in an hour"
    ),
    xVocabulary: Flag.Literals("x-vocabulary", ["both", "tweet", "post"]).pipe(
      Flag.optional,
      Flag.withDescription("In which of its names X may be asked (both)")
    ),
    emptyLists: Flag.Literals("empty-lists", ["on", "off"]).pipe(
      Flag.optional,
      Flag.withDescription(
        "Whether Meta's lists are empty although it counts what is in them, as without advanced access"
      )
    ),
    codeAnswer: Flag.Literals("code-answer", ["flat", "data"]).pipe(
      Flag.optional,
      Flag.withDescription("In which of its two forms Instagram answers to a code (flat)")
    ),
    userIds: Flag.Literals("user-ids", ["number", "string"]).pipe(
      Flag.optional,
      Flag.withDescription("How Instagram and Threads write the user's id there (number)")
    ),
    permissions: Flag.Literals("permissions", ["list", "text"]).pipe(
      Flag.optional,
      Flag.withDescription("How Instagram writes permissions there (list)")
    ),
    ownWebhooks: Flag.Literals("own-webhooks", ["on", "off"]).pipe(
      Flag.optional,
      Flag.withDescription("Whether webhooks tell what came over the API (on)")
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* (flags) {
    const { containerDelay, emptyLists, json, lag, metaAppCalls, metaCalls, ownWebhooks, xVocabulary } = flags
    const { codeAnswer, permissions, userIds } = flags
    const { callSandbox, Settings } = yield* sandboxClient
    const switches = {
      ...(Option.isSome(emptyLists) ? { empty_lists: emptyLists.value === "on" } : {}),
      ...(Option.isSome(ownWebhooks) ? { own_webhooks: ownWebhooks.value === "on" ? {} : { times: 0 } } : {})
    }
    const change = given({
      lag_ms: lag,
      container_delay_ms: containerDelay,
      meta_calls: metaCalls,
      meta_app_calls: metaAppCalls,
      x_vocabulary: xVocabulary,
      code_answer: codeAnswer,
      user_ids: userIds,
      permissions
    })
    const settings = yield* callSandbox(Settings, "/sandbox/settings", { ...change, ...switches })
    yield* json ? printJson(settings) : printFields(settings)
  })
).pipe(Command.withDescription("Show how the networks behave, and change what is given"))
