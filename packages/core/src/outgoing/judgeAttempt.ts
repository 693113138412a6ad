import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { InboxEvent } from "../items/InboxEvent.ts"
import { mostAttempts, retryAt } from "./deliverySchedule.ts"
import type { AttemptRecord, DeliveryStatus, OutgoingDelivery } from "./OutgoingDelivery.ts"
import { OutgoingEndpoint, showEndpoint } from "./OutgoingEndpoint.ts"

/** Failed attempts in a row from which an endpoint is `failing`, before any delivery has failed for good. */
const failingAfter = 10

/** Days of nothing but failures after which an endpoint is disabled. */
const disabledAfterDays = 5

const gone = 410

/** What an attempt makes of its delivery and of the endpoint. */
export interface JudgedAttempt {
  readonly status: DeliveryStatus
  readonly attemptsInSchedule: number
  readonly nextAttemptAt: Option.Option<DateTime.Utc>
  readonly endpoint: OutgoingEndpoint
  /** What the workspace is told in the same transaction: that it began to fail, or was disabled. */
  readonly events: ReadonlyArray<InboxEvent>
}

/** A 2xx delivers. */
export const isDelivered = ({ status }: Pick<AttemptRecord, "status">): boolean =>
  Option.exists(status, (code) => code >= 200 && code < 300)

/** The receiver says that it is gone for good, which disables the endpoint. */
export const isGone = ({ status }: Pick<AttemptRecord, "status">): boolean => Option.contains(status, gone)

/**
 * Judges an attempt that ended at `at` (api-2.md §15, B5, B6): the next one by the schedule, whether the endpoint fails, and
 * whether it is disabled. An endpoint that was disabled meanwhile stays so.
 *
 * @param random From 0 to below 1, for the pause.
 */
export const judgeAttempt = (
  endpoint: OutgoingEndpoint,
  delivery: Pick<OutgoingDelivery, "attemptsInSchedule">,
  attempt: AttemptRecord,
  { at, random }: { readonly at: DateTime.Utc; readonly random: number }
): JudgedAttempt => {
  const attemptsInSchedule = delivery.attemptsInSchedule + 1
  if (isDelivered(attempt)) {
    return {
      status: "delivered",
      attemptsInSchedule,
      nextAttemptAt: Option.none(),
      endpoint: succeeded(endpoint, at),
      events: []
    }
  }
  const isLast = attemptsInSchedule >= mostAttempts
  const judged = failed(endpoint, isGone(attempt), isLast, at)
  const isDisabled = judged.status === "disabled"
  const nextAttemptAt = isDisabled ? Option.none() : retryAt(endpoint.id, attemptsInSchedule, { at, random })
  return {
    // Of a disabled endpoint nothing waits: this one has failed by its own answer.
    status: Option.isSome(nextAttemptAt) ? "pending" : "failed",
    attemptsInSchedule,
    nextAttemptAt,
    endpoint: judged,
    events: judged.status === endpoint.status ? [] : [{ _tag: "EndpointFailing", endpoint: showEndpoint(judged) }]
  }
}

const succeeded = (endpoint: OutgoingEndpoint, at: DateTime.Utc): OutgoingEndpoint =>
  new OutgoingEndpoint({
    ...endpoint,
    status: endpoint.status === "disabled" ? "disabled" : "enabled",
    lastSuccessAt: Option.some(at),
    failingSince: Option.none(),
    failuresInRow: 0
  })

const failed = (endpoint: OutgoingEndpoint, isGone: boolean, isLast: boolean, at: DateTime.Utc): OutgoingEndpoint => {
  const failingSince = Option.getOrElse(endpoint.failingSince, () => at)
  const failuresInRow = endpoint.failuresInRow + 1
  const counted = {
    ...endpoint,
    lastFailureAt: Option.some(at),
    failingSince: Option.some(failingSince),
    failuresInRow
  }
  if (endpoint.status === "disabled") return new OutgoingEndpoint(counted)
  const isTooLong = DateTime.isGreaterThanOrEqualTo(at, DateTime.add(failingSince, { days: disabledAfterDays }))
  if (isGone || isTooLong) {
    return new OutgoingEndpoint({
      ...counted,
      status: "disabled",
      statusReason: Option.some(isGone ? "gone" : "failures")
    })
  }
  const isFailing = endpoint.status === "failing" || isLast || failuresInRow >= failingAfter
  return new OutgoingEndpoint({ ...counted, status: isFailing ? "failing" : "enabled" })
}
