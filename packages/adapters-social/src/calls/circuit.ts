import { Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Network } from "../names.ts"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import { isNotResolvable } from "./notResolvable.ts"

/** The account that calls, and its network where that is another one than the host's. */
interface Caller {
  readonly accountId: string
  readonly network?: Network | undefined
}

/** Stops asking a network that fails, so that its outage costs nobody else their time (design §5). */
export interface Circuit {
  /**
   * Runs a call for an account. Once calls of three accounts have failed with none in between that was answered, the
   * next ones fail at once with `circuit_open` for half a minute; then one call is let through, and decides.
   */
  readonly run: <A, E extends ReadFailed | WriteFailed>(
    caller: Caller,
    call: Effect.Effect<A, E>
  ) => Effect.Effect<A, E | Unavailable>
}

/** One account's trouble is its own: so many have to fail before the network is to blame. */
const accountsToOpen = 3
/** Failures that are longer apart say nothing together. */
const memory: Duration.Duration = Duration.minutes(5)
const openFor: Duration.Duration = Duration.seconds(30)
/** When to ask again while one call is finding out. */
const whileProbing: Duration.Duration = Duration.seconds(5)

type Verdict = "answered" | "failed" | "unclear"

/** A refusal is an answer too, and so is "not yet"; what can't be read says neither. */
const verdictOf = (error: ReadFailed | WriteFailed): Verdict => {
  if (error._tag === "OutcomeUnknown") return "failed"
  if (isNotResolvable(error)) return "answered"
  if (error._tag !== "Unavailable") return "answered"
  if (error.reason === "upstream") return "failed"
  return error.reason === "source" ? "answered" : "unclear"
}

export const makeCircuit: (network: Network) => Effect.Effect<Circuit, never, Scope.Scope> = Effect.fnUntraced(
  function* (network) {
    const breaker = yield* CircuitBreaker.make({
      tripPolicy: CircuitBreaker.consecutive(1),
      openDuration: openFor
    }).pipe(Effect.provide(CircuitBreaker.layerStoreMemory()))
    /** Accounts whose last call failed since any was answered, and when. */
    const failing = new Map<string, number>()

    const failed = Effect.fnUntraced(function* (accountId: string) {
      const now_ms = yield* Clock.currentTimeMillis
      for (const [other, at_ms] of failing) {
        if (now_ms - at_ms > Duration.toMillis(memory)) failing.delete(other)
      }
      failing.set(accountId, now_ms)
      // Only a store that can fail does; this one is a map.
      const state = yield* Effect.orDie(breaker.state(network))
      // A call that runs now is the probe, whoever's it is.
      return state._tag === "HalfOpen" || failing.size >= accountsToOpen
        ? CircuitBreaker.failure()
        : CircuitBreaker.ignored
    })

    const judge =
      (accountId: string) =>
      <A, E extends ReadFailed | WriteFailed>(exit: Exit.Exit<A, E>) => {
        const verdict = Exit.isSuccess(exit)
          ? "answered"
          : Option.match(Exit.findErrorOption(exit), { onNone: (): Verdict => "unclear", onSome: verdictOf })
        if (verdict === "failed") return failed(accountId)
        if (verdict === "answered") failing.clear()
        return Effect.succeed(verdict === "answered" ? CircuitBreaker.success : CircuitBreaker.ignored)
      }

    const open = Effect.fnUntraced(function* ({ reason }: CircuitBreaker.CircuitBreakerError, caller: Caller) {
      const wait = reason._tag === "CircuitOpen" ? reason.retryAfter : whileProbing
      const retryAt = DateTime.addDuration(yield* DateTime.now, wait)
      return yield* new Unavailable({
        network: caller.network ?? network,
        reason: "circuit_open",
        networkCode: Option.none(),
        detail: "it failed for several accounts just now",
        retryAt: Option.some(retryAt)
      })
    })

    return {
      run: <A, E extends ReadFailed | WriteFailed>(caller: Caller, call: Effect.Effect<A, E>) =>
        Effect.catch(
          breaker.execute(call, { key: network, classify: judge(caller.accountId) }),
          (error): Effect.Effect<never, E | Unavailable> =>
            error instanceof CircuitBreaker.CircuitBreakerError ? open(error, caller) : Effect.fail(error)
        )
    }
  }
)
