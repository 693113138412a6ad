import type { Network } from "@loopbox/adapters-social/names"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { CommandFailed } from "../CommandFailed.ts"
import { accountLines, accountTable } from "./accountText.ts"
import { Account, Session } from "./accountAnswers.ts"
import type { Connection } from "./connection.ts"
import { ask, hostOf, scopeOf, unreadable, withQuery } from "./hostAnswers.ts"
import { type HostAccess, listAll, segment } from "./hostCalls.ts"
import { onOneLine } from "./inboxText.ts"
import { note, print, printJson } from "./output.ts"
import { given } from "./sandboxInputs.ts"

interface SessionRequest {
  readonly network: Network
  readonly externalUserId: Option.Option<string>
  readonly returnUrl: Option.Option<string>
  /** As given: separated by commas. */
  readonly features: Option.Option<string>
  readonly reconnect: Option.Option<string>
}

const bodyOf = ({ externalUserId, features, network, reconnect, returnUrl }: SessionRequest) => ({
  network,
  ...given({ external_user_id: externalUserId, return_url: returnUrl, social_account_id: reconnect }),
  ...Option.match(features, {
    onNone: () => ({}),
    onSome: (text) => ({ features: text.split(",").map((feature) => feature.trim()) })
  })
})

const pollEvery = "2 seconds"

/** A host that is away for a while is waited for: the person signs in meanwhile. */
const patience = Schedule.spaced(pollEvery).pipe(Schedule.upTo({ duration: "2 minutes" }))

/** The session once it has ended. */
const awaitEnd = Effect.fnUntraced(function* (host: HostAccess, id: string) {
  for (;;) {
    const call = { method: "GET", path: `/v1/connect/sessions/${segment(id)}` } as const
    const found = yield* Effect.retry(ask(host, call, Session), patience)
    if (found.read.status !== "pending" && found.read.status !== "choosing") return found
    yield* Effect.sleep(pollEvery)
  }
})

/** What a person reads at the end; none where it is not well. */
const outcome = ({ accounts, error, status }: Session): Effect.Effect<string, CommandFailed> => {
  const why = error === null ? "" : ` ${onOneLine(error.message)} (${error.code})`
  if (status === "completed") return Effect.succeed(`Connected:${why}\n${accountTable(accounts)}`)
  const again =
    status === "expired" ? "Ask for a new address." : "The same address may be opened again until it expires."
  return Effect.fail(new CommandFailed({ message: `No account was connected: ${status}.${why} ${again}` }))
}

/** Makes an address at which somebody connects an account, and waits for what comes of it. */
export const connectBySession = Effect.fnUntraced(function* (
  connection: Connection,
  request: SessionRequest,
  { json, noWait }: { readonly json: boolean; readonly noWait: boolean }
) {
  const host = yield* hostOf(connection)
  const call = { method: "POST", path: "/v1/connect/sessions", body: bodyOf(request) } as const
  const { data, read } = yield* ask(host, call, Session)
  if (noWait) return yield* json ? printJson(data) : print(read.url)
  // Programs read the end of it on standard output.
  yield* json ? note(read.url) : print(read.url)
  yield* note(`Open it in a browser and sign in; it is good until ${read.expires_at}. Waiting; Ctrl-C ends only that.`)
  const ended = yield* awaitEnd(host, read.id)
  if (json) yield* printJson(ended.data)
  const text = yield* outcome(ended.read)
  if (!json) yield* print(text)
})

interface AccountFilters {
  readonly network: Option.Option<string>
  readonly status: Option.Option<string>
  readonly externalUserId: Option.Option<string>
}

const decodeAccounts = Schema.decodeUnknownOption(Schema.Array(Account))

export const listAccounts = Effect.fnUntraced(function* (
  connection: Connection,
  { externalUserId, network, status }: AccountFilters,
  json: boolean
) {
  const host = yield* hostOf(connection)
  const query = {
    ...scopeOf(externalUserId),
    ...Option.match(network, { onNone: () => ({}), onSome: (one) => ({ network: one }) }),
    ...Option.match(status, { onNone: () => ({}), onSome: (one) => ({ status: one }) })
  }
  const found = yield* listAll(host, withQuery("/v1/accounts", query))
  if (json) return yield* printJson(found)
  const accounts = decodeAccounts(found)
  if (Option.isNone(accounts)) return yield* unreadable(host.url)
  yield* print(accounts.value.length === 0 ? "Nothing here." : accountTable(accounts.value))
})

/** Has the network asked; fails where the account is broken, so that a script sees it. */
export const checkAccount = Effect.fnUntraced(function* (
  connection: Connection,
  id: string,
  externalUserId: Option.Option<string>,
  json: boolean
) {
  const host = yield* hostOf(connection)
  const path = withQuery(`/v1/accounts/${segment(id)}/check`, scopeOf(externalUserId))
  const { data, read } = yield* ask(host, { method: "POST", path }, Account)
  yield* json ? printJson(data) : print(accountLines(read))
  if (read.health.status === "broken") return yield* new CommandFailed({ message: `${read.id} is broken.` })
})
