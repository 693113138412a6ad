import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { whileLeased } from "../kernel/lease/whileLeased.ts"
import type { ReadFailed } from "../networks/ConnectorErrors.ts"
import { connectorOf, Connectors } from "../networks/Connectors.ts"
import { type Person, shownName } from "../networks/InboundActivity.ts"
import { Networks, type NetworkTable } from "../networks/Networks.ts"
import { LeaseClock, makeToLeaseTime } from "../kernel/lease/LeaseClock.ts"
import { AccountTokens } from "../accounts/AccountTokens.ts"
import { AuthorProfiles, type ProfileClaim, type ProfileOutcome } from "./AuthorProfiles.ts"
import { claimLoop } from "../kernel/lease/claimLoop.ts"
import type { AccountUnusable } from "../accounts/AccountErrors.ts"
import * as inboxMetrics from "./inboxMetrics.ts"

export interface ProfileWorkerOptions {
  /** Concurrent look-ups of this process. */
  readonly atOnce: number
  readonly lease: Duration.Input
  readonly pollEvery: Duration.Input
  /** After this many failed attempts the author stays unnamed. */
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

/** Looks up the names of authors that networks name only by id, with one call per person (api.md §3). */
export const layer = (
  given: Partial<ProfileWorkerOptions> = {}
): Layer.Layer<never, never, AuthorProfiles | AccountTokens | Connectors | SecureRandom> =>
  Layer.effectDiscard(work({ ...defaultOptions, ...given }))

const work = Effect.fnUntraced(function* (options: ProfileWorkerOptions) {
  const profiles = yield* AuthorProfiles
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors
  const networks = yield* Networks
  const leaseNow = yield* LeaseClock
  const toLeaseTime = yield* makeToLeaseTime

  const later = Effect.fnUntraced(function* ({ attempts }: ProfileClaim, retryAt: Option.Option<DateTime.Utc>) {
    if (attempts + 1 >= options.maxAttempts) return nothing
    const backOff = DateTime.addDuration(yield* leaseNow, retryAfter(attempts))
    const at = Option.isSome(retryAt) ? DateTime.max(backOff, yield* toLeaseTime(retryAt.value)) : backOff
    const outcome: ProfileOutcome = { _tag: "Later", at }
    return outcome
  })

  const onFailure = (claim: ProfileClaim, error: ReadFailed | AccountUnusable) => {
    if (error._tag === "Rejected") return Effect.succeed(nothing)
    return later(claim, error._tag === "RateLimited" ? error.retryAt : Option.none())
  }

  const lookUp = (claim: ProfileClaim) =>
    tokens
      .withAccess(claim.workspaceId, claim.accountId, (access) =>
        connectorOf(networks, connectors, claim.source).findPerson(access, claim.source, claim.personId)
      )
      .pipe(
        Effect.map((person) =>
          Option.match(person, { onNone: () => nothing, onSome: (found) => known(networks, claim, found) })
        ),
        Effect.catchIf(
          (error) => error._tag !== "StoreUnavailable",
          (error) => onFailure(claim, error)
        )
      )

  /**
   * Counts the attempt of a look-up that could not be settled as it should be. Only what is settled counts, so the network
   * would be asked for the same name with each end of the lease, and for ever. It may fail, too: where the store is away,
   * nothing is claimed either.
   */
  const putOff = (claim: ProfileClaim) =>
    Effect.ignoreCause(
      Effect.gen(function* () {
        yield* profiles.settle(claim, yield* later(claim, Option.none()), yield* DateTime.now)
      })
    )

  const run = Effect.fn("ProfileWorker.run")(
    function* (claim: ProfileClaim) {
      const outcome = yield* whileLeased(lookUp(claim), {
        lease: options.lease,
        renew: (until) => profiles.renew(claim, until),
        release: (now) => profiles.release(claim, now)
      })
      yield* profiles
        .settle(claim, outcome, yield* DateTime.now)
        .pipe(Effect.tapErrorTag("StoreUnavailable", () => putOff(claim)))
      const label = outcome._tag === "Later" ? "later" : Option.isSome(outcome.person.name) ? "known" : "nothing"
      yield* Metric.update(Metric.withAttributes(inboxMetrics.profiles, { outcome: label }), 1)
    },
    (effect, claim) => Effect.tapDefect(effect, () => putOff(claim)),
    Effect.catchTags({
      LeaseLost: () => Effect.logDebug("a profile's lease was lost"),
      StoreUnavailable: (error) => Effect.logWarning("a profile was not settled, and is looked up again", error)
    }),
    (effect, claim) => Effect.annotateLogs(effect, { workspace_id: claim.workspaceId, account_id: claim.accountId })
  )
  yield* claimLoop({ ...options, loop: "profiles.claim", claim: profiles.claim, run })
})

const known = (networks: NetworkTable, { source }: ProfileClaim, person: Person): ProfileOutcome => ({
  _tag: "Known",
  person: { name: shownName(networks, networks.traitsOf(source).network, person), avatarUrl: person.avatarUrl }
})
