import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { Connectors } from "../connectors/Connectors.ts"
import type { InboundActivity } from "../connectors/InboundActivity.ts"
import { nextInboxItemId, type SocialAccountId, type WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { AccountGone, SyncLeaseLost } from "./InboxErrors.ts"
import { AccountTokens } from "./AccountTokens.ts"
import * as inboxMetrics from "./inboxMetrics.ts"
import { type IngestOutcome, type IngestPoll, InboxStore } from "./InboxStore.ts"
import { accountNamesOf, routeActivities, type RoutedUnit } from "./routeActivities.ts"
import { type HeardActivity, settleThreads } from "./settleThreads.ts"

export interface IngestRequest {
  readonly activities: ReadonlyArray<InboundActivity>
  /** The deliveries that said it: each of their units is then done once. */
  readonly deliveryIds: ReadonlyArray<string>
  /** What the network does not tell now, it need not tell: no thread waits any longer. */
  readonly isLastTry: boolean
}

export interface IngestReport {
  readonly created: number
  /** Activities that lead to no connected account. */
  readonly unrouted: number
  /** Activities whose thread is not known yet: the same request again, later, brings them. */
  readonly waiting: number
  /** Why units were not stored, where a retry is of no use. */
  readonly failures: ReadonlyArray<string>
}

/** What a poll read of one account. */
export interface PolledPages {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly pages: ReadonlyArray<{
    readonly activities: ReadonlyArray<InboundActivity>
    /** What the page says is as of then. */
    readonly requestedAt: DateTime.Utc
  }>
  /** Notes how far it was read, with the last of the items. `waiting`: the threads of so many are not known yet. */
  readonly poll: (waiting: number) => IngestPoll
}

/** Units of one delivery that are worked on at once; each is one transaction. */
const unitsAtOnce = 4

/** Activities of one account that are stored in one transaction at most. */
const unitSize = 1_000

/** Driving service: what a network said becomes items, threads and events, once each, in whatever order it comes. */
export class Ingest extends Context.Service<
  Ingest,
  {
    /**
     * Stores activities for every account that they belong to, each account in a transaction of its own. One that
     * fails does not stop its neighbours; repeating the request is harmless.
     */
    readonly ingest: (request: IngestRequest) => Effect.Effect<IngestReport, StoreUnavailable>
    /** Stores what a poll read, and how far it came. */
    readonly ingestPages: (
      pages: PolledPages
    ) => Effect.Effect<IngestOutcome, AccountGone | SyncLeaseLost | StoreUnavailable>
  }
>()("@loopbox/core/inbox/Ingest") {
  static readonly layer: Layer.Layer<
    Ingest,
    never,
    InboxStore | SocialAccounts | AccountTokens | Connectors | SecureRandom
  > = Layer.effect(
    Ingest,
    Effect.suspend(() => make)
  )
}

/** Activities that are about items, and when they were read. */
const ofItems = (
  activities: ReadonlyArray<InboundActivity>,
  polledAt: Option.Option<DateTime.Utc>
): ReadonlyArray<HeardActivity> =>
  activities.flatMap((activity) => (activity._tag === "AccessRevoked" ? [] : [{ activity, polledAt }]))

const make = Effect.gen(function* () {
  const store = yield* InboxStore
  const accounts = yield* SocialAccounts
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors
  const random = yield* SecureRandom
  const ports = { store, tokens, connectors }

  const identify = Effect.fnUntraced(function* (settled: ReadonlyArray<HeardActivity>) {
    return yield* Effect.forEach(settled, (heard) =>
      Effect.map(nextInboxItemId(random), (newId) => ({ ...heard, newId }))
    )
  })

  const storeUnit = Effect.fnUntraced(
    function* ({ accountId, activities, workspaceId }: RoutedUnit, request: IngestRequest) {
      if (activities.some(({ _tag }) => _tag === "AccessRevoked")) yield* accounts.requireReauth(workspaceId, accountId)
      const heard = ofItems(activities, Option.none())
      const { isLastTry } = request
      const settled = yield* settleThreads(ports, { workspaceId, accountId, activities: heard, isLastTry })
      const identified = yield* identify(settled.activities)
      const now = yield* DateTime.now
      let created = 0
      for (let start = 0; start === 0 || start < identified.length; start += unitSize) {
        const isComplete = settled.waiting === 0 && start + unitSize >= identified.length
        const receipt = yield* store.ingest({
          workspaceId,
          accountId,
          activities: identified.slice(start, start + unitSize),
          now,
          completes: isComplete ? request.deliveryIds : [],
          poll: Option.none()
        })
        created += receipt.created
      }
      return { created, waiting: settled.waiting }
    },
    Effect.catchTags({
      // Erased or disconnected since the route was read: as if it had never been found.
      AccountGone: () => Effect.succeed({ created: 0, waiting: 0 }),
      SyncLeaseLost: Effect.die
    })
  )

  const ingestPages = Effect.fn("Ingest.ingestPages")(function* ({ accountId, pages, poll, workspaceId }: PolledPages) {
    const heard = pages.flatMap(({ activities, requestedAt }) => ofItems(activities, Option.some(requestedAt)))
    const settled = yield* settleThreads(ports, { workspaceId, accountId, activities: heard, isLastTry: false })
    const identified = yield* identify(settled.activities)
    const { claim, notes } = poll(settled.waiting)
    const now = yield* DateTime.now
    let created = 0
    const changed = new Set<string>()
    for (let start = 0; start === 0 || start < identified.length; start += unitSize) {
      const isLast = start + unitSize >= identified.length
      const before = created
      const known = new Set(changed)
      const receipt = yield* store.ingest({
        workspaceId,
        accountId,
        activities: identified.slice(start, start + unitSize),
        now,
        completes: [],
        poll: Option.some({
          claim,
          notes: (outcome) =>
            isLast
              ? notes({ created: before + outcome.created, changed: new Set([...known, ...outcome.changed]) })
              : { feeds: [], read: 0, backfill: Option.none() }
        })
      })
      created += receipt.created
      for (const key of receipt.changed) changed.add(key)
    }
    const outcome: IngestOutcome = { created, changed }
    return outcome
  })

  const ingest = Effect.fn("Ingest.ingest")(function* (request: IngestRequest) {
    const routes = yield* accounts.findRoutes(accountNamesOf(request.activities))
    const { units, unrouted } = routeActivities(request.activities, routes)
    if (unrouted > 0) yield* Metric.update(inboxMetrics.unrouted, unrouted)
    const exits = yield* Effect.forEach(units, (unit) => Effect.exit(storeUnit(unit, request)), {
      concurrency: unitsAtOnce
    })
    const failures: Array<string> = []
    let created = 0
    let waiting = 0
    for (const exit of exits) {
      if (Exit.isSuccess(exit)) {
        created += exit.value.created
        waiting += exit.value.waiting
      } else if (Cause.hasDies(exit.cause)) {
        yield* Effect.logError("a unit of a delivery was not stored", exit.cause)
        failures.push("internal error")
      } else {
        // Unavailable or interrupted: the neighbours are stored, the whole is tried again.
        return yield* Effect.failCause(exit.cause)
      }
    }
    const report: IngestReport = { created, unrouted, waiting, failures }
    return report
  })

  return Ingest.of({ ingest, ingestPages })
})
