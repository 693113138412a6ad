import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { inboxPlans } from "../access/InboxPlans.ts"
import { whileLeased } from "../kernel/lease/whileLeased.ts"
import { Connectors, connectorTo } from "../networks/Connectors.ts"
import { Networks } from "../networks/Networks.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { AccountTokens } from "../accounts/AccountTokens.ts"
import { isFor } from "../accounts/SocialAccount.ts"
import { backfillAccount, endOf } from "./backfillAccount.ts"
import { claimLoop } from "../kernel/lease/claimLoop.ts"
import * as syncMetrics from "./syncMetrics.ts"
import { IngestStore } from "../inbox/IngestStore.ts"
import { Ingest } from "../inbox/Ingest.ts"
import type { AccountPoll } from "./AccountPoll.ts"
import { pollAccount, type PollOutcome } from "./pollAccount.ts"
import { type JudgedFailure, reconnectRequired, stopReasonOf, unanswered } from "../sync/syncFailures.ts"
import { defaultQuietFactor, pauseOf, type PollLife } from "../sync/pollPace.ts"
import { excludedByPlan, failuresOf, type PollFacts } from "../sync/PollFacts.ts"
import type { AccountSync, PollState, SyncError } from "../sync/SyncRun.ts"
import { PollStore, type SyncClaim, type SyncSettlement, type SyncWork } from "../sync/PollStore.ts"

export interface SyncWorkerOptions {
  /** Interval between two polls of one account, plus or minus a tenth; `none`: poll only on request. */
  readonly every: Option.Option<Duration.Duration>
  /** An account in which nothing happens is polled up to so many times less often (`pauseOf`); 1: like all others. */
  readonly quietFactor: number
  /** Concurrent accounts per network, so that a slow network does not block the others. */
  readonly atOnce: number
  readonly lease: Duration.Input
  /** Fallback poll interval for requests, in case a notification is lost. */
  readonly pollEvery: Duration.Input
  /** Time limit of one account's poll; pages read before are stored. */
  readonly timeLimit: Duration.Input
}

export const defaultOptions: SyncWorkerOptions = {
  every: Option.some(Duration.minutes(5)),
  quietFactor: defaultQuietFactor,
  atOnce: 8,
  lease: "30 seconds",
  pollEvery: "1 second",
  timeLimit: "2 minutes"
}

/**
 * How often an account is looked at whose plan lacks its network, or that is not for the inbox. A change of plan makes it
 * due at once (`Workspaces.update`), and so does connecting it again; this covers a change during the look, and another table of plans.
 */
const planLooks = Duration.days(1)

/** An account that must be connected again, as its status says, or that is not for the inbox. */
const unread: PollFacts = { failures: [], isRead: false }

/** A backfill that ended in this attempt. */
type EndedBackfill = SyncSettlement["backfills"][number]

type Ports = PollStore | IngestStore | Ingest | AccountTokens | Connectors | Workspaces | SecureRandom

/**
 * Polls due and requested accounts until its scope closes.
 *
 * Only one worker at a time polls an account. If a worker crashes, another continues when the lease expires; storing
 * the same pages again changes nothing.
 */
export const layer = (given: Partial<SyncWorkerOptions> = {}): Layer.Layer<never, never, Ports> =>
  Layer.effectDiscard(work({ ...defaultOptions, ...given }))

const work = Effect.fnUntraced(function* (options: SyncWorkerOptions) {
  const store = yield* PollStore
  const run = yield* makeRun(options)
  const isAutomatic = Option.isSome(options.every)
  for (const network of (yield* Networks).networks) {
    yield* claimLoop({
      ...options,
      loop: "sync.claim",
      claim: (request) => Effect.flatMap(DateTime.now, (now) => store.claim({ ...request, network, isAutomatic, now })),
      run,
      wakeUps: { loop: "sync.wakeUps", hints: store.requests }
    }).pipe(Effect.annotateLogs({ network }))
  }
})

