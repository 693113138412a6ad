import type * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import { revivableFor } from "../access/AccountAdministration.ts"
import { eraseDue } from "../accounts/eraseDue.ts"
import { carryOutDeletions } from "./carryOutDeletions.ts"
import { DeletionRequests } from "../connecting/DeletionRequests.ts"
import { ConnectSessionStore } from "../connecting/ConnectSessionStore.ts"
import { Erasures } from "../accounts/Erasures.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { sweepInTurn } from "../kernel/lease/sweepInTurn.ts"
import { noteSwept } from "../kernel/sweepMetrics.ts"
import { supervised } from "../kernel/lease/supervised.ts"
import { Connectors } from "../networks/Connectors.ts"
import { InboxEvents } from "../feed/InboxEvents.ts"
import * as inboxMetrics from "../inbox/inboxMetrics.ts"
import { OutgoingQueue } from "../outgoing/OutgoingQueue.ts"
import { type CounterDrift, UnreadCounters } from "../inbox/UnreadCounters.ts"
import { SearchWords } from "../inbox/SearchWords.ts"
import { SyncStore } from "../sync/SyncStore.ts"
import { WebhookDeliveries } from "../webhooks/WebhookDeliveries.ts"

/** How long rows are kept (design §8). */
const kept = {
  events: { hours: 24 },
  doneDeliveries: { days: 7 },
  failedDeliveries: { days: 30 },
  outgoingDeliveries: { days: 30 },
  syncRuns: { days: 30 },
  confirmations: { hours: 24 },
  connectAttempts: { hours: 1 },
  connectSessions: { days: 7 },
  // A person may ask for long whether it was done.
  deletions: { days: 400 }
} as const

/** Maximum number of rows per transaction. */
const batchSize = 1_000

/** Events per call, which deletes them in steps. Each call must first find its position again. */
const eventsAtOnce = 100_000

/** Items whose words are made in one transaction. */
const wordsAtOnce = 500

/** How often one of the processes compares the counters with the items (design §4). */
const compareEvery = Duration.days(1)

/**
 * How often a process checks whether the comparison is due, and whether the counters that it found wrong still are: once
 * they were repaired, its gauge must say so.
 */
const lookEvery = "30 seconds"

/**
 * Periodically deletes expired data of the inbox, in one of the processes at a time: old events, ended deliveries and syncs, disconnected accounts,
 * sessions in which accounts were connected. Compares the unread counters once a day. A wrong counter is a bug, so it is logged, not silently corrected.
 */
export const layer = (options: {
  readonly every: Duration.Input
}): Layer.Layer<
  never,
  never,
  | InboxEvents
  | UnreadCounters
  | WebhookDeliveries
  | OutgoingQueue
  | Erasures
  | SyncStore
  | ConnectSessionStore
  | DeletionRequests
  | SearchWords
  | Connectors
> => Layer.effectDiscard(Effect.andThen(sweepEvery(options.every), compare()))

const compare = Effect.fnUntraced(function* () {
  const store = yield* UnreadCounters
  let wrong: ReadonlyArray<CounterDrift> = []
  const note = (drifts: ReadonlyArray<CounterDrift>) => {
    wrong = drifts
    return Metric.update(inboxMetrics.drift, drifts.length)
  }
  const look = Effect.gen(function* () {
    const compared = yield* store.compareDue({ now: yield* DateTime.now, every: compareEvery })
    if (Option.isSome(compared)) {
      yield* note(compared.value)
      for (const drift of compared.value) yield* Effect.logError("an unread counter is wrong", drift)
    } else if (wrong.length > 0) {
      const workspaceIds = [...new Set(wrong.map(({ workspaceId }) => workspaceId))]
      yield* note(yield* store.compare({ repair: false, workspaceIds }))
    }
  })
  yield* supervised("inbox.counters", look, { every: lookEvery })
})

const sweepEvery = Effect.fnUntraced(function* (every: Duration.Input) {
  const events = yield* InboxEvents
  const deliveries = yield* WebhookDeliveries
  const outgoing = yield* OutgoingQueue
  const erasures = yield* Erasures
  const syncs = yield* SyncStore
  const connecting = yield* ConnectSessionStore
  const deletions = yield* DeletionRequests
  const words = yield* SearchWords
  const deleting = yield* Effect.context<DeletionRequests | Erasures | Connectors>()
  const { redact } = yield* Connectors
  const sweep = Effect.gen(function* () {
    const now = yield* DateTime.now
    const ended = {
      done: DateTime.subtract(now, kept.doneDeliveries),
      failed: DateTime.subtract(now, kept.failedDeliveries)
    }
    const begun = {
      runs: DateTime.subtract(now, kept.syncRuns),
      confirmations: DateTime.subtract(now, kept.confirmations)
    }
    const expired = {
      attempts: DateTime.subtract(now, kept.connectAttempts),
      sessions: DateTime.subtract(now, kept.connectSessions)
    }
    const parts = {
      erasures: Effect.provideService(eraseDue(DateTime.subtract(now, revivableFor), redact), Erasures, erasures),
      events: untilDone(events.removeOlder(DateTime.subtract(now, kept.events), eventsAtOnce), eventsAtOnce),
      deliveries: untilDone(deliveries.removeOlder(ended, batchSize), batchSize),
      outgoing: untilDone(outgoing.removeOlder(DateTime.subtract(now, kept.outgoingDeliveries), batchSize), batchSize),
      syncs: untilDone(syncs.removeOlder(begun, batchSize), batchSize),
      deletions: Effect.provideContext(carryOutDeletions, deleting),
      oldDeletions: untilDone(deletions.removeOlder(DateTime.subtract(now, kept.deletions), batchSize), batchSize),
      connecting: untilDone(connecting.removeOlder(expired, batchSize), batchSize),
      // Last, for after an update every item may be without.
      words: untilDone(words.fill(wordsAtOnce), wordsAtOnce)
    }
    yield* each(parts)
  })
  // An unavailable part was logged and waits for the next sweep; the others are done.
  const sweepOnce = Effect.catchTag(
    sweepInTurn("inbox", Duration.fromInputUnsafe(every), sweep),
    "StoreUnavailable",
    () => Effect.void
  )
  yield* supervised("inbox.sweep", sweepOnce, { every })
})

/** Sweeps every part, also after a failed one; fails with the error of the first failed part. */
const each = Effect.fnUntraced(function* (parts: Readonly<Record<string, Effect.Effect<void, StoreUnavailable>>>) {
  const failures: Array<Cause.Cause<StoreUnavailable>> = []
  for (const [part, sweep] of Object.entries(parts)) {
    const exit = yield* Effect.exit(sweep)
    if (Exit.isSuccess(exit)) {
      yield* noteSwept(part)
      continue
    }
    failures.push(exit.cause)
    yield* Effect.logWarning("a part of the inbox was not swept", exit.cause).pipe(Effect.annotateLogs({ part }))
  }
  const [first] = failures
  if (first !== undefined) return yield* Effect.failCause(first)
})

/** Repeats a batch while it is full. */
const untilDone = <E>(batch: Effect.Effect<number, E>, size: number): Effect.Effect<void, E> =>
  Effect.asVoid(Effect.repeat(batch, { while: (removed) => removed >= size }))
