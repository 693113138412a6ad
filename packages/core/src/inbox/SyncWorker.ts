import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { InboxPlans } from "../access/InboxPlans.ts"
import { Connectors } from "../connectors/Connectors.ts"
import { type Network, networks, sourcesOf } from "../connectors/Source.ts"
import { toBase32 } from "../kernel/Ids.ts"
import { LeaseClock } from "../kernel/LeaseClock.ts"
import { Workspaces } from "../plans/Workspaces.ts"
import { AccountTokens } from "./AccountTokens.ts"
import { backfillAccount } from "./backfillAccount.ts"
import { claimLoop } from "./claimLoop.ts"
import { SyncLeaseLost } from "./InboxErrors.ts"
import * as inboxMetrics from "./inboxMetrics.ts"
import { InboxStore } from "./InboxStore.ts"
import { Ingest } from "./Ingest.ts"
import { type AccountPoll, pollAccount, type PollOutcome } from "./pollAccount.ts"
import { type JudgedFailure, reconnectRequired, unanswered } from "./syncFailures.ts"
import type { AccountSync, PollState, SyncError } from "./SyncRun.ts"
import { type SyncClaim, type SyncSettlement, SyncStore, type SyncWork } from "./SyncStore.ts"

export interface SyncWorkerOptions {
  /** Between two polls of one account, give or take a tenth; none: only when somebody asks. */
  readonly every: Option.Option<Duration.Duration>
  /** Accounts of one network that this process works on at once: one that hangs takes no other's place. */
  readonly atOnce: number
  readonly lease: Duration.Input
  /** The net under the words that somebody asked. */
  readonly pollEvery: Duration.Input
  /** One account's poll is cut off after so long; what it has read is stored. */
  readonly timeLimit: Duration.Input
}

export const defaultOptions: SyncWorkerOptions = {
  every: Option.some(Duration.minutes(5)),
  atOnce: 8,
  lease: "30 seconds",
  pollEvery: "1 second",
  timeLimit: "2 minutes"
}

type Ports = SyncStore | InboxStore | Ingest | AccountTokens | Connectors | Workspaces | SecureRandom

/**
 * Polls accounts that are due, and those that somebody asked for, as long as its scope lives.
 *
 * One worker at a time has an account. A worker that dies loses nothing: another goes on when its lease ends, and what
 * it had stored changes nothing the second time.
 */
export const layer = (given: Partial<SyncWorkerOptions> = {}): Layer.Layer<never, never, Ports> =>
  Layer.effectDiscard(work({ ...defaultOptions, ...given }))

const work = Effect.fnUntraced(function* (options: SyncWorkerOptions) {
  const store = yield* SyncStore
  const random = yield* SecureRandom
  const leaseNow = yield* LeaseClock
  const run = yield* makeRun(options)
  const claim = (network: Network) =>
    Effect.fnUntraced(
      function* (limit: number) {
        const now = yield* leaseNow
        return yield* store.claim({
          network,
          limit,
          isAutomatic: Option.isSome(options.every),
          token: toBase32(yield* random.randomBytes(16)),
          now: yield* DateTime.now,
          leaseNow: now,
          leaseUntil: DateTime.addDuration(now, options.lease)
        })
      },
      Effect.catchTag("StoreUnavailable", (error) =>
        Effect.as(Effect.logWarning("the sync worker waits for its store", error), [])
      )
    )
  for (const network of networks) {
    yield* claimLoop({ ...options, claim: claim(network), run, wakeUps: store.requests })
  }
})

