import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type { LeaseRequest } from "@loopbox/core/kernel/lease/claimLoop"
import { judgeAttempt, type JudgedAttempt } from "@loopbox/core/outgoing/judgeAttempt"
import type { AttemptRecord, OutgoingDelivery } from "@loopbox/core/outgoing/OutgoingDelivery"
import type { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { atOnceOfEndpoint, type OutgoingClaim, OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { logOf, writeEvents } from "./memoryInbox.ts"
import { beginAnew, cancelPending, type EndpointEntry, isPending, type OutgoingEntry } from "./memoryOutgoing.ts"
import { MemoryState } from "./MemoryState.ts"

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
  log: [...entry.log, attempt],
  lease: undefined
})

/** What of an endpoint may be claimed now, in order. */
const claimableOf = (
  { endpoint }: EndpointEntry,
  entries: ReadonlyArray<OutgoingEntry>,
  { leaseNow, now }: Pick<LeaseRequest, "leaseNow"> & { readonly now: DateTime.Utc }
): ReadonlyArray<OutgoingEntry> => {
  const pending = entries.filter(isPending)
  const isHeld = ({ lease }: OutgoingEntry) => lease !== undefined && DateTime.isGreaterThan(lease.until, leaseNow)
  const isDue = ({ delivery }: OutgoingEntry) =>
    Option.exists(delivery.nextAttemptAt, (due) => DateTime.isLessThanOrEqualTo(due, now))
  if (endpoint.isOrdered) {
    if (pending.some(isHeld)) return []
    const [oldest] = pending.toSorted((a, b) => seqOf(a) - seqOf(b))
    return oldest !== undefined && isDue(oldest) ? [oldest] : []
  }
  const places = Math.max(0, atOnceOfEndpoint - pending.filter(isHeld).length)
  return pending
    .filter((entry) => !isHeld(entry) && isDue(entry))
    .sort(byDue)
    .slice(0, places)
}

const lost = ({ delivery: { id } }: OutgoingClaim) => new LeaseLost({ what: "delivery", id })

/** Reads and changes deliveries, each function a step of its caller's transaction. */
const makeSteps = ({ inbox }: MemoryState["Service"]) => {
  const { outgoing } = inbox
  const { deliveries, endpoints } = outgoing

  const entriesByEndpoint = () => Map.groupBy(deliveries.values(), ({ delivery }) => delivery.endpointId)

  /** The delivery of a claim that still holds it, with its endpoint. */
  const held = ({ delivery: { endpointId, id }, token }: OutgoingClaim) => {
    const [entry, owner] = [deliveries.get(id), endpoints.get(endpointId)]
    return entry?.lease?.token === token && owner !== undefined ? Result.succeed({ entry, owner }) : Result.failVoid
  }

  const listens = ({ accountId, endpointId, eventType }: OutgoingDelivery): boolean => {
    const entry = endpoints.get(endpointId)
    const isErased = Option.exists(accountId, (id) => !inbox.accounts.has(id)) && eventType !== "inbox.account_moved"
    return entry !== undefined && entry.endpoint.status !== "disabled" && !isErased
  }

  /** Stores those that listen; of one that is there already `again` says whether it counts. */
  const write = (
    given: ReadonlyArray<OutgoingDelivery>,
    again: (entry: OutgoingEntry, as: OutgoingDelivery) => boolean
  ) => {
    const known = new Map(Array.from(deliveries.values(), (entry) => [entry.delivery.messageId, entry]))
    let count = 0
    for (const delivery of given.filter(listens)) {
      const there = known.get(delivery.messageId)
      if (there === undefined) deliveries.set(delivery.id, { delivery, log: [], lease: undefined })
      if (there === undefined || again(there, delivery)) count += 1
    }
    if (count > 0) PubSub.publishUnsafe(outgoing.additions, undefined)
    return count
  }

  const end = (
    claim: OutgoingClaim,
    attempt: AttemptRecord,
    judge: (endpoint: OutgoingEndpoint) => JudgedAttempt,
    at: DateTime.Utc
  ): Result.Result<void, LeaseLost> => {
    const found = held(claim)
    if (Result.isFailure(found)) return Result.fail(lost(claim))
    const { entry, owner } = found.success
    const judged = judge(owner.endpoint)
    deliveries.set(entry.delivery.id, attempted(entry, attempt, judged))
    endpoints.set(owner.endpoint.id, { ...owner, endpoint: judged.endpoint })
    if (judged.endpoint.status === "disabled") cancelPending(outgoing, owner.endpoint.id)
    if (judged.events.length > 0) writeEvents(inbox, owner.endpoint.workspaceId, judged.events, at)
    return Result.void
  }

  /** Gives up a claim, or keeps it longer. */
  const change = (claim: OutgoingClaim, next: (entry: OutgoingEntry) => OutgoingEntry) =>
    Effect.suspend(() => {
      const found = held(claim)
      if (Result.isFailure(found)) return Effect.fail(lost(claim))
      deliveries.set(claim.delivery.id, next(found.success.entry))
      return Effect.void
    })

  return { entriesByEndpoint, write, end, change }
}

