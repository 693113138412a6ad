import type { ReadFailed, WriteFailed } from "@loopbox/core/connectors/ConnectorErrors"
import type { Network } from "@loopbox/core/connectors/Source"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as HttpClient from "effect/http/HttpClient"
import { makeBudget } from "./budget.ts"
import type { BudgetKey, Paces } from "./budget.ts"
import { makeCircuit } from "./circuit.ts"
import { makeNetworkClient } from "./NetworkClient.ts"
import type { JsonAnswer, NetworkRequest, WriteBody } from "./NetworkClient.ts"
import type { SocialSettings } from "./SocialSettings.ts"
import type { Usage } from "./Usage.ts"

/** A request, and who pays for it. */
export interface NetworkCall extends NetworkRequest, BudgetKey {}

/**
 * Calls of one network. What is over the account's budget, or meets an open circuit, fails without a request; what an
 * answer says of the budget, and whether there was one, is kept for the next calls. `understand` makes of an answer
 * what the caller wants, or the failure that it stands for.
 */
export interface NetworkCalls {
  readonly read: <A>(
    call: NetworkCall,
    understand: (answer: JsonAnswer, now: DateTime.Utc) => Effect.Effect<A, ReadFailed>
  ) => Effect.Effect<A, ReadFailed>
  readonly write: <A>(
    call: NetworkCall,
    body: WriteBody,
    understand: (answer: JsonAnswer, now: DateTime.Utc) => Effect.Effect<A, WriteFailed>
  ) => Effect.Effect<A, WriteFailed>
}

/** How one network counts. */
export interface Limits {
  /** What an answer's headers say of the budget that its call belongs to. */
  readonly usageOf: (headers: JsonAnswer["headers"], endpoint: string, now: DateTime.Utc) => Option.Option<Usage>
  readonly paces?: Paces | undefined
}

const defaultTimeLimit = "10 seconds"

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
  { paces = {}, usageOf }
) {
  const { get, post } = makeNetworkClient(network, client, settings.timeLimit ?? defaultTimeLimit)
  const budget = yield* makeBudget(network, paces)
  const circuit = yield* makeCircuit(network)

  const guarded = <A, E extends ReadFailed | WriteFailed, F extends ReadFailed | WriteFailed>(
    { accountId, endpoint }: BudgetKey,
    kind: "read" | "write",
    exchange: Effect.Effect<JsonAnswer, E>,
    understand: (answer: JsonAnswer, now: DateTime.Utc) => Effect.Effect<A, F>
  ) => {
    const key = { accountId, endpoint }
    const answered = Effect.gen(function* () {
      const answer = yield* exchange
      const now = yield* DateTime.now
      const usage = usageOf(answer.headers, endpoint, now)
      if (Option.isSome(usage)) yield* budget.note(key, usage.value)
      return yield* understand(answer, now)
    })
    const asked = circuit
      .run(accountId, answered)
      .pipe(
        Effect.tapError((error) =>
          error._tag === "RateLimited" && Option.isSome(error.retryAt)
            ? budget.note(key, { used_percent: 100, until: error.retryAt.value })
            : Effect.void
        )
      )
    return Effect.andThen(budget.admit(key, kind), asked)
  }

  return {
    read: (call, understand) => guarded(call, "read", get(call), understand),
    write: (call, body, understand) => guarded(call, "write", post(call, body), understand)
  }
})