/** Processes one claimed account until it is settled; never fails. */
const makeRun = Effect.fnUntraced(function* (options: SyncWorkerOptions) {
  const polls = yield* PollStore
  const store = yield* IngestStore
  const ingest = yield* Ingest
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors
  const workspaces = yield* Workspaces
  const networks = yield* Networks
  const plans = yield* inboxPlans
  const ports = { ingest, store }

  /** When an account is polled next, by how alive it is; `isAlive`: it was just now. Nothing without automatic polls. */
  const plan = Effect.fnUntraced(function* (
    { aliveAt }: SyncClaim,
    { wait }: PollState,
    { atLeast = Duration.zero, isAlive = false } = {}
  ) {
    if (Option.isNone(options.every)) return { nextPollAt: Option.none<DateTime.Utc>() }
    const every = options.every.value
    const now = yield* DateTime.now
    const life: PollLife = { aliveAt: isAlive ? now : (aliveAt ?? now), every }
    const share = yield* Random.nextBetween(0.9, 1.1)
    const pause = pauseOf({ every, quietFactor: options.quietFactor }, life.aliveAt, now)
    const regular = DateTime.addDuration(now, Duration.times(Duration.max(pause, atLeast), share))
    const due = Option.match(wait, { onNone: () => regular, onSome: ({ until }) => DateTime.max(until, regular) })
    return { nextPollAt: Option.some(due), life }
  })

  /**
   * Whether the workspace's plan includes a source of this network. Others are not read, because some networks charge
   * for reads.
   */
  const isInPlan = Effect.fnUntraced(function* ({ network, workspaceId }: SyncClaim) {
    const workspace = yield* workspaces.find(workspaceId)
    return Option.exists(workspace, ({ plan }) => networks.sourcesOf(network).some((source) => plans[plan].has(source)))
  })

  const settle = Effect.fnUntraced(function* (claim: SyncClaim, settlement: SyncSettlement) {
    yield* polls.settle(claim, settlement, yield* DateTime.now)
    for (const { errors } of Option.toArray(settlement.poll)) {
      const outcome = errors[0]?.code ?? "ok"
      yield* Metric.update(Metric.withAttributes(syncMetrics.polls, { network: claim.network, outcome }), 1)
    }
  })

  /**
   * Settles without calls, with the same result for all waiting runs. Backfills that ended before keep their result.
   */
  const giveUp = Effect.fnUntraced(function* (
    claim: SyncClaim,
    work: SyncWork,
    errors: ReadonlyArray<SyncError>,
    facts: PollFacts,
    ended: ReadonlyArray<EndedBackfill> = [],
    atLeast = Duration.zero
  ) {
    const planned = yield* plan(claim, claim.state, { atLeast })
    const next = planned.nextPollAt
    const told = { ...resultOf(claim, work, errors), nextPollAt: next }
    const [error] = errors
    const reason = error === undefined ? "upstream_failed" : stopReasonOf(error)
    yield* settle(claim, {
      poll: Option.some(told),
      backfills: work.backfills.map(({ input, progress, runId }) => {
        const own = ended.find((one) => one.runId === runId)
        if (own !== undefined) return { runId, result: { ...own.result, nextPollAt: next } }
        const stopReason = endOf(progress, input.maxItems) ?? reason
        const backfill = Option.some({ ...progress, stopReason })
        return { runId, result: { ...told, newItems: progress.accepted, backfill } }
      }),
      facts: Option.some(facts),
      state: claim.state,
      ...planned
    })
  })

  /** Adds each backfill to `backfills` when it ends, so that a time-out does not lose it. */
  const workOn = Effect.fnUntraced(function* (
    claim: SyncClaim,
    work: SyncWork,
    poll: AccountPoll,
    backfills: Array<EndedBackfill>
  ) {
    const failures: Array<JudgedFailure> = []
    for (const task of work.backfills) {
      const { failures: failed, result } = yield* backfillAccount(ports, poll, task)
      backfills.push({ runId: task.runId, result })
      failures.push(...failed)
    }
    const isPolled = (claim.isDue || work.isAsked) && !failures.some(({ stops }) => stops === "account")
    const polled = isPolled ? Option.some(yield* pollAccount(ports, poll)) : Option.none<PollOutcome>()
    return { failures, polled }
  })

  const attempt = Effect.fnUntraced(function* (claim: SyncClaim) {
    const work = yield* polls.read(claim)
    if (!(yield* isInPlan(claim))) return yield* giveUp(claim, work, [], excludedByPlan, [], planLooks)
    const account = yield* Effect.asSome(tokens.open(claim.workspaceId, claim.accountId)).pipe(
      Effect.catchTag("AccountUnusable", () => Effect.succeedNone)
    )
    if (Option.isNone(account)) return yield* giveUp(claim, work, [reconnectRequired], unread)
    if (!isFor(account.value.account, "inbox")) return yield* giveUp(claim, work, [], unread, [], planLooks)
    const connector = connectorTo(connectors, claim.network)
    const poll = { claim, account: account.value, connector, networks, feeds: work.feeds, isAsked: work.isAsked }
    const step = connector.pollSteps[0] ?? "token"
    const backfills: Array<EndedBackfill> = []
    const done = yield* workOn(claim, work, poll, backfills).pipe(
      Effect.timeoutOption(options.timeLimit),
      // A connector that dies on an answer must not be called again at once with the same request.
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logError("an account could not be polled", defect), Option.none())
      )
    )
    // Reports the pages that were stored before the time-out.
    if (Option.isNone(done)) {
      const errors = [unanswered(step)]
      const facts = { failures: failuresOf(errors), isRead: true }
      return yield* giveUp(claim, yield* polls.read(claim), errors, facts, backfills)
    }
    const { failures, polled } = done.value
    const state = Option.match(polled, {
      onNone: () => waitFor(claim.state, failures),
      onSome: (outcome) => outcome.state
    })
    const isAlive = work.isAsked || work.backfills.length > 0 || Option.exists(polled, ({ newItems }) => newItems > 0)
    const planned = yield* plan(claim, state, { isAlive })
    const next = planned.nextPollAt
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
      facts: Option.map(polled, ({ failures: failed }) => ({
        failures: failuresOf(failed.map(({ error }) => error)),
        isRead: true
      })),
      state,
      ...planned
    })
  })

  /** Whoever asked for it would wait for the end of the lease: the next claim finds nothing to read, and ends it. */
  const handBack = (claim: SyncClaim) =>
    Effect.andThen(Effect.logDebug("an account was disconnected during its poll"), polls.release(claim))

  return Effect.fn("SyncWorker.run")(
    (claim: SyncClaim) =>
      whileLeased(
        Effect.catchTag(attempt(claim), "AccountGone", () => handBack(claim)),
        {
          lease: options.lease,
          renew: (until) => polls.renew(claim, until),
          release: () => polls.release(claim)
        }
      ),
    Effect.catchTags({
      LeaseLost: () => Effect.logDebug("an account's poll went to another worker"),
      StoreUnavailable: (error) => Effect.logWarning("an account's poll was not settled; its lease will end", error)
    }),
    (effect, claim) => Effect.annotateLogs(effect, { account_id: claim.accountId, network: claim.network })
  )
})

const resultOf = (
  { accountId, network }: SyncClaim,
  { newItems, read }: Pick<SyncWork, "read" | "newItems">,
  errors: ReadonlyArray<SyncError>
): AccountSync => ({ accountId, network, read, newItems, nextPollAt: Option.none(), errors, backfill: Option.none() })

/** A rate limit of a backfill applies to the polls, too. */
const waitFor = (state: PollState, failures: ReadonlyArray<JudgedFailure>): PollState => {
  const [wait] = failures.flatMap(({ error, stops, until }) =>
    stops === "account" && Option.isSome(until) ? [{ until: until.value, error }] : []
  )
  return wait === undefined ? state : { ...state, wait: Option.some(wait) }
}
