import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { AccountUnusable } from "../accounts/AccountErrors.ts"
import type { TargetFailure } from "../items/ShownPost.ts"
import type { WriteFailed } from "../networks/ConnectorErrors.ts"
import type { Published } from "../networks/publishing/Publication.ts"
import type { PreparationStep } from "../networks/publishing/NetworkPublish.ts"
import type { NotYet, PreparationFailed } from "../networks/publishing/PublishErrors.ts"
import { nextLook } from "../outbound/nextLook.ts"
import {
  Delayed,
  FailedTarget,
  NeedsReconciliation,
  OutcomeUnknown,
  PostTarget,
  Preparing,
  PublishedTarget,
  Publishing,
  type TargetState,
  Waiting
} from "./PostTarget.ts"
import { commentDueAt, commentUncertain } from "./firstComment.ts"
import { failureOf, failureOfError, retryAtOf } from "./targetFailure.ts"

/** A target that did not begin by then is not published any more (api-2.md §12). */
const beginWithin = Duration.minutes(15)

/** How long a quota or a rate limit is waited for, and how often the network is asked. */
const delayFor = Duration.hours(1)
const quotaEvery = Duration.minutes(5)

/** How long the network may work on files: clients wait 8 minutes, its documents say 5. */
const prepareWithin = Duration.minutes(12)

/** How often a failed preparation begins anew, and how often the network may say that a ready one can't be found. */
const maxRenewals = 2
const maxNotYets = 5
const notYetPause = Duration.seconds(5)

/** Shortest and longest pause that a connector may ask for between two steps. */
const leastPause = Duration.millis(500)
const mostPause = Duration.seconds(60)

/** Between a call that publishes and the moment it was stored: a machine may have been suspended. */
const sendWithin = Duration.seconds(30)

/**
 * How long after it began, or went on after a delay, a target may still be published: the time of a preparation, and of
 * one more step in which a file is sent.
 */
const attemptWithin = Duration.minutes(18)

/**
 * When an uncertain publication is looked for the last time: 30 minutes after the target began or went on it is decided,
 * also if a worker crashes in that look. Because of `attemptWithin` it is looked for during 10 minutes at least.
 */
const reconcileWithin = Duration.minutes(28)

/** When the network is asked for the address of a post, if it did not tell it. */
const detailsAfter = [Duration.seconds(5), Duration.seconds(30), Duration.minutes(3), Duration.minutes(15)]

const isPast = (at: DateTime.Utc, now: DateTime.Utc) => DateTime.isLessThanOrEqualTo(at, now)

export const withState = (target: PostTarget, state: TargetState, now: DateTime.Utc): PostTarget =>
  new PostTarget({ ...target, state, updatedAt: now })

export const fail = (target: PostTarget, failure: TargetFailure, now: DateTime.Utc): PostTarget =>
  withState(target, new FailedTarget({ endedAt: now, failure }), now)

/** When the look-ups of an uncertain publication end. */
const deadlineOf = ({ since }: OutcomeUnknown): DateTime.Utc => DateTime.addDuration(since, reconcileWithin)

const lookAt = (state: OutcomeUnknown): DateTime.Utc =>
  nextLook(
    state.attemptedAt,
    Option.getOrElse(state.lookedAt, () => state.attemptedAt),
    deadlineOf(state)
  )

/** When a target is due for a worker, if ever; `begin` decides what to do then. */
export const dueAt = ({ state }: PostTarget): Option.Option<DateTime.Utc> => {
  switch (state._tag) {
    case "Waiting":
      return state.startAt
    case "Delayed":
      return Option.some(state.retryAt)
    case "Preparing":
      return Option.some(state.nextAt)
    case "Publishing":
      // The lease protects it while it is published; after that its worker has crashed.
      return Option.some(state.attemptedAt)
    case "OutcomeUnknown":
      return Option.some(lookAt(state))
    case "Published":
      return Option.map(
        Option.liftPredicate(
          [...Option.toArray(commentDueAt(state)), ...Option.toArray(state.detailsAt)],
          (times) => times.length > 0
        ),
        (times) => times.reduce(DateTime.min)
      )
    default:
      return Option.none()
  }
}

