import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { judgeAttempt, type JudgedAttempt } from "@loopbox/core/outgoing/judgeAttempt"
import type { OutgoingEndpointId } from "@loopbox/core/kernel/Ids"
import type { AttemptRecord, OutgoingDelivery } from "@loopbox/core/outgoing/OutgoingDelivery"
import type { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import {
  type EndedAttempt,
  type LaneBatch,
  type LanePlace,
  type OutgoingClaim,
  type OutgoingLane,
  OutgoingQueue
} from "@loopbox/core/outgoing/OutgoingQueue"
import { logOf, writeEvents } from "./memoryInbox.ts"
import {
  beginAnew,
  cancelPending,
  type EndpointEntry,
  isPending,
  type OutgoingEntry,
  waitingByEndpoint
} from "./memoryOutgoing.ts"
import { hasOwner, MemoryState } from "./MemoryState.ts"

const seqOf = ({ delivery: { eventSeq } }: OutgoingEntry): number => Option.getOrElse(eventSeq, () => 0)

const millisOf = (at: Option.Option<DateTime.Utc>): number =>
  Option.match(at, { onNone: () => Number.POSITIVE_INFINITY, onSome: DateTime.toEpochMillis })

const byDue = (a: OutgoingEntry, b: OutgoingEntry): number =>
  millisOf(a.delivery.nextAttemptAt) - millisOf(b.delivery.nextAttemptAt) || seqOf(a) - seqOf(b)

/** The delivery after an attempt. */
const attempted = (
  entry: OutgoingEntry,
  attempt: AttemptRecord,
  { attemptsInSchedule, nextAttemptAt, status }: JudgedAttempt
): OutgoingEntry => ({
  delivery: { ...entry.delivery, status, attempts: entry.delivery.attempts + 1, attemptsInSchedule, nextAttemptAt },
  log: [...entry.log, attempt]
})

/** What of an endpoint is due of all that waits for it, in the order in which it is sent. */
const dueOf = (
  { endpoint }: EndpointEntry,
  pending: ReadonlyArray<OutgoingEntry>,
  now: DateTime.Utc
): ReadonlyArray<OutgoingDelivery> => {
  const isDue = ({ delivery }: OutgoingEntry) =>
    Option.exists(delivery.nextAttemptAt, (due) => DateTime.isLessThanOrEqualTo(due, now))
  if (!endpoint.isOrdered)
    return pending
      .filter(isDue)
      .sort(byDue)
      .map(({ delivery }) => delivery)
  const inOrder = pending.toSorted((a, b) => seqOf(a) - seqOf(b))
  const waits = inOrder.findIndex((entry) => !isDue(entry))
  const places = waits < 0 ? inOrder : inOrder.slice(0, waits)
  return places.map(({ delivery }) => delivery)
}

const lost = ({ endpointId }: OutgoingLane) => new LeaseLost({ what: "lane", id: endpointId })

/** Reads and changes deliveries, each function a step of its caller's transaction. */
const makeSteps = (state: MemoryState["Service"]) => {
  const { inbox } = state
  const { outgoing } = inbox
  const { deliveries, endpoints, lanes } = outgoing

  /** The endpoint of a lane that is still held. */
  const held = ({ endpointId, token }: OutgoingLane) => {
    const owner = endpoints.get(endpointId)
    return lanes.get(endpointId)?.token === token ? owner : undefined
  }

  const waitingFor = ({ endpoint: { id } }: EndpointEntry) =>
    waitingByEndpoint(outgoing, (one) => one === id).get(id) ?? []

  const batchOf = (
    owner: EndpointEntry,
    now: DateTime.Utc,
    limit: number,
    after: Option.Option<LanePlace>,
    waiting = waitingFor(owner)
  ) => {
    const due = dueOf(owner, waiting, now)
    const isBehind = ({ id, nextAttemptAt }: LanePlace) =>
      Option.isNone(after) ||
      millisOf(nextAttemptAt) > millisOf(after.value.nextAttemptAt) ||
      (millisOf(nextAttemptAt) === millisOf(after.value.nextAttemptAt) && id > after.value.id)
    const rest = owner.endpoint.isOrdered ? due : due.filter(isBehind)
    const secrets = owner.secrets.filter(
      ({ until }) => Option.isNone(until) || DateTime.isGreaterThan(until.value, now)
    )
    return {
      endpoint: owner.endpoint,
      secrets,
      deliveries: rest.slice(0, limit),
      isFull: rest.length > limit
    } satisfies LaneBatch
  }

  const listens = (delivery: OutgoingDelivery): boolean => {
    const { accountId, endpointId, eventType, externalUserId } = delivery
    const entry = endpoints.get(endpointId)
    if (Option.isSome(externalUserId) && !hasOwner(state, delivery)) return false
    const isErased = Option.exists(accountId, (id) => !inbox.accounts.has(id)) && eventType !== "inbox.account_moved"
    return entry !== undefined && entry.endpoint.status !== "disabled" && !isErased
  }

  /** Stores those that listen; of one that is there already `again` says whether it counts. */
  const write = (
    given: ReadonlyArray<OutgoingDelivery>,
    again: (entry: OutgoingEntry, as: OutgoingDelivery) => boolean
  ) => {
    const listened = given.filter(listens)
    if (listened.length === 0) return 0
    const asked = new Set(listened.map(({ messageId }) => messageId))
    const known = new Map<string, OutgoingEntry>()
    for (const entry of deliveries.values())
      if (asked.has(entry.delivery.messageId)) known.set(entry.delivery.messageId, entry)
    let count = 0
    for (const delivery of listened) {
      const there = known.get(delivery.messageId)
      if (there === undefined) deliveries.set(delivery.id, { delivery, log: [] })
      if (there === undefined || again(there, delivery)) count += 1
    }
    if (count > 0) PubSub.publishUnsafe(outgoing.additions, undefined)
    return count
  }

  /** Ends attempts of a lane that is held; those that are settled already, or erased, are left out. */
  const end = (
    lane: OutgoingLane,
    ended: ReadonlyArray<EndedAttempt>,
    judge: (endpoint: OutgoingEndpoint, ended: EndedAttempt) => JudgedAttempt,
    at: DateTime.Utc
  ): Result.Result<void, LeaseLost> => {
    if (held(lane) === undefined) return Result.fail(lost(lane))
    for (const one of ended) {
      const [entry, owner] = [deliveries.get(one.delivery.id), endpoints.get(lane.endpointId)]
      if (owner === undefined || entry === undefined || !isPending(entry)) continue
      if (entry.delivery.attempts !== one.delivery.attempts) continue
      const judged = judge(owner.endpoint, one)
      deliveries.set(entry.delivery.id, attempted(entry, one.attempt, judged))
      endpoints.set(owner.endpoint.id, { ...owner, endpoint: judged.endpoint })
      if (judged.events.length > 0) writeEvents(inbox, lane.workspaceId, judged.events, at)
    }
    if (endpoints.get(lane.endpointId)?.endpoint.status === "disabled") cancelPending(outgoing, lane.endpointId)
    return Result.void
  }

  /** Changes what belongs to a lane, if it is held. */
  const change = (lane: OutgoingLane, next: () => unknown) =>
    Effect.suspend(() => {
      if (held(lane) === undefined) return Effect.fail(lost(lane))
      next()
      return Effect.void
    })

  return { write, end, change, held, batchOf }
}

export const layer: Layer.Layer<OutgoingQueue, never, MemoryState> = Layer.effect(
  OutgoingQueue,
  Effect.map(MemoryState, (state) => {
    const { inbox } = state
    const { outgoing } = inbox
    const { deliveries, endpoints, lanes, positions } = outgoing
    const { batchOf, change, end, held, write } = makeSteps(state)
    const listening = () => Array.from(endpoints.values()).filter(({ endpoint }) => endpoint.status !== "disabled")

    const dueAt = ({ deliveries: [first] }: LaneBatch) => millisOf(first?.nextAttemptAt ?? Option.none())

    const claim: (typeof OutgoingQueue.Service)["claim"] = ({ leaseNow, leaseUntil, limit, now, perLane, token }) =>
      Effect.sync(() => {
        const isFree = (endpointId: OutgoingEndpointId) => {
          const lease = lanes.get(endpointId)
          return lease === undefined || DateTime.isLessThanOrEqualTo(lease.until, leaseNow)
        }
        const waiting = waitingByEndpoint(outgoing, isFree)
        // Nothing waits for one that is disabled: that cancels all of it, and who writes or begins anew looks.
        return Array.from(endpoints.values())
          .flatMap((owner): ReadonlyArray<OutgoingClaim> => {
            const { id: endpointId, isOrdered, workspaceId } = owner.endpoint
            const own = waiting.get(endpointId)
            if (own === undefined) return []
            const batch = batchOf(owner, now, isOrdered ? 1 : perLane, Option.none(), own)
            return batch.deliveries.length === 0
              ? []
              : [{ ...batch, lane: { workspaceId, endpointId, token, isOrdered } }]
          })
          .sort((a, b) => dueAt(a) - dueAt(b))
          .slice(0, limit)
          .map((claimed) => {
            lanes.set(claimed.lane.endpointId, { token, until: leaseUntil })
            return claimed
          })
      })

    /** Whether it came since the endpoint was there, or enabled again: that may have been while the delivery was made. */
    const isNew = ({ endpointId, eventSeq }: OutgoingDelivery): boolean =>
      Option.exists(eventSeq, (seq) => seq > (endpoints.get(endpointId)?.since ?? Number.POSITIVE_INFINITY))

    return OutgoingQueue.of({
      lagging: (limit, among) =>
        Effect.sync(() =>
          Array.from(new Set(listening().map(({ endpoint }) => endpoint.workspaceId)))
            .flatMap((workspaceId) => {
              const position = positions.get(workspaceId) ?? 0
              const isAsked = Option.getOrElse(
                Option.map(among, (ids) => ids.includes(workspaceId)),
                () => true
              )
              return isAsked && position < logOf(inbox, workspaceId).last ? [{ workspaceId, position }] : []
            })
            .slice(0, limit)
        ),
      listening: (workspaceId) =>
        Effect.sync(() =>
          listening().flatMap(({ endpoint, since }) =>
            endpoint.workspaceId === workspaceId ? [{ endpoint, since }] : []
          )
        ),
      append: ({ position, workspaceId }, to, given) =>
        Effect.sync(() => {
          if (positions.get(workspaceId) !== position) return false
          positions.set(workspaceId, to)
          write(given.filter(isNew), () => false)
          return true
        }),
      replay: (given) =>
        Effect.sync(() =>
          write(given, (entry, { nextAttemptAt }) =>
            Option.exists(nextAttemptAt, (at) => beginAnew(outgoing, entry, at))
          )
        ),
      claim,
      next: (lane, { after, limit, now }) =>
        Effect.suspend(() => {
          const owner = held(lane)
          return owner === undefined ? Effect.fail(lost(lane)) : Effect.succeed(batchOf(owner, now, limit, after))
        }),
      renew: (lane, until) => change(lane, () => lanes.set(lane.endpointId, { token: lane.token, until })),
      release: (lane, now) =>
        change(lane, () => {
          const owner = held(lane)
          lanes.delete(lane.endpointId)
          const rest = owner === undefined ? [] : batchOf(owner, now, 1, Option.none()).deliveries
          if (rest.length > 0) PubSub.publishUnsafe(outgoing.additions, undefined)
        }),
      settle: (lane, ended, judge, at) => Effect.suspend(() => Effect.fromResult(end(lane, ended, judge, at))),
      succeed: (ended, at) =>
        Effect.sync(() =>
          ended.map(({ lane, ...one }) =>
            end(lane, [one], (endpoint) => judgeAttempt(endpoint, one.delivery, one.attempt, { at, random: 0 }), at)
          )
        ),
      cancel: (lane, { id }) =>
        change(lane, () => {
          const entry = deliveries.get(id)
          if (entry === undefined || !isPending(entry)) return
          const delivery: OutgoingDelivery = { ...entry.delivery, status: "canceled", nextAttemptAt: Option.none() }
          deliveries.set(id, { ...entry, delivery })
        }),
      removeOlder: (before, limit) =>
        Effect.sync(() => {
          const old = Array.from(deliveries.values())
            .filter((entry) => !isPending(entry) && DateTime.isLessThan(entry.delivery.createdAt, before))
            .slice(0, limit)
          for (const { delivery } of old) deliveries.delete(delivery.id)
          return old.length
        }),
      depth: Effect.sync(() => {
        const pending = Array.from(deliveries.values()).filter(isPending)
        const oldest = pending.map(({ delivery }) => delivery.createdAt).sort(DateTime.Order)[0]
        return { counts: { pending: pending.length }, oldestAt: Option.fromUndefinedOr(oldest) }
      }),
      additions: Stream.fromPubSub(outgoing.additions)
    })
  })
)