/** Works on one claimed account until it is settled; never fails. */
const makeRun = Effect.fnUntraced(function* (options: SyncWorkerOptions) {
  const syncs = yield* SyncStore
  const store = yield* InboxStore
  const ingest = yield* Ingest
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors
  const workspaces = yield* Workspaces
  const plans = yield* InboxPlans
  const leaseNow = yield* LeaseClock
  const ports = { ingest, store }

  const nextPollAt = Effect.fnUntraced(function* ({ wait }: PollState) {
    if (Option.isNone(options.every)) return Option.none<DateTime.Utc>()
    const share = yield* Random.nextBetween(0.9, 1.1)
    const regular = DateTime.addDuration(yield* DateTime.now, Duration.times(options.every.value, share))
    return Option.some(
      Option.match(wait, { onNone: () => regular, onSome: ({ until }) => DateTime.max(until, regular) })
    )
  })

  /** Whether the workspace's plan has anything of this network: nothing else is read, for some of it costs. */
  const isInPlan = Effect.fnUntraced(function* ({ network, workspaceId }: SyncClaim) {
    const workspace = yield* workspaces.find(workspaceId)
    return Option.exists(workspace, ({ plan }) => sourcesOf(network).some((source) => plans[plan].has(source)))
  })

  const settle = Effect.fnUntraced(function* (claim: SyncClaim, settlement: SyncSettlement) {
    yield* syncs.settle(claim, settlement, yield* DateTime.now)
    for (const { errors } of Option.toArray(settlement.poll)) {
      const outcome = errors[0]?.code ?? "ok"
      yield* Metric.update(Metric.withAttributes(inboxMetrics.polls, { network: claim.network, outcome }), 1)
    }
  })

  /** Everybody who waits is told the same, without a call. */
  const giveUp = Effect.fnUntraced(function* (claim: SyncClaim, work: SyncWork, errors: ReadonlyArray<SyncError>) {
    const next = yield* nextPollAt(claim.state)
    const told = { ...resultOf(claim, work, errors), nextPollAt: next }
    yield* settle(claim, {
      poll: Option.some(told),
      backfills: work.backfills.map(({ progress, runId }) => ({
        runId,
        result: {
          ...told,
          newItems: progress.accepted,
          backfill: Option.some({ ...progress, stopReason: "upstream_failed" })
        }
      })),
      state: claim.state,
      nextPollAt: next
    })
  })

  const workOn = Effect.fnUntraced(function* (claim: SyncClaim, work: SyncWork, poll: AccountPoll) {
    const backfills: Array<{ readonly runId: (typeof work.backfills)[number]["runId"]; readonly result: AccountSync }> =
      []
    const failures: Array<JudgedFailure> = []
    for (const task of work.backfills) {
      const { failures: failed, result } = yield* backfillAccount(ports, poll, task)
      backfills.push({ runId: task.runId, result })
      failures.push(...failed)
    }
    const isPolled = (claim.isDue || work.isAsked) && !failures.some(({ stops }) => stops === "account")
    const polled = isPolled ? Option.some(yield* pollAccount(ports, poll)) : Option.none<PollOutcome>()
    return { backfills, failures, polled }
  })

  const attempt = Effect.fnUntraced(function* (claim: SyncClaim) {
    const work = yield* syncs.read(claim)
    if (!(yield* isInPlan(claim))) return yield* giveUp(claim, work, [])
    const account = yield* Effect.asSome(tokens.open(claim.workspaceId, claim.accountId)).pipe(
      Effect.catchTag("AccountUnusable", () => Effect.succeedNone)
    )
    if (Option.isNone(account)) return yield* giveUp(claim, work, [reconnectRequired])
    const connector = connectors.byNetwork[claim.network]
    const poll = { claim, account: account.value, connector, feeds: work.feeds }
    const step = connector.pollSteps[0] ?? "token"
    const done = yield* workOn(claim, work, poll).pipe(
      Effect.timeoutOption(options.timeLimit),
      // A connector that dies on an answer must not be asked the same at once, again and again.
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logError("an account could not be polled", defect), Option.none())
      )
    )
    // It is told with what was stored until then.
    if (Option.isNone(done)) return yield* giveUp(claim, yield* syncs.read(claim), [unanswered(step)])
    const { backfills, failures, polled } = done.value
    const state = Option.match(polled, {
      onNone: () => waitFor(claim.state, failures),
      onSome: (outcome) => outcome.state
    })
    const next = yield* nextPollAt(state)
    yield* settle(claim, {
      poll: Option.map(polled, ({ failures: failed, newItems, read }) => ({
        ...resultOf(
          claim,
          { read: work.read + read, newItems: work.newItems + newItems },
          failed.map(({ error }) => error)
        ),
        nextPollAt: next
      })),
      backfills: backfills.map(({ result, runId }) => ({ runId, result: { ...result, nextPollAt: next } })),
      state,
      nextPollAt: next
    })
  })

  /** Ends with the lease. */
  const heartbeat = (claim: SyncClaim) =>
    Effect.gen(function* () {
      yield* Effect.sleep(Duration.times(Duration.fromInputUnsafe(options.lease), 1 / 3))
      const leaseUntil = DateTime.addDuration(yield* leaseNow, options.lease)
      const isHeld = yield* syncs.extend(claim, leaseUntil).pipe(
        // The lease may outlive a store that is away for a moment; its token decides.
        Effect.catchTag("StoreUnavailable", () => Effect.succeed(true))
      )
      if (!isHeld) return yield* new SyncLeaseLost({ accountId: claim.accountId })
    }).pipe(Effect.forever)

  return Effect.fn("SyncWorker.run")(
    function* (claim: SyncClaim) {
      yield* attempt(claim).pipe(
        Effect.raceFirst(heartbeat(claim)),
        // A shutdown: another worker goes on at once.
        Effect.onInterrupt(() => Effect.ignore(syncs.release(claim)))
      )
    },
    Effect.catchTags({
      SyncLeaseLost: () => Effect.logDebug("an account's poll went to another worker"),
      AccountGone: () => Effect.logDebug("an account was disconnected during its poll"),
      StoreUnavailable: (error) => Effect.logWarning("an account's poll was not settled; its lease will end", error)
    }),
    Effect.catchDefect((defect) => Effect.logError("an account's poll could not be ended; its lease will end", defect)),
    (effect, claim) => Effect.annotateLogs(effect, { account_id: claim.accountId, network: claim.network })
  )
})

const resultOf = (
  { accountId, network }: SyncClaim,
  { newItems, read }: Pick<SyncWork, "read" | "newItems">,
  errors: ReadonlyArray<SyncError>
): AccountSync => ({ accountId, network, read, newItems, nextPollAt: Option.none(), errors, backfill: Option.none() })

/** A limit that a backfill met holds for the polls, too. */
const waitFor = (state: PollState, failures: ReadonlyArray<JudgedFailure>): PollState => {
  const [wait] = failures.flatMap(({ error, stops, until }) =>
    stops === "account" && Option.isSome(until) ? [{ until: until.value, error }] : []
  )
  return wait === undefined ? state : { ...state, wait: Option.some(wait) }
}
