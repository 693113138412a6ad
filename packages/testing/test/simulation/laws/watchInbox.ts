import { DateTime, Effect, Exit, Layer, Option, Result } from "effect"
import type { MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { LeaseLaw } from "./LeaseLaw.ts"

type Law = LeaseLaw["Service"]

const does = (note: () => void) => Effect.sync(note)

type Until = Option.Option<Parameters<Law["take"]>[2]>

/** A call that decides how long its lease lasts on, or that it has ended. */
const deciding = <Given, Change extends { readonly leaseUntil: Until }, A, E>(
  law: Law,
  { id, token }: { readonly id: string; readonly token: string },
  decide: (given: Given) => Change,
  call: (decide: (given: Given) => Change) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    let until: Until = Option.none()
    const noting = (given: Given) => {
      const change = decide(given)
      until = change.leaseUntil
      return change
    }
    return Effect.tap(call(noting), () =>
      does(() => {
        law.take(id, token, Option.getOrUndefined(until))
        if (Option.isNone(until)) law.end(id)
      })
    )
  })

const watchReplies = (right: OutboundStore["Service"], law: Law) => {
  type Claim = Parameters<typeof right.renew>[0]
  const leaseOf = ({ operation: { id }, token }: Claim) => ({ id, token })
  return OutboundStore.of({
    ...right,
    claim: (request) =>
      Effect.tap(right.claim(request), (claims) =>
        does(() => claims.forEach(({ operation: { id } }) => law.claim(id, request)))
      ),
    renew: (claim, until) =>
      Effect.tap(right.renew(claim, until), () => does(() => law.take(claim.operation.id, claim.token, until))),
    change: (claim, decide) => deciding(law, leaseOf(claim), decide, (noting) => right.change(claim, noting)),
    reconcile: (claim, candidates, decide) =>
      deciding(law, leaseOf(claim), decide, (noting) => right.reconcile(claim, candidates, noting))
  })
}

const watchPosts = (right: PostStore["Service"], law: Law) =>
  PostStore.of({
    ...right,
    claim: (request) =>
      Effect.tap(right.claim(request), (claims) =>
        does(() => claims.forEach(({ target: { id } }) => law.claim(id, request)))
      ),
    renew: (claim, until) =>
      Effect.tap(right.renew(claim, until), () => does(() => law.take(claim.target.id, claim.token, until))),
    settle: (claim, decide) =>
      deciding(law, { id: claim.target.id, token: claim.token }, decide, (noting) => right.settle(claim, noting))
  })

const watchPolls = (right: PollStore["Service"], law: Law, { accounts }: MemoryInbox) => {
  /**
   * Accounts that were announced to have something new, since they were claimed last for that, and when somebody had logged
   * in: with a new login they are due at once.
   */
  const announced = new Map<string, DateTime.Utc>()
  /** With which credentials each was claimed last, by when they were stored. */
  const logins = new Map<string, DateTime.Utc>()
  const over = (id: string, token: string) =>
    does(() => {
      law.take(id, token)
      law.end(id)
    })
  return PollStore.of({
    ...right,
    hint: (workspaceId, accountId, now) =>
      Effect.tap(right.hint(workspaceId, accountId, now), () =>
        does(() => {
          const entry = accounts.get(accountId)
          if (entry?.account.status === "connected") announced.set(accountId, entry.storedAt)
        })
      ),
    claim: (request) =>
      Effect.suspend(() => {
        const due = Array.from(announced.keys()).filter((id) =>
          Array.from(accounts.values()).some(
            ({ account, poll }) =>
              account.id === id && Option.exists(poll.hints.dueAt, DateTime.isLessThanOrEqualTo(request.now))
          )
        )
        return Effect.tap(right.claim(request), (claims) =>
          does(() => {
            for (const { accountId } of claims) {
              const login = accounts.get(accountId)?.storedAt
              // New credentials end the poll that was begun with the old ones.
              if (login !== logins.get(accountId)) law.end(accountId)
              if (login !== undefined) logins.set(accountId, login)
              law.claim(accountId, request)
              if (due.includes(accountId)) announced.delete(accountId)
            }
          })
        )
      }),
    renew: (claim, until) =>
      Effect.tap(right.renew(claim, until), () => does(() => law.take(claim.accountId, claim.token, until))),
    release: (claim) => Effect.tap(right.release(claim), () => over(claim.accountId, claim.token)),
    settle: (claim, ...of) =>
      Effect.tap(right.settle(claim, ...of), () => {
        const entry = accounts.get(claim.accountId)
        const since = announced.get(claim.accountId)
        const isKnown =
          entry?.account.status !== "connected" || entry.storedAt !== since || Option.isSome(entry.poll.hints.dueAt)
        if (since !== undefined && !isKnown)
          law.violations.push(`${claim.accountId}: what was announced amid a poll is forgotten`)
        return over(claim.accountId, claim.token)
      })
  })
}

