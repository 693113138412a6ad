import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { supervised } from "@loopbox/core/kernel/lease/supervised"
import { hostOf, splitHosts, type Target } from "./Target.ts"

/** Of several servers with the same data, the one that takes writes: which it is changes when a standby is promoted. */
export interface Primary {
  /** Whether there are several servers at all. */
  readonly isFollowed: boolean
  /** The server that took writes when it was asked last. */
  readonly current: Effect.Effect<Target>
  /** The one now, and each that takes its place. */
  readonly changes: Stream.Stream<Target>
  /** Waits until a target is not the current one any more. */
  readonly replaced: (target: Target) => Effect.Effect<void>
  /** Asks now, and not only when it is time: a connection was lost or refused. Does not wait for the answer. */
  readonly suspect: Effect.Effect<void>
}

/** How long a server may take to say what it is. */
const answerWithin = "2 seconds"

/** Asked this often where nothing is wrong: a server that is gone without a word closes no connection. */
const askEvery = "3 seconds"

const switches = Metric.counter("loopbox_database_primary_changes_total", {
  description: "How often another server of DATABASE_URL took the place of the primary",
  incremental: true
})

/** What a server said of itself; of one that gave no answer, why. */
type Answer = "primary" | "standby" | { readonly why: string }

/** The innermost says what happened: "connect ECONNREFUSED 127.0.0.1:5432", not "failed to connect". */
const reasonOf = ({ cause, message }: Error): string => (cause instanceof Error ? reasonOf(cause) : message)

const ask = (target: Target): Effect.Effect<Answer> =>
  Effect.gen(function* () {
    const connection = yield* PgConnection.make({
      ...target,
      applicationName: "loopbox primary",
      connectTimeout: answerWithin
    })
    const { rows } = yield* connection.query("SELECT pg_is_in_recovery() AS standby", [], false)
    return rows[0]?.["standby"] === false ? ("primary" as const) : ("standby" as const)
  }).pipe(
    Effect.scoped,
    Effect.timeoutOrElse({
      duration: answerWithin,
      orElse: () => Effect.succeed({ why: `no answer within ${answerWithin}` })
    }),
    Effect.catchTag("SqlError", (error) => Effect.succeed({ why: reasonOf(error) }))
  )

/** The first that takes writes, and what each said; one that does not answer keeps nobody waiting for another. */
const findPrimary = (targets: ReadonlyArray<Target>) =>
  Effect.map(Effect.forEach(targets, ask, { concurrency: "unbounded" }), (answers) => ({
    answers,
    found: Option.fromNullishOr(targets[answers.indexOf("primary")])
  }))

const noPrimary = (targets: ReadonlyArray<Target>, answers: ReadonlyArray<Answer>) => {
  const told = answers.map((answer, i) => {
    const host = hostOf(targets[i] ?? {})
    return typeof answer === "string" ? `${host} is a ${answer}` : `${host} does not answer (${answer.why})`
  })
  const message = `none of the servers takes writes: ${told.join(", ")}`
  return new SqlError({
    reason: new ConnectionError({ cause: new Error(message), message, operation: "connect" })
  })
}

export interface FindOptions {
  /** Whether up to a minute is waited, for a standby may be about to be promoted; or each server is asked once. True. */
  readonly awaitsPromotion?: boolean | undefined
}

const findFirst = (
  targets: ReadonlyArray<Target>,
  { awaitsPromotion = true }: FindOptions
): Effect.Effect<Target, SqlError> =>
  Effect.flatMap(findPrimary(targets), ({ answers, found }) =>
    Option.match(found, { onNone: () => Effect.fail(noPrimary(targets, answers)), onSome: Effect.succeed })
  ).pipe(Effect.retry({ schedule: Schedule.spaced("500 millis"), times: awaitsPromotion ? 20 : 0 }))

/** The one target that takes writes now, of those that an address names. */
export const findTarget = (target: Target, options: FindOptions = {}): Effect.Effect<Target, SqlError> => {
  const targets = splitHosts(target)
  return targets.length === 1 ? Effect.succeed(target) : findFirst(targets, options)
}

const fixed = (target: Target): Primary => ({
  isFollowed: false,
  current: Effect.succeed(target),
  changes: Stream.make(target),
  replaced: () => Effect.never,
  suspect: Effect.void
})

export interface FollowOptions extends FindOptions {
  /** Whether changes are counted and logged: by one follower of a process, or each promotion would count as many. */
  readonly isCounted?: boolean
}

/**
 * The primary of a target, followed as long as the scope is open. Of a target with one host it is that host, and nothing
 * is asked.
 *
 * The servers are asked, and not an error awaited: a primary that comes back as a standby answers, and only refuses
 * writes.
 */
export const followPrimary = Effect.fnUntraced(function* (
  target: Target,
  { awaitsPromotion, isCounted = true }: FollowOptions = {}
): Effect.fn.Return<Primary, SqlError, Scope.Scope> {
  const targets = splitHosts(target)
  if (targets.length === 1) return fixed(target)
  const followed = yield* SubscriptionRef.make(yield* findFirst(targets, { awaitsPromotion }))
  const suspicions = yield* Queue.sliding<void>(1)

  const look = Effect.gen(function* () {
    const known = yield* SubscriptionRef.get(followed)
    if ((yield* ask(known)) === "primary") return true
    const { found } = yield* findPrimary(targets)
    if (Option.isNone(found)) return false
    if (found.value !== known) {
      if (isCounted) {
        yield* Effect.logWarning("another server of the database is the primary now", {
          was: hostOf(known),
          is: hostOf(found.value)
        })
        yield* Metric.update(switches, 1)
      }
      yield* SubscriptionRef.set(followed, found.value)
    }
    return true
  })
  const awaited = Effect.raceFirst(Queue.take(suspicions), Effect.sleep(askEvery))
  yield* supervised(
    "postgres.primary",
    Effect.andThen(awaited, look.pipe(Effect.delay("100 millis"), Effect.repeat({ until: (isFound) => isFound })))
  )
  return {
    isFollowed: true,
    current: SubscriptionRef.get(followed),
    changes: SubscriptionRef.changes(followed),
    replaced: (target) =>
      SubscriptionRef.changes(followed).pipe(
        Stream.filter((now) => now !== target),
        Stream.take(1),
        Stream.runDrain
      ),
    suspect: Effect.asVoid(Queue.offer(suspicions, undefined))
  }
})
