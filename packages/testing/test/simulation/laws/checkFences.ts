import { assert } from "@effect/vitest"
import { DateTime, Effect, Option, Result } from "effect"
import type { AccountEntry } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { newPollState } from "@loopbox/core/sync/SyncRun"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"

/** Nobody was ever given this. */
const token = "of nobody"

/** Whether a call under the lease of nobody counted. */
type Attempt = readonly [what: string, hasCounted: Effect.Effect<boolean, unknown>]

/** Every other answer than that the lease is lost. */
const counts = <A, E extends { readonly _tag: string }>(call: Effect.Effect<A, E>): Effect.Effect<boolean> =>
  Effect.match(call, { onFailure: ({ _tag }) => _tag !== "LeaseLost", onSuccess: () => true })

const everyLost = <E>(call: Effect.Effect<ReadonlyArray<Result.Result<void, unknown>>, E>) =>
  Effect.map(call, (results) => !results.every(Result.isFailure))

const decides = () => assert.fail("a change was decided under a lease that nobody has")

/** What polls, health checks, renewals and look-ups of names do with an account. */
const ofAccount = Effect.fnUntraced(function* (entry: AccountEntry) {
  const { account, people, poll, sealed, storedAt } = entry
  const [polls, items, now] = [yield* PollStore, yield* IngestStore, yield* DateTime.now]
  const [health, profiles] = [yield* AccountHealthStore, yield* AuthorProfiles]
  const credentials = yield* AccountCredentials
  const { id: accountId, network, workspaceId } = account
  const claim = { workspaceId, accountId, network, token, isDue: true, state: newPollState }
  const settlement = {
    poll: Option.none(),
    backfills: [],
    facts: Option.none(),
    state: poll.state,
    nextPollAt: poll.dueAt
  }
  const ingested = items.ingest({
    ...{ workspaceId, accountId, arrivals: [], completes: [], now, isHeard: false },
    poll: Option.some({ claim, notes: decides })
  })
  const kept = { _tag: "Kept", renewAt: Option.none() } as const
  const attempts: Array<Attempt> = [
    ["prolong a poll", counts(polls.renew(claim, now))],
    ["give a poll back", counts(polls.release(claim))],
    ["end a poll", counts(polls.settle(claim, settlement, now))],
    ["end a renewal", credentials.settleRenewal({ workspaceId, accountId, sealed, token }, kept)]
  ]
  if (account.status !== "disconnected") attempts.push(["store what a poll read", counts(ingested)])
  const revoked = (yield* SocialAccounts).requireReauth(
    workspaceId,
    accountId,
    DateTime.subtract(storedAt, { seconds: 1 })
  )
  if (account.status === "connected")
    attempts.push(["revoke a login that is newer", Effect.map(revoked, () => entry.account.status !== "connected")])
  const known = yield* health.find(workspaceId, accountId)
  if (Option.isSome(known)) {
    const check = { ...known.value, token }
    attempts.push(
      ["prolong a check", counts(health.renew(check, now))],
      ["give a check back", counts(health.release(check))],
      ["end a check", counts(health.settle(check, Option.none(), decides, now))]
    )
  }
  for (const [personId, { attempts: before, source }] of Array.from(people).slice(0, 1)) {
    const profile = { workspaceId, accountId, personId, source, attempts: before, token }
    attempts.push(
      ["prolong a look-up", counts(profiles.renew(profile, now))],
      ["give a look-up back", counts(profiles.release(profile, now))],
      ["end a look-up", counts(profiles.settle(profile, { _tag: "Later", at: now }, now))]
    )
  }
  return attempts
})

