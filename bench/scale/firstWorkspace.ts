import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { Network, Source } from "@loopbox/core/networks/Source"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { posted } from "@loopbox/testing/fixtures/activities"
import { connect, ingest, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { addEndpoint, makeDelivery, succeedAll } from "@loopbox/testing/fixtures/laneFixtures"
import { makeOperation } from "@loopbox/testing/fixtures/outboundFixtures"
import { makeQueuedOverlay } from "@loopbox/testing/fixtures/overlayFixtures"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { always, conversion, makeGif } from "@loopbox/testing/fixtures/storeFixtures"
import { DateTime, Effect, Option, Result } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { mark } from "./marks.ts"
import { ofOne, type Sizes } from "./sizes.ts"

/** The moment at which everything is measured. */
export const now = DateTime.makeUnsafe("2026-06-30T12:00:00.000Z")

const networks: ReadonlyArray<readonly [Network, Source]> = [
  ["instagram", "ig_comment"],
  ["facebook", "fb_comment"],
  ["threads", "threads_reply"],
  ["x", "x_reply"]
]

const days = 30
/** Of the items' events these are kept: half of them just too long. */
const keptHours = 48
/** What one transaction ingests. */
const unit = 50

const times = <A>(count: number, make: (n: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, n) => make(n))

/** 20 words that all texts choose from, one that few have, and one of its own. */
const textOf = (n: number): string =>
  `${["when", "where", "how", "why"][n % 4]} do you ship the ${["red", "blue", "green"][n % 3]} shoes to us ` +
  `${n % 50 === 0 ? "urgently " : ""}number${n}`

/** One of 100 authors is known by an id only, and looked up. */
const itemOf = (source: Source, n: number, of: number) =>
  posted({
    source,
    externalId: `e${n}`,
    threadKey: `t${Math.floor(n / 40)}`,
    body: textOf(n),
    isOwn: n % 20 === 19,
    author: n % 100 === 0 ? { id: Option.some(`p${n}`), username: Option.none(), name: Option.none() } : {},
    receivedAt: DateTime.subtract(now, { seconds: Math.round(((of - n) / of) * days * 86_400) })
  })

const fillInbox = Effect.fnUntraced(function* (accounts: ReadonlyArray<SocialAccount>, items: number) {
  for (let from = 0; from < items; from += unit) {
    const at = DateTime.subtract(now, { seconds: Math.round(((items - from) / items) * days * 86_400) })
    for (const [place, account] of accounts.entries()) {
      const source = networks[place % networks.length]?.[1] ?? "ig_comment"
      const own = times(Math.min(unit, items - from), (n) => from + n).filter((n) => n % accounts.length === place)
      yield* ingest(
        account,
        own.map((n) => itemOf(source, n, items)),
        { now: at }
      )
    }
  }
  // As sweeps have left them.
  yield* (yield* InboxEvents).removeOlder(DateTime.subtract(now, { hours: keptHours }), items * 2)
})

/** Deliveries of webhooks: some that wait, as many that are done and too old, as many that are done. */
const fillArrivals = Effect.fnUntraced(function* (count: number) {
  const deliveries = yield* WebhookDeliveries
  const random = yield* SecureRandom.SecureRandom
  const body = new TextEncoder().encode(JSON.stringify({ object: "instagram", text: "a delivery".repeat(50) }))
  for (const [age, isDone] of [
    [9, true],
    [1, true],
    [0, false]
  ] as const) {
    const arrivedAt = DateTime.subtract(now, { days: age })
    for (const _ of times(count, (n) => n)) {
      yield* deliveries.store({ id: `${yield* random.uuidV7()}-${mark}`, endpoint: "meta", body, arrivedAt }, arrivedAt)
    }
    if (!isDone) continue
    const leaseUntil = DateTime.add(arrivedAt, { minutes: 1 })
    const claims = yield* deliveries.claim({ limit: count, token: `fill ${age}`, leaseNow: arrivedAt, leaseUntil })
    yield* deliveries.complete(claims, arrivedAt)
  }
})

/** Deliveries to an endpoint in the same three states. */
const fillDepartures = Effect.fnUntraced(function* (workspaceId: WorkspaceId, count: number) {
  const queue = yield* OutgoingQueue
  const endpoint = yield* addEndpoint(workspaceId, DateTime.subtract(now, { days: 40 }))
  const { last } = yield* (yield* InboxEvents).range(workspaceId)
  for (const [step, [age, isDone]] of (
    [
      [35, true],
      [1, true],
      [0, false]
    ] as const
  ).entries()) {
    const at = DateTime.subtract(now, { days: age })
    const first = last + 1 + step * count
    const made = yield* Effect.forEach(
      times(count, (n) => first + n),
      (seq) => makeDelivery(endpoint, seq, at)
    )
    yield* queue.append({ workspaceId, position: first - 1 }, first + count - 1, made)
    while (isDone) {
      const leaseUntil = DateTime.add(at, { seconds: 15 })
      const lease = { now: at, leaseNow: at, leaseUntil }
      const [claim] = yield* queue.claim({ limit: 1, perLane: count, token: `fill ${age}`, ...lease })
      if (claim === undefined) break
      yield* succeedAll(claim, at)
      yield* queue.release(claim.lane, at)
    }
  }
})

const fillQueues = Effect.fnUntraced(function* (accounts: ReadonlyArray<SocialAccount>, count: number) {
  const [conversions, replies, posts] = [yield* ConversionStore, yield* OutboundStore, yield* PostStore]
  for (const n of times(count, (n) => n)) {
    const account = accounts[n % accounts.length]
    if (account === undefined) continue
    const { workspaceId } = account
    const gif = yield* makeGif(workspaceId, now)
    yield* conversions.submit(yield* conversion(gif, now, `key-${n}`), always)
    yield* makeQueuedOverlay(workspaceId, now)
    // A file that is too old.
    yield* makeGif(workspaceId, DateTime.subtract(now, { days: 10 }))
    const operation = yield* makeOperation(account, now, { key: `key-${n}` })
    yield* replies.submit(operation, () => Result.succeed(operation))
    const post = yield* makeKeptPost(workspaceId, [account], now, { key: `key-${n}` })
    yield* posts.submit({ workspaceId, idempotencyKey: post.post.idempotencyKey }, () => Result.succeed(post))
  }
})

/** Fills a database with one workspace, by the stores: what it has of everything is as they write it. */
export const fillFirst = Effect.fnUntraced(function* (sizes: Sizes) {
  const share = ofOne(sizes)
  const begun = DateTime.subtract(now, { days: 60 })
  const { id } = yield* makeInboxWorkspace(begun, "enterprise")
  const accounts = yield* Effect.forEach(
    times(share.accounts, (n) => n),
    (n) =>
      connect(id, {
        network: networks[n % networks.length]?.[0] ?? "instagram",
        networkAccountId: `page ${n} ${mark}`,
        owner: `user ${n % 5}`,
        at: begun
      })
  )
  yield* fillInbox(accounts, share.items)
  yield* fillDepartures(id, share.jobs)
  yield* fillArrivals(share.jobs)
  yield* fillQueues(accounts, share.jobs)
})
