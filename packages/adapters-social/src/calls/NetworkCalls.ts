import type { RateLimited, ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Network } from "../names.ts"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as HttpClient from "effect/http/HttpClient"
import { makeBudget } from "./budget.ts"
import type { BudgetKey, Paces } from "./budget.ts"
import { makeCircuit } from "./circuit.ts"
import { makeNetworkClient } from "./NetworkClient.ts"
import type { JsonAnswer, NetworkClient } from "./NetworkClient.ts"
import type { NetworkRequest, WriteBody } from "./NetworkRequest.ts"
import type { SocialSettings } from "./SocialSettings.ts"
import type { Counted, Usage } from "./Usage.ts"

/** A request, and who pays for it. */
export interface NetworkCall extends NetworkRequest, BudgetKey {}

type Understand<A, E> = (answer: JsonAnswer, now: DateTime.Utc) => Effect.Effect<A, E>

/**
 * Calls of one network. What is over the account's budget, or meets an open circuit, fails without a request; what an
 * answer says of the budget, and whether there was one, is kept for the next calls. `understand` makes of an answer
 * what the caller wants, or the failure that it stands for.
 */
export interface NetworkCalls {
  readonly read: <A>(call: NetworkCall, understand: Understand<A, ReadFailed>) => Effect.Effect<A, ReadFailed>
  readonly write: <A>(
    call: NetworkCall,
    body: WriteBody,
    understand: Understand<A, WriteFailed>
  ) => Effect.Effect<A, WriteFailed>
  readonly put: <A>(
    call: NetworkCall,
    body: WriteBody,
    understand: Understand<A, WriteFailed>
  ) => Effect.Effect<A, WriteFailed>
  readonly delete: <A>(call: NetworkCall, understand: Understand<A, WriteFailed>) => Effect.Effect<A, WriteFailed>
  /**
   * The same host without budget and circuit, for what a person does who signs in: it is no account's call, and a code
   * does not wait.
   */
  readonly unmetered: NetworkClient
}

/** How one network counts. */
export interface Limits {
  /** What an answer's headers say of the budgets that its call belongs to; at most one of each kind. */
  readonly usagesOf: (headers: JsonAnswer["headers"], endpoint: string, now: DateTime.Utc) => ReadonlyArray<Usage>
  /** Whose calls were too many. Left out: the account's. */
  readonly limited?: ((error: RateLimited) => Counted) | undefined
  readonly paces?: Paces | undefined
}

const defaultTimeLimit = "10 seconds"

/** How long nobody asks after a limit of the whole app whose end is not said. */
const appPause = Duration.minutes(5)

/** State is of one process, and lives as long as the scope. */
export const makeNetworkCalls: (
  network: Network,
  client: HttpClient.HttpClient,
  settings: SocialSettings,
  limits: Limits
) => Effect.Effect<NetworkCalls, never, Scope.Scope> = Effect.fnUntraced(function* (
  network,
  client,
  settings,
  { limited = (): Counted => "account", paces = {}, usagesOf }
) {
  const unmetered = makeNetworkClient(network, client, settings.timeLimit ?? defaultTimeLimit)
  const budget = yield* makeBudget(network, paces)
  const circuit = yield* makeCircuit(network)

  /** Where nothing is said of when to come back, an account finds out by itself; an app's accounts must not all do. */
  const noteLimit = Effect.fnUntraced(function* (key: BudgetKey, error: RateLimited) {
    const now = yield* DateTime.now
    const counted = limited(error)
    const until =
      counted === "account"
        ? error.retryAt
        : Option.some(Option.getOrElse(error.retryAt, () => DateTime.addDuration(now, appPause)))
    if (Option.isSome(until)) yield* budget.note(key, { counted, used_percent: 100, until: until.value })
  })

  const guarded = <A, E extends ReadFailed | WriteFailed, F extends ReadFailed | WriteFailed>(
    call: NetworkCall,
    kind: "read" | "write",
    exchange: Effect.Effect<JsonAnswer, E>,
    understand: Understand<A, F>
  ) => {
    const { accountId, endpoint } = call
    const key = { accountId, endpoint, network: call.network ?? network }
    const answered = Effect.gen(function* () {
      const answer = yield* exchange
      const now = yield* DateTime.now
      for (const usage of usagesOf(answer.headers, endpoint, now)) yield* budget.note(key, usage)
      return yield* understand(answer, now)
    })
    const asked = circuit
      .run(key, answered)
      .pipe(Effect.tapError((error) => (error._tag === "RateLimited" ? noteLimit(key, error) : Effect.void)))
    return Effect.andThen(budget.admit(key, kind), asked)
  }

  return {
    read: (call, understand) => guarded(call, "read", unmetered.get(call), understand),
    write: (call, body, understand) => guarded(call, "write", unmetered.post(call, body), understand),
    put: (call, body, understand) => guarded(call, "write", unmetered.put(call, body), understand),
    delete: (call, understand) => guarded(call, "write", unmetered.delete(call), understand),
    unmetered
  }
})