/** Whether it begins when it is due: one at a time per account, and in order. */
export const isBeginning = ({ state }: PostTarget): boolean => state._tag === "Waiting" || state._tag === "Delayed"

/** Whether others of its account have to wait. */
export const isBusy = ({ state }: PostTarget): boolean => state._tag === "Preparing" || state._tag === "Publishing"

/** Whether it may be on the network without its id being known. */
export const isUncertain = ({ state }: PostTarget): boolean =>
  state._tag === "Publishing" || state._tag === "OutcomeUnknown" || state._tag === "NeedsReconciliation"

/**
 * The state of a target after it is claimed, committed before anything else is done.
 *
 * A target in `publishing` has lost its worker: it may be published, so it is looked for.
 */
export const begin = (target: PostTarget, now: DateTime.Utc): PostTarget => {
  const { state } = target
  switch (state._tag) {
    case "Waiting": {
      // A person may have moved it, or taken it back, since it was claimed.
      if (!Option.exists(state.startAt, (at) => isPast(at, now))) return target
      if (Option.exists(state.startAt, (at) => isPast(DateTime.addDuration(at, beginWithin), now))) {
        return fail(target, failureOf("too_late"), now)
      }
      const progress = { begunAt: now, since: now, preparation: Option.none(), renewals: 0, notYets: 0, misses: 0 }
      const begun = new Preparing({ ...progress, nextAt: now, isAdmitted: false, failure: Option.none() })
      return new PostTarget({ ...withState(target, begun, now), attempts: target.attempts + 1 })
    }
    case "Delayed": {
      const { begunAt, misses, notYets, preparation, renewals } = state
      const again = { begunAt, preparation, renewals, notYets, misses, since: now, nextAt: now, isAdmitted: false }
      return withState(target, new Preparing({ ...again, failure: Option.some(state.failure) }), now)
    }
    case "Preparing": {
      if (!isPast(DateTime.addDuration(state.since, prepareWithin), now)) return target
      return fail(target, timedOut(state), now)
    }
    case "Publishing":
      return uncertain(target, now)
    case "Published":
      // Its worker crashed: the comment may be there, and is looked for.
      return commentUncertain(target, now)
    default:
      return target
  }
}

/** What kept it from being published: the network's silence, or its work on the files. */
const timedOut = ({ failure }: Preparing): TargetFailure =>
  Option.match(failure, {
    onNone: () => failureOf("processing_timeout"),
    onSome: (last) => ({ ...last, retryAt: Option.none() })
  })

/** The quota of the network allows it. */
export const admitted = (target: PostTarget, now: DateTime.Utc): PostTarget => {
  const { state } = target
  if (state._tag !== "Preparing" || state.isAdmitted) return target
  return withState(target, new Preparing({ ...state, isAdmitted: true, failure: Option.none() }), now)
}

/** Waits for a quota or a rate limit, but no longer than an hour since it began. */
const delayed = (target: PostTarget, failure: TargetFailure, until: DateTime.Utc, now: DateTime.Utc): PostTarget => {
  const { state } = target
  if (state._tag !== "Preparing") return target
  const end = DateTime.addDuration(state.begunAt, delayFor)
  if (isPast(end, now)) return fail(target, failure, now)
  const { begunAt, misses, notYets, preparation, renewals, since } = state
  const retryAt = DateTime.min(until, end)
  const waits = { ...failure, retryAt: Option.some(retryAt) }
  return withState(
    target,
    new Delayed({ begunAt, since, preparation, renewals, notYets, misses, retryAt, failure: waits }),
    now
  )
}

/** The quota of the network is used up. */
export const overQuota = (target: PostTarget, now: DateTime.Utc): PostTarget =>
  delayed(target, failureOf("quota_exceeded"), DateTime.addDuration(now, quotaEvery), now)

/**
 * A step of the preparation was done. The preparation is stored with the decision to publish it, in one write, before
 * the call that publishes.
 */
