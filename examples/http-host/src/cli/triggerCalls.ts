import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { CommandFailed } from "../CommandFailed.ts"
import type { Connection } from "./connection.ts"
import { ask, hostOf, withQuery } from "./hostAnswers.ts"
import { type HostAccess, listAll, segment } from "./hostCalls.ts"
import { print, printJson } from "./output.ts"
import { sandboxClient } from "./sandboxInputs.ts"

const Account = Schema.Struct({
  id: Schema.String,
  network: Schema.String,
  name: Schema.String,
  username: Schema.NullOr(Schema.String),
  status: Schema.String
})
const decodeAccount = Schema.decodeUnknownOption(Account)

const Items = Schema.Array(Schema.Struct({ id: Schema.String, external_id: Schema.String }))

const candidates = (host: HostAccess, asked: Option.Option<string>) =>
  Option.match(asked, {
    onNone: () =>
      Effect.map(listAll(host, "/v1/accounts"), (known) =>
        known
          .flatMap((account) => Option.toArray(decodeAccount(account)))
          .filter(({ status }) => status === "connected")
      ),
    onSome: (id) =>
      Effect.map(ask(host, { method: "GET", path: `/v1/accounts/${segment(id)}` }, Account), ({ read }) => [read])
  })

/** The account, and its id on the simulated network. */
const accountOf = Effect.fnUntraced(function* (host: HostAccess, asked: Option.Option<string>) {
  const { Accounts, callSandbox } = yield* sandboxClient
  const simulated = yield* callSandbox(Accounts, "/sandbox/accounts")
  for (const account of yield* candidates(host, asked)) {
    const found = simulated.find(
      ({ name, network, username }) =>
        network === account.network &&
        (account.username === null ? name === account.name : username === account.username)
    )
    if (found !== undefined) return { account, networkAccountId: found.network_account_id }
  }
  return yield* new CommandFailed({
    message: Option.match(asked, {
      onNone: () => "No account of this workspace is one of the simulated networks.",
      onSome: (id) => `${id} is no account of the simulated networks.`
    })
  })
})

/** How often the item is looked for, and how long at most. */
const patience = Schedule.spaced("200 millis").pipe(Schedule.upTo({ duration: "30 seconds" }))

/** The item that something on the network became. */
const awaitItem = Effect.fnUntraced(function* (host: HostAccess, accountId: string, externalId: string) {
  const query = { inbox_scope: "workspace", social_account_id: accountId, limit: "50" }
  const look = Effect.map(ask(host, { method: "GET", path: withQuery("/v1/inbox", query) }, Items), ({ read }) =>
    read.find(({ external_id }) => external_id === externalId)
  )
  const item = yield* Effect.repeat(look, { until: (found) => found !== undefined, schedule: patience })
  return item === undefined
    ? yield* new CommandFailed({ message: `${externalId} was written, but is in the inbox after 30 seconds not yet.` })
    : item.id
})

/** Somebody writes to an account on the simulated networks; prints the id of the item that it becomes. */
export const triggerNewItem = Effect.fnUntraced(function* (
  connection: Connection,
  asked: Option.Option<string>,
  json: boolean
) {
  const host = yield* hostOf(connection)
  const { account, networkAccountId } = yield* accountOf(host, asked)
  const { callSandbox, Done } = yield* sandboxClient
  const what = account.network === "x" ? "mention" : "comment"
  const done = yield* callSandbox(Done, `/sandbox/${what}`, {
    network: account.network,
    account_id: networkAccountId,
    text: "A message from `loopbox trigger`."
  })
  const id = yield* awaitItem(host, account.id, done.id)
  yield* json ? printJson({ id, social_account_id: account.id }) : print(id)
})
