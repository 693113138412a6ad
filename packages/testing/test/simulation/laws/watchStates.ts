import { assert } from "@effect/vitest"
import { Context, DateTime, Effect, Equal, Layer, Option, Result } from "effect"
import type { MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { InboxEvent } from "@loopbox/core/items/InboxEvent"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { deadlineOf, type OutboundOperation, statusOf } from "@loopbox/core/outbound/OutboundOperation"
import { type OperationChange, OutboundStore, type ReconcileFacts } from "@loopbox/core/outbound/OutboundStore"
import type { KeptPost } from "@loopbox/core/posts/Post"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { dueAt, isBeginning } from "@loopbox/core/posts/transitions"
import { type PostTarget, statusOf as statusOfTarget } from "@loopbox/core/posts/PostTarget"

/** What the documents draw of a reply's life and of a target's: which state may follow which, when, and by whom. */
export class StateLaw extends Context.Service<StateLaw, { readonly violations: Array<string> }>()("StateLaw") {
  static readonly layer: Layer.Layer<StateLaw> = Layer.sync(StateLaw, () => ({ violations: [] }))
}

/** What must hold at every moment, whatever is under way. */
export const checkStates = Effect.map(StateLaw, ({ violations }) =>
  assert.isEmpty(violations, violations.slice(0, 5).join("; "))
)

type ReplyTag = OutboundOperation["state"]["_tag"]
type TargetTag = PostTarget["state"]["_tag"]

const replyFollows: Readonly<Record<ReplyTag, ReadonlyArray<ReplyTag>>> = {
  Waiting: ["Sending", "Rejected"],
  Held: ["Waiting", "Rejected"],
  Sending: ["OutcomeUnknown", "RemoteSucceeded", "Rejected", "Held", "NeedsReconciliation"],
  OutcomeUnknown: ["RemoteSucceeded", "Completed", "Rejected", "NeedsReconciliation"],
  RemoteSucceeded: ["Completed"],
  Completed: [],
  Rejected: [],
  NeedsReconciliation: []
}

/** Nothing was posted, and who has a key may ask again. */
const mayBeAskedAgain = ["rate_limited", "unavailable", "reconnect_required"]

const isPast = (at: DateTime.Utc, now: DateTime.Utc) => DateTime.isLessThanOrEqualTo(at, now)

const judgeReply = (before: OutboundOperation, after: OutboundOperation): ReadonlyArray<string> => {
  const [was, is, now] = [before.state, after.state, after.updatedAt]
  const wrong: Array<string> = []
  const begins = was._tag === "Waiting" && is._tag === "Sending"
  if (was._tag !== is._tag && !replyFollows[was._tag].includes(is._tag)) wrong.push(`is ${is._tag} after ${was._tag}`)
  if (after.attempts !== before.attempts + (begins ? 1 : 0)) wrong.push("has counted another number of attempts")
  if (begins && isPast(DateTime.add(was.since, { seconds: 60 }), now)) wrong.push("was begun too late")
  if (is._tag === "Held" && Option.isNone(after.idempotencyKey)) wrong.push("waits for a key that it does not have")
  if (is._tag !== "Rejected" || was._tag === is._tag) return wrong
  const isLost = mayBeAskedAgain.includes(is.failure.kind) && Option.isSome(after.idempotencyKey)
  if (isLost) wrong.push("has a key, and can't be asked for again")
  const waits = was._tag === "Waiting" ? { seconds: 60 } : { hours: 24 }
  const isEarly = (was._tag === "Waiting" || was._tag === "Held") && !isPast(DateTime.add(was.since, waits), now)
  if (isEarly) wrong.push("has expired before its time")
  return wrong
}

/**
 * Whoever asks again with its key: a reply that is known as not posted is sent again within its day, and every other is
 * answered as it is.
 */
const judgeAskedAgain = (before: OutboundOperation, after: OutboundOperation, now: DateTime.Utc) => {
  const [was, is] = [before.state, after.state]
  if (was._tag === "Held" && !isPast(DateTime.add(was.since, { hours: 24 }), now))
    return is._tag === "Waiting" && Equal.equals(is.since, now) ? undefined : "was asked for again, and still waits"
  const isOver = (was._tag === "Held" || was._tag === "Waiting") && is._tag === "Rejected"
  return isOver || Equal.equals(was, is) ? undefined : `is ${is._tag} after ${was._tag}, for it was asked for again`
}

const targetFollows: Readonly<Record<TargetTag, ReadonlyArray<TargetTag>>> = {
  Waiting: ["Preparing", "Failed"],
  Delayed: ["Preparing"],
  Preparing: ["Delayed", "Publishing", "Failed"],
  Publishing: ["Published", "OutcomeUnknown", "Preparing", "Delayed", "Failed", "NeedsReconciliation"],
  OutcomeUnknown: ["Published", "Publishing", "Failed", "NeedsReconciliation"],
  Published: [],
  Failed: [],
  Canceled: [],
  NeedsReconciliation: [],
  Deleted: []
}

/** After a call that repeats one of unknown outcome nothing but the network proves that a post is not there. */
const afterRepeated: ReadonlyArray<TargetTag> = ["Publishing", "Published", "OutcomeUnknown", "NeedsReconciliation"]

const judgeTarget = (before: PostTarget, after: PostTarget): ReadonlyArray<string> => {
  const [was, is, now] = [before.state, after.state, after.updatedAt]
  const wrong: Array<string> = []
  const begins = was._tag === "Waiting" && is._tag === "Preparing"
  if (was._tag !== is._tag && !targetFollows[was._tag].includes(is._tag)) wrong.push(`is ${is._tag} after ${was._tag}`)
  if (after.attempts !== before.attempts + (begins ? 1 : 0)) wrong.push("has counted another number of attempts")
  if (begins) {
    const isDue = Option.exists(was.startAt, (at) => isPast(at, now))
    const isLate = Option.exists(was.startAt, (at) => isPast(DateTime.add(at, { minutes: 15 }), now))
    if (!isDue || isLate) wrong.push("was begun before or long after its time")
  }
  const isRepeated = was._tag === "Publishing" && DateTime.isGreaterThan(was.lastAttemptAt, was.attemptedAt)
  if (isRepeated && !afterRepeated.includes(is._tag))
    wrong.push(`is ${is._tag}, and may be published by the call before`)
  if (is._tag === "Delayed" && DateTime.isGreaterThan(is.retryAt, DateTime.add(is.begunAt, { hours: 1 })))
    wrong.push("is put off for more than an hour")
  const isGivenUp = was._tag !== is._tag && is._tag === "NeedsReconciliation"
  if (isGivenUp && "since" in was && !isPast(DateTime.add(was.since, { minutes: 28 }), now))
    wrong.push("was given up before its deadline")
  return wrong
}

/** What people may do with a target: take it back before it begins, move it, try it again, delete what is published. */
const judgeChanged = (before: PostTarget, after: PostTarget): ReadonlyArray<string> => {
  const [was, is] = [before.state, after.state]
  if (was._tag === is._tag) return []
  const isRetried = was._tag === "Failed" && was.failure.retryable && is._tag === "Waiting"
  const isTakenBack = was._tag === "Waiting" && is._tag === "Canceled"
  const isDeleted = was._tag === "Published" && is._tag === "Deleted"
  return isRetried || isTakenBack || isDeleted ? [] : [`is ${is._tag} after ${was._tag}, as a person asked`]
}

/** The events that a call has written. */
const makeTold = ({ logs }: MemoryInbox, workspaceId: WorkspaceId) => {
  const last = logs.get(workspaceId)?.last ?? 0
  return (isIt: (event: InboxEvent) => boolean) =>
    logs.get(workspaceId)?.events.some(({ event, seq }) => seq > last && event._tag !== "JobEnded" && isIt(event)) ===
    true
}

type Law = StateLaw["Service"]

const watchReplies = (right: OutboundStore["Service"], { violations }: Law, inbox: MemoryInbox) => {
  type Claim = Parameters<typeof right.renew>[0]
  /** Two of one text: which post is whose may stay unknown. */
  const hasTwin = ({ accountId, id, text }: OutboundOperation) =>
    Array.from(inbox.accounts.get(accountId)?.operations.values() ?? []).some(
      ({ operation }) => operation.id !== id && operation.text === text
    )
  const judged =
    <Given>(of: (given: Given) => OutboundOperation) =>
    <E>(
      { operation: { id, workspaceId } }: Claim,
      decide: (given: Given) => OperationChange,
      call: (decide: (given: Given) => OperationChange) => Effect.Effect<OutboundOperation, E>
    ) =>
      Effect.suspend(() => {
        const isTold = makeTold(inbox, workspaceId)
        let before: OutboundOperation | undefined
        const noting = (given: Given) => {
          before = of(given)
          return decide(given)
        }
        return Effect.tap(call(noting), (after) =>
          Effect.sync(() => {
            if (before === undefined) return
            for (const wrong of judgeReply(before, after)) violations.push(`${id} ${wrong}`)
            const { state } = after
            const isEarly =
              state._tag === "NeedsReconciliation" &&
              before.state._tag === "OutcomeUnknown" &&
              !isPast(deadlineOf(state.attemptedAt), after.updatedAt)
            if (isEarly && !hasTwin(after)) violations.push(`${id} was given up before its deadline`)
            if (statusOf(before) === statusOf(after)) return
            const own = (event: InboxEvent) =>
              event._tag === "ReplyUpdated" && event.operation.id === id && event.operation.status === statusOf(after)
            if (!isTold(own)) violations.push(`no event tells that ${id} is ${statusOf(after)}`)
          })
        )
      })
  const ofOperation = judged((operation: OutboundOperation) => operation)
  const ofFacts = judged(({ operation }: ReconcileFacts) => operation)
  return OutboundStore.of({
    ...right,
    submit: (name, decide) =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        let before: OutboundOperation | undefined
        const noting: typeof decide = (existing, rivals) => {
          const decided = decide(existing, rivals)
          before = Result.isSuccess(decided) ? Option.getOrUndefined(existing) : undefined
          return decided
        }
        const after = yield* right.submit(name, noting)
        const wrong = before === undefined ? undefined : judgeAskedAgain(before, after, now)
        if (wrong !== undefined) violations.push(`${after.id} ${wrong}`)
        return after
      }),
    change: (claim, decide) => ofOperation(claim, decide, (noting) => right.change(claim, noting)),
    reconcile: (claim, candidates, decide) =>
      ofFacts(claim, decide, (noting) => right.reconcile(claim, candidates, noting))
  })
}