export const stepped = (target: PostTarget, step: PreparationStep, now: DateTime.Utc): PostTarget => {
  const { state } = target
  if (state._tag !== "Preparing") return target
  if (step._tag === "Again") {
    if (isPast(DateTime.addDuration(state.since, prepareWithin), now)) return fail(target, timedOut(state), now)
    const pause = Duration.max(leastPause, Duration.min(step.after, mostPause))
    const preparation = Option.some(step.preparation)
    const nextAt = DateTime.addDuration(now, pause)
    return new PostTarget({
      ...target,
      state: new Preparing({ ...state, preparation, nextAt, misses: 0, failure: Option.none() })
    })
  }
  // A machine may have been suspended meanwhile; later there would be too little time to look for it.
  if (isPast(DateTime.addDuration(state.since, attemptWithin), now)) return fail(target, timedOut(state), now)
  const { begunAt, misses, notYets, renewals, since } = state
  const attempt = { preparation: step.preparation, attemptedAt: now, lastAttemptAt: now }
  return withState(target, new Publishing({ begunAt, since, misses, notYets, renewals, ...attempt }), now)
}

/** Whether a publishing call was stored so long ago that it must not be made any more. */
export const isTooLate = ({ state }: PostTarget, now: DateTime.Utc): boolean =>
  state._tag === "Publishing" && isPast(DateTime.addDuration(state.lastAttemptAt, sendWithin), now)

/** The publishing call may have reached the network. */
export const uncertain = (target: PostTarget, now: DateTime.Utc): PostTarget => {
  const { state } = target
  if (state._tag !== "Publishing") return target
  const { _tag, ...attempt } = state
  const isRepeated = DateTime.isGreaterThan(state.lastAttemptAt, state.attemptedAt)
  const lookedAt = isRepeated ? Option.some(state.lastAttemptAt) : Option.none()
  const unknown = new OutcomeUnknown({ ...attempt, lookedAt })
  return isRepeated && isPast(deadlineOf(unknown), now)
    ? unreconciled(target, state.attemptedAt, now)
    : withState(target, unknown, now)
}

type Failure = WriteFailed | AccountUnusable | PreparationFailed | NotYet

/** Prepares anew after a pause, or fails if that was done often enough. */
const renewed = (target: PostTarget, state: Preparing, failure: TargetFailure, now: DateTime.Utc): PostTarget => {
  if (state.renewals >= maxRenewals) return fail(target, failure, now)
  const anew = { preparation: Option.none(), renewals: state.renewals + 1, notYets: 0, misses: 0 }
  const nextAt = DateTime.addDuration(now, notYetPause)
  return withState(target, new Preparing({ ...state, ...anew, nextAt, failure: Option.none() }), now)
}

/** A step before the publishing call failed, or the call itself is known to have published nothing. */
const missed = (target: PostTarget, state: Preparing, error: Failure, now: DateTime.Utc): PostTarget => {
  switch (error._tag) {
    case "OutcomeUnknown":
      return target
    case "RateLimited":
      return delayed(withState(target, state, now), failureOfError(error), retryAtOf(error, 0, now), now)
    case "Unavailable": {
      const nextAt = retryAtOf(error, state.misses, now)
      const end = DateTime.addDuration(state.since, prepareWithin)
      const failure = failureOfError(error)
      if (isPast(end, nextAt)) return fail(target, failure, now)
      const shown = Option.some({ ...failure, retryAt: Option.some(nextAt) })
      return withState(target, new Preparing({ ...state, misses: state.misses + 1, nextAt, failure: shown }), now)
    }
    case "PreparationFailed":
      return error.again === "new"
        ? renewed(target, state, failureOfError(error), now)
        : fail(target, failureOfError(error), now)
    case "NotYet": {
      const notYets = state.notYets + 1
      if (notYets > maxNotYets) return renewed(target, state, failureOfError(error), now)
      const nextAt = DateTime.addDuration(now, notYetPause)
      return withState(target, new Preparing({ ...state, notYets, nextAt, failure: Option.none() }), now)
    }
    default:
      return fail(target, failureOfError(error), now)
  }
}

