import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { RateLimited, ReadFailed } from "../networks/ConnectorErrors.ts"
import type { PollStep } from "../networks/PollStep.ts"
import type { AccountAccess } from "../networks/AccountAccess.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { OpenAccount } from "../accounts/AccountTokens.ts"
import { type JudgedFailure, judgeFailure } from "../sync/syncFailures.ts"
import type { SyncStep } from "../sync/SyncRun.ts"

/** A rate limit that ends within this time is waited for, instead of ending the poll. */
const shortWait = Duration.seconds(10)
const shortWaits = 3

/** `Refused`: the object was deleted, or the cursor is not valid any more. */
export type Answer<A> =
  | { readonly _tag: "Answered"; readonly value: A }
  | { readonly _tag: "Refused"; readonly isGone: boolean }

/** Calls a network in one account's name, until a failure stops the poll. */
export interface AccountReader {
  /**
   * Calls the network; retries once if it did not answer. `none` after a failure, or if an earlier failure stops this
   * step.
   */
  readonly ask: <A>(
    step: PollStep,
    question: (access: AccountAccess) => Effect.Effect<A, ReadFailed>
  ) => Effect.Effect<Option.Option<Answer<A>>, StoreUnavailable>
  readonly isStopped: (step: SyncStep) => boolean
  /** Adds a failure without a call. */
  readonly fail: (failure: JudgedFailure) => void
  /** The failures, at most one per step. */
  readonly failures: () => ReadonlyArray<JudgedFailure>
}

export const makeAccountReader = (account: OpenAccount): AccountReader => {
  const failures = new Map<SyncStep, JudgedFailure>()
  const isStopped = (step: SyncStep) =>
    failures.has(step) || Array.from(failures.values()).some(({ stops }) => stops === "account")
  const fail = (failure: JudgedFailure) => {
    const { step } = failure.error
    if (!failures.has(step)) failures.set(step, failure)
  }

  const patiently = <A>(
    asked: Effect.Effect<A, ReadFailed | StoreUnavailable>,
    waits: number
  ): Effect.Effect<A, ReadFailed | StoreUnavailable> =>
    Effect.catchTag(asked, "RateLimited", (limited) =>
      Effect.gen(function* () {
        const left = yield* timeLeft(limited)
        if (waits === 0 || Duration.isGreaterThan(left, shortWait)) return yield* limited
        return yield* Effect.delay(patiently(asked, waits - 1), left)
      })
    )

  const ask = <A>(step: PollStep, question: (access: AccountAccess) => Effect.Effect<A, ReadFailed>) =>
    Effect.gen(function* () {
      if (isStopped(step)) return Option.none<Answer<A>>()
      const asked = account.use(question).pipe(
        Effect.retry({
          while: (error) => error._tag === "Unavailable" && error.reason === "upstream",
          times: 1,
          schedule: Schedule.jittered(Schedule.spaced("500 millis"))
        })
      )
      return yield* patiently(asked, shortWaits).pipe(
        Effect.map((value) => Option.some<Answer<A>>({ _tag: "Answered", value })),
        Effect.catch((error) =>
          Effect.gen(function* () {
            if (error._tag === "StoreUnavailable") return yield* error
            if (error._tag === "Rejected" && (error.reason === "gone" || error.reason === "invalid")) {
              return Option.some<Answer<A>>({ _tag: "Refused", isGone: error.reason === "gone" })
            }
            fail(judgeFailure(step, error, yield* DateTime.now))
            return Option.none<Answer<A>>()
          })
        )
      )
    })

  return { ask, isStopped, fail, failures: () => Array.from(failures.values()) }
}

const timeLeft = ({ retryAt }: RateLimited) =>
  Effect.map(DateTime.now, (now) =>
    Option.match(retryAt, {
      onNone: () => Duration.infinity,
      onSome: (at) => Duration.millis(Math.max(0, DateTime.toEpochMillis(at) - DateTime.toEpochMillis(now)))
    })
  )
