import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import { AccountTokens } from "../accounts/AccountTokens.ts"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { type ReadFailed, Unavailable } from "../networks/ConnectorErrors.ts"
import { Connectors, connectorTo } from "../networks/Connectors.ts"
import { Networks } from "../networks/Networks.ts"
import type { KnownAccount } from "./AccountFacts.ts"
import { AccountHealthStore, type CheckClaim } from "./AccountHealthStore.ts"
import { checkAccount, type Checked, type CheckPlan, connectOf } from "./checkAccount.ts"
import * as healthMetrics from "./healthMetrics.ts"
import { keepUntold } from "./keepUntold.ts"
import { judgeAccount } from "./judgeAccount.ts"

export interface CheckTimes {
  /** Time between two inspections of one account, plus or minus a tenth. */
  readonly every: Duration.Duration
  /** Time limit of all calls of one check. */
  readonly timeLimit: Duration.Input
}

/** An account after a check; `failure`: why its network could not be asked who it is. */
export interface CheckOutcome {
  readonly known: KnownAccount
  readonly failure: Option.Option<ReadFailed>
}

const isRenewalDue = ({ account, facts: { renewAt } }: KnownAccount, now: DateTime.Utc): boolean =>
  account.status === "connected" && Option.exists(renewAt, DateTime.isLessThanOrEqualTo(now))

const unanswered = (network: string) =>
  new Unavailable({ network, networkCode: Option.none(), detail: "the check took too long", reason: "upstream" })

const outcomeOf = ({ notes }: Checked, failure: Option.Option<ReadFailed>): string => {
  if (Option.isNone(failure)) return "ok"
  return Option.match(notes.checks.failure, { onNone: () => "reconnect_required", onSome: ({ code }) => code })
}

/** Checks one claimed account and settles it: calls what the plan says, then judges and announces. */
export const makeRunCheck = Effect.gen(function* () {
  const store = yield* AccountHealthStore
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors
  const networks = yield* Networks

  /** A check that was cut off, or whose credentials can't be read, says nothing and is repeated later. */
  const cutOff = (
    { facts: { checks } }: CheckClaim,
    failure: ReadFailed,
    pause: Duration.Duration,
    now: DateTime.Utc
  ) => {
    const retryAt = DateTime.addDuration(now, pause)
    const told = {
      code: "network_unavailable" as const,
      networkCode: failure.networkCode,
      missingPermissions: [],
      retryAt
    }
    const next = { ...checks, nextAt: Option.some(retryAt), failure: Option.some(told) }
    return {
      notes: { checks: next, permissions: Option.none(), names: Option.none() },
      failure: Option.some(failure)
    } satisfies Checked
  }

  const ask = Effect.fnUntraced(function* (claim: CheckClaim, plan: CheckPlan, { every, timeLimit }: CheckTimes) {
    const { account, facts } = claim
    const now = yield* DateTime.now
    if (!plan.inspects && !plan.subscribes && !isRenewalDue(claim, now)) return Option.none<Checked>()
    const opened = yield* tokens.open(account.workspaceId, account.id).pipe(
      Effect.asSome,
      Effect.catchTag("AccountUnusable", () => Effect.succeedNone)
    )
    // Not connected any more, or its credentials can't be read, which the log has; a poll meets the same.
    if (Option.isNone(opened)) {
      const checks = { ...facts.checks, nextAt: Option.some(DateTime.addDuration(now, every)) }
      return Option.some<Checked>({
        notes: { checks, permissions: Option.none(), names: Option.none() },
        failure: Option.none()
      })
    }
    const part = connectOf(connectorTo(connectors, account.network), account)
    // A token is renewed by any use of it.
    const check =
      plan.inspects || plan.subscribes
        ? Effect.map(checkAccount(opened.value, part, plan, facts.checks, every), (checked) =>
            keepUntold(networks, account, checked)
          )
        : Effect.as(Effect.ignore(opened.value.use(() => Effect.void)), {
            notes: { checks: facts.checks, permissions: Option.none(), names: Option.none() },
            failure: Option.none()
          } satisfies Checked)
    const failed = cutOff(claim, unanswered(account.network), every, now)
    return yield* check.pipe(
      Effect.timeoutOption(timeLimit),
      Effect.map(Option.orElse(() => Option.some<Checked>(failed))),
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logError("an account could not be checked", defect), Option.some<Checked>(failed))
      )
    )
  })

  return Effect.fnUntraced(function* (
    claim: CheckClaim,
    plan: CheckPlan,
    times: CheckTimes
  ): Effect.fn.Return<CheckOutcome, LeaseLost | StoreUnavailable> {
    const { network } = claim.account
    const checked = yield* ask(claim, plan, times)
    const now = yield* DateTime.now
    const judge = judgeAccount(networks, now)
    const known = yield* store.settle(
      claim,
      Option.map(checked, ({ notes }) => notes),
      judge,
      now
    )
    const failure = Option.flatMap(checked, (one) => one.failure)
    if (Option.isSome(checked)) {
      const outcome = outcomeOf(checked.value, failure)
      yield* Metric.update(Metric.withAttributes(healthMetrics.checks, { network, outcome }), 1)
    }
    return { known, failure }
  })
})