export const layer: Layer.Layer<OutgoingQueue, never, MemoryState> = Layer.effect(
  OutgoingQueue,
  Effect.map(MemoryState, (state) => {
    const { inbox } = state
    const { outgoing } = inbox
    const { deliveries, endpoints, positions } = outgoing
    const { change, end, entriesByEndpoint, write } = makeSteps(state)
    const listening = () => Array.from(endpoints.values()).filter(({ endpoint }) => endpoint.status !== "disabled")

    const claim = ({ limit, token, leaseUntil, ...times }: LeaseRequest & { readonly now: DateTime.Utc }) => {
      const entries = entriesByEndpoint()
      return listening()
        .flatMap((owner) =>
          claimableOf(owner, entries.get(owner.endpoint.id) ?? [], times).map((entry) => ({ owner, entry }))
        )
        .sort((a, b) => byDue(a.entry, b.entry))
        .slice(0, limit)
        .map(({ entry, owner: { endpoint, secrets } }): OutgoingClaim => {
          deliveries.set(entry.delivery.id, { ...entry, lease: { token, until: leaseUntil } })
          const valid = secrets.filter(
            ({ until }) => Option.isNone(until) || DateTime.isGreaterThan(until.value, times.now)
          )
          return { delivery: entry.delivery, endpoint, secrets: valid, token }
        })
    }

    return OutgoingQueue.of({
      lagging: (limit) =>
        Effect.sync(() =>
          Array.from(new Set(listening().map(({ endpoint }) => endpoint.workspaceId)))
            .flatMap((workspaceId) => {
              const position = positions.get(workspaceId) ?? 0
              return position < logOf(inbox, workspaceId).last ? [{ workspaceId, position }] : []
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
          write(given, () => false)
          return true
        }),
      replay: (given) =>
        Effect.sync(() => write(given, (entry, { nextAttemptAt }) => beginAnew(outgoing, entry, nextAttemptAt))),
      claim: (request) => Effect.sync(() => claim(request)),
      renew: (held, until) => change(held, (entry) => ({ ...entry, lease: { token: held.token, until } })),
      release: (held) => change(held, (entry) => ({ ...entry, lease: undefined })),
      settle: (held, attempt, judge, at) => Effect.suspend(() => Effect.fromResult(end(held, attempt, judge, at))),
      succeed: (ended, at) =>
        Effect.sync(() =>
          ended.map(({ attempt, claim: held }) =>
            end(held, attempt, (endpoint) => judgeAttempt(endpoint, held.delivery, attempt, { at, random: 0 }), at)
          )
        ),
      cancel: (held) =>
        change(held, (entry) => ({
          ...entry,
          delivery: { ...entry.delivery, status: "canceled", nextAttemptAt: Option.none() },
          lease: undefined
        })),
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