/** Of the targets of an account that have not begun, the one that is due first begins first. */
const isOvertaking = ({ posts }: MemoryInbox, target: PostTarget, networks: ReadonlyArray<string>) => {
  const at = isBeginning(target) ? Option.getOrUndefined(dueAt(target)) : undefined
  if (at === undefined) return false
  const others = Array.from(posts.values()).flatMap(({ kept }) => kept.targets)
  return others.some(
    (other) =>
      other.accountId === target.accountId &&
      isBeginning(other) &&
      Option.exists(other.network, (network) => networks.includes(network)) &&
      Option.exists(dueAt(other), (due) => DateTime.isLessThan(due, at))
  )
}

const watchPosts = (right: PostStore["Service"], { violations }: Law, inbox: MemoryInbox) =>
  PostStore.of({
    ...right,
    claim: (request) =>
      Effect.tap(right.claim(request), (claims) =>
        Effect.sync(() => {
          for (const { target } of claims)
            if (isOvertaking(inbox, target, request.networks)) violations.push(`${target.id} overtakes an earlier one`)
        })
      ),
    settle: (claim, decide) =>
      Effect.suspend(() => {
        const isTold = makeTold(inbox, claim.post.workspaceId)
        let before: PostTarget | undefined
        const noting: typeof decide = (target) => {
          before = target
          return decide(target)
        }
        return Effect.tap(right.settle(claim, noting), (after) =>
          Effect.sync(() => {
            if (before === undefined) return
            for (const wrong of judgeTarget(before, after)) violations.push(`${after.id} ${wrong}`)
            if (statusOfTarget(before) === statusOfTarget(after)) return
            const own = (event: InboxEvent) => event._tag === "PostTargetUpdated" && event.post.id === after.postId
            if (!isTold(own)) violations.push(`no event tells that ${after.id} is ${statusOfTarget(after)}`)
          })
        )
      }),
    change: (scope, id, decide) =>
      Effect.suspend(() => {
        let before: KeptPost | undefined
        const noting: typeof decide = (kept) => {
          const decided = decide(kept)
          before = Result.isSuccess(decided) && decided.success._tag === "Change" ? kept : undefined
          return decided
        }
        return Effect.tap(right.change(scope, id, noting), (answer) =>
          Effect.sync(() => {
            if (before === undefined || before.post.isDraft || Option.isNone(answer)) return
            const hasBegun = before.targets.some(({ state }) => state._tag !== "Waiting" && state._tag !== "Canceled")
            if (hasBegun && !Equal.equals(before.post.scheduledAt, answer.value.post.scheduledAt))
              violations.push(`${id} was put off after it had begun`)
            for (const target of before.targets) {
              const after = answer.value.targets.find((one) => one.id === target.id)
              if (after === undefined) continue
              for (const wrong of judgeChanged(target, after)) violations.push(`${target.id} ${wrong}`)
            }
          })
        )
      })
  })

/** The ports of what is done on networks, under the law of states. */
export const watchStates = Layer.mergeAll(
  Layer.effect(
    OutboundStore,
    Effect.gen(function* () {
      return watchReplies(yield* OutboundStore, yield* StateLaw, (yield* MemoryState).inbox)
    })
  ),
  Layer.effect(
    PostStore,
    Effect.gen(function* () {
      return watchPosts(yield* PostStore, yield* StateLaw, (yield* MemoryState).inbox)
    })
  )
)