/** Where own items came, whatever of unknown outcome may have sent them is looked at at once. */
const watchEchoes = (right: IngestStore["Service"], law: Law, { accounts }: MemoryInbox) =>
  IngestStore.of({
    ...right,
    ingest: (unit) =>
      Effect.tap(right.ingest(unit), ({ changed }) =>
        does(() => {
          const entry = accounts.get(unit.accountId)
          const isOwn = (key: string) => {
            const item = entry?.items.get(key)
            return item?._tag === "LiveItem" && item.isOwn
          }
          if (entry === undefined || !Array.from(changed).some(isOwn)) return
          for (const { dueAt, operation } of entry.operations.values()) {
            const isLooked =
              operation.state._tag !== "OutcomeUnknown" ||
              (dueAt !== undefined && DateTime.isLessThanOrEqualTo(dueAt, unit.now))
            if (!isLooked) law.violations.push(`${operation.id} does not hear of the post that it may have sent`)
          }
        })
      )
  })

const watchDeliveries = (right: WebhookDeliveries["Service"], law: Law, { deliveries }: MemoryInbox) => {
  const over = (id: string, token: string) => {
    law.take(id, token)
    law.end(id)
  }
  type Request = Parameters<typeof right.claim>[0]
  // Here a delivery is done in no time, so that nobody else would ask for it meanwhile. What that one takes is put back.
  const askAgain = (request: Request, [first]: ReadonlyArray<Parameters<typeof right.settle>[0]>) =>
    Effect.gen(function* () {
      const before = new Map(deliveries)
      if (first !== undefined) {
        const failed = { _tag: "Failed", reason: "by nobody" } as const
        const settled = yield* Effect.exit(right.settle({ ...first, token: "of nobody" }, failed, request.leaseNow))
        if (Exit.isSuccess(settled)) law.violations.push("without a lease somebody could settle a delivery")
        for (const [id, entry] of before) deliveries.set(id, entry)
        yield* Effect.exit(right.release(first, request.leaseNow))
        const { attempts, delivery } = first
        if (deliveries.get(delivery.id)?.attempts !== attempts)
          law.violations.push(`${delivery.id} was given back, and counts as tried`)
        for (const [id, entry] of before) deliveries.set(id, entry)
      }
      return yield* Effect.map(right.claim({ ...request, token: `${request.token} again` }), (claims) => {
        for (const { delivery } of claims) law.judgeFree(delivery.id, request.leaseNow)
        for (const [id, entry] of before) deliveries.set(id, entry)
      })
    })
  return WebhookDeliveries.of({
    ...right,
    claim: (request) =>
      Effect.tap(right.claim(request), (claims) => {
        for (const { attempts, delivery } of claims) {
          law.claim(delivery.id, request)
          law.count(delivery.id, attempts)
        }
        return claims.length === 0 ? Effect.void : askAgain(request, claims)
      }),
    renew: (claim, until) =>
      Effect.tap(right.renew(claim, until), () => does(() => law.take(claim.delivery.id, claim.token, until))),
    settle: (claim, ...of) =>
      Effect.tap(right.settle(claim, ...of), () => does(() => over(claim.delivery.id, claim.token))),
    release: (claim, now) =>
      Effect.tap(right.release(claim, now), () =>
        does(() => {
          over(claim.delivery.id, claim.token)
          law.uncount(claim.delivery.id)
        })
      ),
    complete: (claims, at) =>
      Effect.tap(right.complete(claims, at), (results) =>
        does(() =>
          claims.forEach(({ delivery, token }, n) => {
            const result = results[n]
            if (result !== undefined && Result.isSuccess(result)) over(delivery.id, token)
          })
        )
      )
  })
}

