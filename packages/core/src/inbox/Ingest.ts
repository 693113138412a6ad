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
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import { Connectors } from "../networks/Connectors.ts"
import { Networks } from "../networks/Networks.ts"
import type { InboundActivity, Posted } from "../networks/InboundActivity.ts"
import { nextInboxItemId, type SocialAccountId, type WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { isUnreadableRow } from "../kernel/UnreadableRow.ts"
import type { AccountGone } from "../accounts/AccountErrors.ts"
import { AccountTokens } from "../accounts/AccountTokens.ts"
import { type Arrival, isOfItem } from "../items/Arrival.ts"
import type { ItemActivity } from "../items/mergeActivity.ts"
import { type PollNotes, PollStore } from "../sync/PollStore.ts"
import { findMissingAnnounced, isAwaited } from "./announced.ts"
import { makeHearing } from "./hearing.ts"
import * as inboxMetrics from "./inboxMetrics.ts"
import { type IngestOutcome, type IngestPoll, type IngestUnit, IngestStore } from "./IngestStore.ts"
import { accountNamesOf, routeActivities, type RoutedUnit } from "./routeActivities.ts"
import { settleThreads } from "./settleThreads.ts"

export interface IngestRequest {
  readonly activities: ReadonlyArray<InboundActivity>
  /** The deliveries that contain it, so that each of their units is done once. */
  readonly deliveryIds: ReadonlyArray<string>
  /** The last attempt: an unknown thread key becomes the parent's id, and nothing waits any longer. */
  readonly isLastTry: boolean
}

export interface IngestReport {
  readonly created: number
  /** Number of activities without a connected account. */
  readonly unrouted: number
  /**
   * Number of activities with an unknown thread, and of announced items that are not known yet: repeat the request
   * later.
   */
  readonly waiting: number
  /** Why units were not stored, if a retry does not help. */
  readonly failures: ReadonlyArray<string>
}

/** The pages that a poll read of one account. */
export interface PolledPages {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly pages: ReadonlyArray<{
    readonly activities: ReadonlyArray<InboundActivity>
    /** The time that the page describes. */
    readonly requestedAt: DateTime.Utc
  }>
  /** The progress to store with the last of the items. `waiting`: the items with an unknown thread, which are not stored. */
  readonly poll: (waiting: ReadonlyArray<Posted>) => IngestPoll
}

/** Concurrent units of one delivery; each is one transaction. */
const unitsAtOnce = 4

/** Maximum number of activities in one transaction. */
const unitSize = 1_000

/** Driving service: turns activities into items, threads and events, once each, in any order of arrival. */
export class Ingest extends Context.Service<
  Ingest,
  {
    /**
     * Stores activities for every account that they belong to, each account in its own transaction. A failed account
     * does not stop the others; the request may be repeated.
     */
    readonly ingest: (request: IngestRequest) => Effect.Effect<IngestReport, StoreUnavailable>
    /** Stores the pages and the progress of a poll. */
    readonly ingestPages: (
      pages: PolledPages
    ) => Effect.Effect<IngestOutcome, AccountGone | LeaseLost | StoreUnavailable>
  }
>()("@loopbox/core/inbox/Ingest") {
  static readonly layer: Layer.Layer<
    Ingest,
    never,
    IngestStore | PollStore | SocialAccounts | AccountTokens | Connectors | SecureRandom
  > = Layer.effect(
    Ingest,
    Effect.suspend(() => make)
  )
}

const noNotes: PollNotes = { feeds: [], read: 0, backfill: Option.none() }

const isUnread = (reason: Cause.Reason<unknown>): boolean => Cause.isDieReason(reason) && isUnreadableRow(reason.defect)

const make = Effect.gen(function* () {
  const polls = yield* PollStore
  const accounts = yield* SocialAccounts
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors
  const random = yield* SecureRandom
  const ports = { store: yield* IngestStore, tokens, connectors, networks: yield* Networks }
  const hearing = makeHearing()

  const arrive = (activity: ItemActivity, polledAt: Option.Option<DateTime.Utc>) =>
    Effect.map(nextInboxItemId(random), (newId): Arrival => ({ activity, newId, polledAt }))

  /** Stores a unit in as many transactions as it needs. The last one records what it completes, and the progress. */
  const store = Effect.fnUntraced(function* (unit: IngestUnit) {
    let created = 0
    const changed = new Set<string>()
    for (let start = 0; start === 0 || start < unit.arrivals.length; start += unitSize) {
      const isLast = start + unitSize >= unit.arrivals.length
      const before = { created, changed: Array.from(changed) }
      const receipt = yield* ports.store.ingest({
        ...unit,
        arrivals: unit.arrivals.slice(start, start + unitSize),
        completes: isLast ? unit.completes : [],
        isHeard: isLast && unit.isHeard,
        poll: Option.map(unit.poll, ({ claim, notes }) => ({
          claim,
          notes: (of) =>
            isLast
              ? notes({ created: before.created + of.created, changed: new Set([...before.changed, ...of.changed]) })
              : noNotes
        }))
      })
      created += receipt.created
      for (const key of receipt.changed) changed.add(key)
    }
    const by = Option.isSome(unit.poll) ? "poll" : "webhook"
    if (created > 0) yield* Metric.update(Metric.withAttributes(inboxMetrics.items, { by }), created)
    const outcome: IngestOutcome = { created, changed }
    return outcome
  })

  const storeUnit = Effect.fnUntraced(
    function* (unit: RoutedUnit, { deliveryIds, isLastTry }: IngestRequest) {
      const { accountId, revoked, workspaceId } = unit
      for (const { toldAt } of revoked) yield* accounts.requireReauth(workspaceId, accountId, toldAt)
      const { arrivals, waiting: unsettled } = yield* settleThreads(ports, unit, isLastTry)
      const missing = yield* findMissingAnnounced(ports.store, unit)
      const now = yield* DateTime.now
      const waiting = unsettled.length + missing.filter((one) => isAwaited(one, now)).length
      const completes = waiting === 0 ? deliveryIds : []
      const isHeard = hearing.isDue(accountId, now)
      const { created } = yield* store({
        workspaceId,
        accountId,
        arrivals,
        now,
        completes,
        isHeard,
        poll: Option.none()
      })
      if (isHeard) hearing.note(accountId, now)
      if (missing.length > 0 && waiting === 0) yield* polls.hint(workspaceId, accountId, now)
      return { created, waiting }
    },
    Effect.catchTags({
      // Erased or disconnected since the route was read: counts as not found.
      AccountGone: () => Effect.succeed({ created: 0, waiting: 0 }),
      LeaseLost: Effect.die
    })
  )

  const ingestPages = Effect.fn("Ingest.ingestPages")(function* ({ accountId, pages, poll, workspaceId }: PolledPages) {
    const read = yield* Effect.forEach(
      pages.flatMap(({ activities, requestedAt }) =>
        activities.filter(isOfItem).map((activity) => ({ activity, requestedAt }))
      ),
      ({ activity, requestedAt }) => arrive(activity, Option.some(requestedAt))
    )
    const { arrivals, waiting } = yield* settleThreads(ports, { workspaceId, accountId, arrivals: read }, false)
    const now = yield* DateTime.now
    const from = { completes: [], isHeard: false, poll: Option.some(poll(waiting)) }
    return yield* store({ workspaceId, accountId, arrivals, now, ...from })
  })

  const ingest = Effect.fn("Ingest.ingest")(function* (request: IngestRequest) {
    const routes = yield* accounts.findRoutes(accountNamesOf(request.activities))
    const { units, unrouted } = yield* routeActivities(request.activities, routes, (activity) =>
      arrive(activity, Option.none())
    )
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
      } else if (!request.isLastTry && exit.cause.reasons.some(isUnread)) {
        // Its account is a newer version's, and a process of that may take it meanwhile.
        yield* Effect.logWarning("a unit of a delivery is left to a newer version", exit.cause)
        waiting++
      } else if (Cause.hasDies(exit.cause)) {
        yield* Effect.logError("a unit of a delivery was not stored", exit.cause)
        failures.push("internal error")
      } else {
        // Unavailable or interrupted: the other units are stored, and the whole request is retried.
        return yield* Effect.failCause(exit.cause)
      }
    }
    const report: IngestReport = { created, unrouted, waiting, failures }
    return report
  })

  return Ingest.of({ ingest, ingestPages })
})
