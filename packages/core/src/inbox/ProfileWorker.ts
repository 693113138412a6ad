import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { ReadFailed } from "../connectors/ConnectorErrors.ts"
import { connectorOf, Connectors } from "../connectors/Connectors.ts"
import { type Person, shownName } from "../connectors/InboundActivity.ts"
import { networkOf } from "../connectors/Source.ts"
import { toBase32 } from "../kernel/Ids.ts"
import { LeaseClock } from "../kernel/LeaseClock.ts"
import { AccountTokens } from "./AccountTokens.ts"
import { AuthorProfiles, type ProfileClaim, type ProfileOutcome } from "./AuthorProfiles.ts"
import { claimLoop } from "./claimLoop.ts"
import type { AccountUnusable } from "./InboxErrors.ts"
import * as inboxMetrics from "./inboxMetrics.ts"

export interface ProfileWorkerOptions {
  /** Look-ups of this process at once. */
  readonly atOnce: number
  readonly lease: Duration.Input
  readonly pollEvery: Duration.Input
  /** A look-up that fails this often is given up: the author stays unnamed. */
  readonly maxAttempts: number
}

export const defaultOptions: ProfileWorkerOptions = {
  atOnce: 8,
  lease: "1 minute",
  pollEvery: "1 second",
  maxAttempts: 8
}

const nothing: ProfileOutcome = { _tag: "Known", person: { name: Option.none(), avatarUrl: Option.none() } }

/** 2 s, 4 s … at most 10 minutes. */
const retryAfter = (attempts: number): Duration.Duration => Duration.seconds(Math.min(2 ** (attempts + 1), 600))

/** Asks the networks for the names of authors whom they gave by id only, one call for each person (api.md §3). */
export const layer = (
  given: Partial<ProfileWorkerOptions> = {}
): Layer.Layer<never, never, AuthorProfiles | AccountTokens | Connectors | SecureRandom> =>
  Layer.effectDiscard(work({ ...defaultOptions, ...given }))

const work = Effect.fnUntraced(function* (options: ProfileWorkerOptions) {
  const profiles = yield* AuthorProfiles
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors
  const random = yield* SecureRandom
  const leaseNow = yield* LeaseClock

  const later = ({ attempts }: ProfileClaim, at: Option.Option<DateTime.Utc>) =>
    Effect.map(leaseNow, (now): ProfileOutcome => {
      if (attempts + 1 >= options.maxAttempts) return nothing
      const backOff = DateTime.addDuration(now, retryAfter(attempts))
      return {
        _tag: "Later",
        at: DateTime.max(
          backOff,
          Option.getOrElse(at, () => backOff)
        )
      }
    })

  const onFailure = (claim: ProfileClaim, error: ReadFailed | AccountUnusable) => {
    if (error._tag === "Rejected") return Effect.succeed(nothing)
    return later(claim, error._tag === "RateLimited" ? error.retryAt : Option.none())
  }

  const lookUp = (claim: ProfileClaim) =>
    tokens
      .withAccess(claim.workspaceId, claim.accountId, (access) =>
        connectorOf(connectors, claim.source).findPerson(access, claim.source, claim.personId)
      )
      .pipe(
        Effect.map((person) => Option.match(person, { onNone: () => nothing, onSome: (found) => known(claim, found) })),
        Effect.catchIf(
          (error) => error._tag !== "StoreUnavailable",
          (error) => onFailure(claim, error)
        )
      )

  const run = Effect.fn("ProfileWorker.run")(
    function* (claim: ProfileClaim) {
      const outcome = yield* lookUp(claim)
      yield* profiles.settle(claim, outcome, yield* DateTime.now)
      const label = outcome._tag === "Later" ? "later" : Option.isSome(outcome.person.name) ? "known" : "nothing"
      yield* Metric.update(Metric.withAttributes(inboxMetrics.profiles, { outcome: label }), 1)
    },
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.logWarning("a profile was not settled; its lease will end", error)
    ),
    Effect.catchDefect((defect) => Effect.logError("a profile could not be looked up; its lease will end", defect))
  )

  const claim = Effect.fnUntraced(
    function* (limit: number) {
      const now = yield* leaseNow
      return yield* profiles.claim({
        limit,
        token: toBase32(yield* random.randomBytes(16)),
        leaseNow: now,
        leaseUntil: DateTime.addDuration(now, options.lease)
      })
    },
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.as(Effect.logWarning("the profile worker waits for its store", error), [])
    )
  )
  yield* claimLoop({ ...options, claim, run, wakeUps: Stream.never })
})

const known = ({ source }: ProfileClaim, person: Person): ProfileOutcome => ({
  _tag: "Known",
  person: { name: shownName(networkOf(source), person), avatarUrl: person.avatarUrl }
})