/** A call failed, or its outcome is unknown. */
export const failed = (target: PostTarget, error: Failure, now: DateTime.Utc): PostTarget => {
  const { state } = target
  if (state._tag === "Preparing") return missed(target, state, error, now)
  if (state._tag !== "Publishing") return target
  // The call before this one may publish it at this moment, whatever this one was told.
  const isRepeated = DateTime.isGreaterThan(state.lastAttemptAt, state.attemptedAt)
  if (error._tag === "OutcomeUnknown" || isRepeated) return uncertain(target, now)
  const { begunAt, misses, notYets, preparation, renewals, since } = state
  const kept = { begunAt, since, misses, notYets, renewals, preparation: Option.some(preparation) }
  const back = new Preparing({ ...kept, nextAt: now, isAdmitted: true, failure: Option.none() })
  return missed(target, back, error, now)
}

/** It is on the network. */
export const published = (
  target: PostTarget,
  { externalId, postIds, url }: Published,
  now: DateTime.Utc
): PostTarget => {
  const { state } = target
  if (state._tag !== "Publishing" && state._tag !== "OutcomeUnknown") return target
  const comment = Option.exists(target.firstComment, (text) => text.trim() !== "") ? "waiting" : "none"
  return withState(
    target,
    new PublishedTarget({
      endedAt: now,
      externalId,
      url,
      postIds,
      comment,
      commentPreparation: Option.none(),
      commentedAt: Option.none(),
      commentLookedAt: Option.none(),
      detailsAt: Option.isNone(url) ? nextDetails(now, 0) : Option.none(),
      detailsAsked: 0
    }),
    now
  )
}

const nextDetails = (publishedAt: DateTime.Utc, asked: number): Option.Option<DateTime.Utc> =>
  Option.map(Option.fromUndefinedOr(detailsAfter[asked]), (after) => DateTime.addDuration(publishedAt, after))

/** The network told more of a published post, or nothing yet. */
export const detailed = (target: PostTarget, details: Option.Option<Published>, now: DateTime.Utc): PostTarget => {
  const { state } = target
  if (state._tag !== "Published") return target
  const asked = state.detailsAsked + 1
  const url = Option.orElse(
    Option.flatMap(details, (one) => one.url),
    () => state.url
  )
  const postIds = Array.from(
    new Set([...state.postIds, ...Option.match(details, { onNone: () => [], onSome: (one) => one.postIds })])
  )
  const detailsAt = Option.isSome(url) ? Option.none() : nextDetails(state.endedAt, asked)
  return withState(target, new PublishedTarget({ ...state, url, postIds, detailsAt, detailsAsked: asked }), now)
}

/** The network's own state proves that nothing is published: the same preparation is published again. */
export const republished = (target: PostTarget, now: DateTime.Utc): PostTarget => {
  const { state } = target
  if (state._tag !== "OutcomeUnknown") return target
  const { _tag, lookedAt: _lookedAt, ...attempt } = state
  return withState(target, new Publishing({ ...attempt, lastAttemptAt: now }), now)
}

/** A look-up found nothing; the next one, or the deadline, decides. */
export const looked = (target: PostTarget, now: DateTime.Utc): PostTarget => {
  const { state } = target
  if (state._tag !== "OutcomeUnknown") return target
  if (isPast(deadlineOf(state), now)) return unreconciled(target, state.attemptedAt, now)
  return new PostTarget({ ...target, state: new OutcomeUnknown({ ...state, lookedAt: Option.some(now) }) })
}

const unreconciled = (target: PostTarget, attemptedAt: DateTime.Utc, now: DateTime.Utc): PostTarget =>
  withState(target, new NeedsReconciliation({ attemptedAt, endedAt: now }), now)

/** What was prepared expired or failed: it was never published, and never will be. */
export const cameToNothing = (target: PostTarget, now: DateTime.Utc): PostTarget =>
  target.state._tag === "OutcomeUnknown" ? fail(target, failureOf("container_expired"), now) : target

/** A failed target begins again, now. */
export const rearmed = (target: PostTarget, now: DateTime.Utc): PostTarget =>
  withState(target, new Waiting({ startAt: Option.some(now) }), now)