/** What is sent, to networks and to endpoints of customers. */
const ofSending = Effect.gen(function* () {
  const { inbox } = yield* MemoryState
  const [replies, posts, queue] = [yield* OutboundStore, yield* PostStore, yield* OutgoingQueue]
  const now = yield* DateTime.now
  const attempts: Array<Attempt> = []
  const [reply] = Array.from(inbox.accounts.values()).flatMap(({ operations }) => Array.from(operations.values()))
  if (reply !== undefined) {
    const claim = { operation: reply.operation, token }
    attempts.push(
      ["prolong a reply", counts(replies.renew(claim, now))],
      ["change a reply", counts(replies.change(claim, decides))],
      ["settle a reply", counts(replies.reconcile(claim, [], decides))]
    )
  }
  for (const { kept } of Array.from(inbox.posts.values()).slice(0, 1)) {
    const [target] = kept.targets
    if (target === undefined) continue
    const claim = { post: kept.post, target, token }
    attempts.push(
      ["prolong a target", counts(posts.renew(claim, now))],
      ["settle a target", counts(posts.settle(claim, decides))]
    )
  }
  for (const [workspaceId, position] of Array.from(inbox.outgoing.positions).slice(0, 1)) {
    // As who has read the log from a place that another has moved since.
    const behind = { workspaceId, position: position - 1 }
    attempts.push(["move the position of deliveries", queue.append(behind, position, [])])
  }
  const waiting = Array.from(inbox.outgoing.deliveries.values()).find(({ delivery }) => delivery.status === "pending")
  if (waiting === undefined) return attempts
  const { delivery } = waiting
  const lane = { workspaceId: delivery.workspaceId, endpointId: delivery.endpointId, token, isOrdered: false }
  const attempt = {
    ...{ at: now, status: Option.some(200), duration_ms: 1 },
    ...{ response: Option.none(), error: Option.none() }
  }
  attempts.push(
    ["read a lane", counts(queue.next(lane, { after: Option.none(), limit: 1, now }))],
    ["prolong a lane", counts(queue.renew(lane, now))],
    ["give a lane back", counts(queue.release(lane, now))],
    ["cancel what a lane has", counts(queue.cancel(lane, delivery))],
    ["end what a lane has", counts(queue.settle(lane, [{ delivery, attempt }], decides, now))],
    ["say that what a lane has arrived", everyLost(queue.succeed([{ delivery, attempt, lane }], now))]
  )
  return attempts
})

/** What came in by webhooks. */
const ofArrived = Effect.gen(function* () {
  const { inbox } = yield* MemoryState
  const [deliveries, now] = [yield* WebhookDeliveries, yield* DateTime.now]
  const all = Array.from(inbox.deliveries.values())
  // One that somebody has, if any: of another every token is lost.
  const entry = all.find((one) => one.token !== undefined) ?? all.find(({ state }) => state === "pending") ?? all[0]
  if (entry === undefined) return []
  const claim = { delivery: entry.delivery, attempts: entry.attempts, token }
  const attempts: ReadonlyArray<Attempt> = [
    ["prolong a delivery", counts(deliveries.renew(claim, now))],
    ["give a delivery back", counts(deliveries.release(claim, now))],
    ["settle a delivery", counts(deliveries.settle(claim, { _tag: "Failed", reason: "by nobody" }, now))],
    ["end a delivery", everyLost(deliveries.complete([claim], now))]
  ]
  return attempts
})

/**
 * Fencing: who has no lease changes nothing, of whatever kind it is. Each call under a lease is tried with one that nobody
 * has: where all is right none has an effect, so that the run goes on as without it.
 */
export const checkFences = Effect.gen(function* () {
  const { inbox } = yield* MemoryState
  const accounts = Array.from(inbox.accounts.values())
  const account = accounts.find(({ poll }) => poll.token !== undefined) ?? accounts[0]
  const attempts = [
    ...(account === undefined ? [] : yield* ofAccount(account)),
    ...(yield* ofSending),
    ...(yield* ofArrived)
  ]
  // A store that is away has written nothing.
  for (const [what, hasCounted] of attempts) {
    const isSo = yield* Effect.orElseSucceed(hasCounted, () => false)
    assert.isFalse(isSo, `without a lease somebody could ${what}`)
  }
})
