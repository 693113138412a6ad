import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import { revivableFor } from "../access/AccountAdministration.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { InboxEvents } from "./InboxEvents.ts"
import * as inboxMetrics from "./inboxMetrics.ts"
import { InboxStore } from "./InboxStore.ts"
import { SyncStore } from "./SyncStore.ts"
import { WebhookDeliveries } from "./WebhookDeliveries.ts"

/** How long rows are kept (design §8). */
const kept = {
  events: { hours: 24 },
  doneDeliveries: { days: 7 },
  failedDeliveries: { days: 30 },
  syncRuns: { days: 30 },
  confirmations: { hours: 24 }
} as const

/** Rows in one transaction at most. */
const batchSize = 1_000

/** How often counters are compared with the items (design §4). */
const compareEvery = "1 day"

/**
 * Removes what need not be kept of the inbox, now and then: old events, ended deliveries and syncs, disconnected accounts; and
 * compares the unread counters once a day. A counter that is wrong is a bug, so it is told, not mended in silence.
 */
export const layer = (options: {
  readonly every: Duration.Input
}): Layer.Layer<never, never, InboxEvents | InboxStore | WebhookDeliveries | SocialAccounts | SyncStore> =>
  Layer.effectDiscard(Effect.andThen(sweepEvery(options.every), compare()))

const compare = Effect.fnUntraced(function* () {
  const store = yield* InboxStore
  yield* store.compareCounters({ repair: false }).pipe(
    Effect.tap((drifts) => Metric.update(inboxMetrics.drift, drifts.length)),
    Effect.flatMap(Effect.forEach((drift) => Effect.logError("an unread counter is wrong", drift), { discard: true })),
    Effect.catchTag("StoreUnavailable", (error) => Effect.logWarning("the counters were not compared", error)),
    // The first time after a day: a start is busy enough.
    Effect.delay(compareEvery),
    Effect.forever,
    Effect.forkScoped
  )
})

const sweepEvery = Effect.fnUntraced(function* (every: Duration.Input) {
  const events = yield* InboxEvents
  const deliveries = yield* WebhookDeliveries
  const accounts = yield* SocialAccounts
  const syncs = yield* SyncStore
  const sweep = Effect.gen(function* () {
    const now = yield* DateTime.now
    const ended = {
      done: DateTime.subtract(now, kept.doneDeliveries),
      failed: DateTime.subtract(now, kept.failedDeliveries)
    }
    yield* untilDone(events.removeOlder(DateTime.subtract(now, kept.events), batchSize), batchSize)
    yield* untilDone(deliveries.removeOlder(ended, batchSize), batchSize)
    const begun = {
      runs: DateTime.subtract(now, kept.syncRuns),
      confirmations: DateTime.subtract(now, kept.confirmations)
    }
    yield* untilDone(syncs.removeOlder(begun, batchSize), batchSize)
    // One account may hold a million items.
    yield* untilDone(accounts.eraseDisconnected(DateTime.subtract(now, revivableFor), 1), 1)
  })
  yield* sweep.pipe(
    Effect.catchTag("StoreUnavailable", (error) => Effect.logWarning("the inbox sweeper waits for its store", error)),
    Effect.repeat(Schedule.spaced(every)),
    Effect.forkScoped
  )
})

/** Repeats a batch as long as it is full. */
const untilDone = <E>(batch: Effect.Effect<number, E>, size: number): Effect.Effect<void, E> =>
  Effect.asVoid(Effect.repeat(batch, { while: (removed) => removed >= size }))