/** An endpoint that is switched off loses its lane at once, so only what is done under a lane is judged. */
const watchLanes = (right: OutgoingQueue["Service"], law: Law, { outgoing }: MemoryInbox) => {
  type Lane = Parameters<typeof right.next>[0]
  const under = <A, E>({ endpointId, token }: Lane, call: Effect.Effect<A, E>) =>
    Effect.tap(call, () => does(() => law.take(endpointId, token)))
  return OutgoingQueue.of({
    ...right,
    claim: (request) =>
      Effect.tap(right.claim(request), (claims) =>
        does(() => claims.forEach(({ lane }) => law.claimLoosely(lane.endpointId, lane.token)))
      ),
    next: (lane, ...of) => under(lane, right.next(lane, ...of)),
    renew: (lane, ...of) => under(lane, right.renew(lane, ...of)),
    settle: (lane, ended, ...of) =>
      Effect.suspend(() => {
        const before = outgoing.endpoints.get(lane.endpointId)?.endpoint.status
        return Effect.tap(under(lane, right.settle(lane, ended, ...of)), () =>
          does(() => {
            const after = outgoing.endpoints.get(lane.endpointId)?.endpoint
            if (before !== "enabled" || after?.status !== "failing") return
            // From the first delivery that is given up, or after ten failures in a row (api-2-decided B5).
            const isGivenUp = ended.some(
              ({ delivery: { id } }) => outgoing.deliveries.get(id)?.delivery.status === "failed"
            )
            if (!isGivenUp && after.failuresInRow < 10)
              law.violations.push(`${after.id} counts as failing after ${after.failuresInRow} failures`)
          })
        )
      }),
    cancel: (lane, ...of) => under(lane, right.cancel(lane, ...of)),
    release: (lane, ...of) =>
      Effect.tap(under(lane, right.release(lane, ...of)), () => does(() => law.end(lane.endpointId)))
  })
}

/** The ports of the inbox under the law of leases. */
export const watchInbox = Layer.mergeAll(
  Layer.effect(OutboundStore, Effect.zipWith(OutboundStore, LeaseLaw, watchReplies)),
  Layer.effect(PostStore, Effect.zipWith(PostStore, LeaseLaw, watchPosts)),
  Layer.effect(
    IngestStore,
    Effect.gen(function* () {
      return watchEchoes(yield* IngestStore, yield* LeaseLaw, (yield* MemoryState).inbox)
    })
  ),
  Layer.effect(
    PollStore,
    Effect.gen(function* () {
      return watchPolls(yield* PollStore, yield* LeaseLaw, (yield* MemoryState).inbox)
    })
  ),
  Layer.effect(
    WebhookDeliveries,
    Effect.gen(function* () {
      return watchDeliveries(yield* WebhookDeliveries, yield* LeaseLaw, (yield* MemoryState).inbox)
    })
  ),
  Layer.effect(
    OutgoingQueue,
    Effect.gen(function* () {
      return watchLanes(yield* OutgoingQueue, yield* LeaseLaw, (yield* MemoryState).inbox)
    })
  )
)
