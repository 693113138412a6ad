import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { Erasures } from "@loopbox/core/accounts/Erasures"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import type { IngestStore } from "@loopbox/core/inbox/IngestStore"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { MediaStore } from "@loopbox/core/media/MediaStore"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { OverlayStore } from "@loopbox/core/overlays/OverlayStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { parseSearch } from "@loopbox/core/search/SearchQuery"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { noThreadFilter, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { SearchWords } from "@loopbox/core/inbox/SearchWords"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { posted } from "@loopbox/testing/fixtures/activities"
import { ingest } from "@loopbox/testing/fixtures/inboxFixtures"
import { networks, sources } from "@loopbox/testing/fixtures/networks"
import { always, conversion, makeGif } from "@loopbox/testing/fixtures/storeFixtures"
import { DateTime, Effect, Option } from "effect"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { now } from "./firstWorkspace.ts"

/** A workspace that requests are about, with one of its accounts. */
export interface Asked {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
}

/** Rows that a sweep's call removes. */
const sweptAtOnce = 10
/** What a worker claims at once; of media jobs it is one. */
const claimedAtOnce = 8

const scopeOf = ({ workspaceId }: Asked): ItemScope => ({
  scope: new WorkspaceScope({ workspaceId }),
  sources: new Set(sources)
})

const first = { limit: 50, after: Option.none() }

/** What requests read. `n` is different for each call. */
const makeReads = Effect.gen(function* () {
  const [inbox, threads, events] = [yield* InboxStore, yield* ThreadStore, yield* InboxEvents]
  const listed = { ...noFilter, ...first }
  const threadsListed = { ...noThreadFilter, limit: 25, after: Option.none() }
  return {
    list: (asked: Asked) => inbox.list(scopeOf(asked), listed),
    "list, unread": (asked: Asked) => inbox.list(scopeOf(asked), { ...listed, isRead: Option.some(false) }),
    "list, one account": (asked: Asked) =>
      inbox.list(scopeOf(asked), { ...listed, accountId: Option.some(asked.accountId) }),
    threads: (asked: Asked) => threads.list(scopeOf(asked), threadsListed),
    "search, a common word": (asked: Asked) => inbox.list(scopeOf(asked), { ...listed, search: parseSearch("shoes") }),
    "search, a rare word": (asked: Asked) => inbox.list(scopeOf(asked), { ...listed, search: parseSearch("urgently") }),
    "search, one item": (asked: Asked, n: number) =>
      inbox.list(scopeOf(asked), { ...listed, search: parseSearch(`number${n % 1_000}`) }),
    unread: (asked: Asked) => inbox.countUnread(scopeOf(asked)),
    "events, the last 50": ({ workspaceId }: Asked) =>
      Effect.flatMap(events.range(workspaceId), ({ last }) => events.read(workspaceId, last - 50, 100))
  }
})

const makeWrites = Effect.gen(function* () {
  const [inbox, accounts, conversions] = [yield* InboxStore, yield* SocialAccounts, yield* ConversionStore]
  // A database that is kept has what an earlier run wrote.
  const run = DateTime.toEpochMillis(yield* DateTime.now)
  return {
    "ingest of one item": Effect.fnUntraced(function* (asked: Asked, n: number) {
      const account = Option.getOrThrow(yield* accounts.find(asked.workspaceId, asked.accountId))
      const activity = posted({ externalId: `new ${run} ${n}`, threadKey: `new ${n % 7}`, receivedAt: now })
      return yield* ingest(account, [activity], { now })
    }),
    "mark one as read": Effect.fnUntraced(function* (asked: Asked, n: number) {
      const query = { ...noFilter, ...first, limit: 1, isRead: Option.some(false) }
      const [item] = (yield* inbox.list(scopeOf(asked), query)).items
      if (item === undefined) return yield* Effect.die(new Error(`nothing to mark in call ${n}`))
      return yield* inbox.markRead(scopeOf(asked), item.id, now)
    }),
    "mark all as read, 100": (asked: Asked) =>
      inbox.markBatch(scopeOf(asked), { upToSeq: 1_000_000, limit: 100, at: now }),
    "submit a conversion": Effect.fnUntraced(function* ({ workspaceId }: Asked, n: number) {
      const media = yield* makeGif(workspaceId, now)
      return yield* conversions.submit(yield* conversion(media, now, `measured-${run}-${n}`), always)
    })
  }
})

/** A claim that finds less than it asks for measures something else. */
const whole = <E, R>(claim: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
  Effect.flatMap(claim, (claims) =>
    claims.length === claimedAtOnce
      ? Effect.void
      : Effect.die(new Error(`${claims.length} of ${claimedAtOnce} claimed`))
  )

/** Claims of every queue; what is claimed stays claimed, so that each finds other rows. */
const makeClaims = Effect.gen(function* () {
  const [polls, replies, posts] = [yield* PollStore, yield* OutboundStore, yield* PostStore]
  const [arrivals, departures, profiles] = [yield* WebhookDeliveries, yield* OutgoingQueue, yield* AuthorProfiles]
  const [conversions, overlays, health] = [yield* ConversionStore, yield* OverlayStore, yield* AccountHealthStore]
  const leases = (n: number) => ({
    token: `measured ${n}`,
    now,
    leaseNow: now,
    leaseUntil: DateTime.add(now, { hours: 1 })
  })
  const request = (n: number) => ({ ...leases(n), limit: claimedAtOnce })
  return {
    "claim, conversions": (_: Asked, n: number) => conversions.claim({ ...leases(n), maxAttempts: 3 }),
    "claim, overlays": (_: Asked, n: number) => overlays.claim({ ...leases(n), maxAttempts: 3 }),
    "claim, replies": (_: Asked, n: number) => whole(replies.claim({ ...request(n), sources })),
    "claim, posts": (_: Asked, n: number) => whole(posts.claim({ ...request(n), networks })),
    "claim, polls": (_: Asked, n: number) =>
      whole(polls.claim({ ...request(n), network: networks[n % networks.length] ?? "x", isAutomatic: true })),
    "claim, webhooks in": (_: Asked, n: number) => whole(arrivals.claim(request(n))),
    // Given back, for there are no more endpoints than workspaces.
    "claim and release, webhooks out": (_: Asked, n: number) =>
      whole(
        Effect.tap(departures.claim({ ...request(n), perLane: 16 }), (claims) =>
          Effect.forEach(claims, ({ lane }) => departures.release(lane, now), { discard: true })
        )
      ),
    "claim, profiles": (_: Asked, n: number) => whole(profiles.claim(request(n))),
    "claim, health": (_: Asked, n: number) => whole(health.claim(request(n)))
  }
})

const makeSweeps = Effect.gen(function* () {
  const [events, arrivals, departures] = [yield* InboxEvents, yield* WebhookDeliveries, yield* OutgoingQueue]
  const retention = yield* RetentionStore
  const before = (days: number) => DateTime.subtract(now, { days })
  const whole = <E>(sweep: Effect.Effect<number, E>) =>
    Effect.flatMap(sweep, (count) =>
      count === sweptAtOnce ? Effect.void : Effect.die(new Error(`${count} of ${sweptAtOnce} swept`))
    )
  return {
    "sweep, events": () => whole(events.removeOlder(before(1), sweptAtOnce)),
    "sweep, webhooks in": () => whole(arrivals.removeOlder({ done: before(7), failed: before(30) }, sweptAtOnce)),
    "sweep, webhooks out": () => whole(departures.removeOlder(before(30), sweptAtOnce)),
    "sweep, files": () => whole(retention.expire(now, sweptAtOnce))
  }
})

/** What workers ask of all workspaces again and again, whether there is anything to do or not. */
const makeLooks = Effect.gen(function* () {
  const [replies, posts] = [yield* OutboundStore, yield* PostStore]
  const [arrivals, departures, words] = [yield* WebhookDeliveries, yield* OutgoingQueue, yield* SearchWords]
  const [conversions, erasures, threads] = [yield* ConversionStore, yield* Erasures, yield* ThreadStore]
  return {
    "look, events for webhooks out": () => departures.lagging(16, Option.none()),
    "look, items without words": () => words.fill(50),
    "look, erasures": () => erasures.list(DateTime.subtract(now, { days: 365 }), 16),
    "look, snoozes that are over": () => threads.wakeDue(now, 16),
    "look, threads without counts": () => threads.countLeft(16),
    "depth, conversions": () => conversions.depth,
    "depth, replies": () => replies.depth,
    "depth, posts": () => posts.depth,
    "depth, webhooks in": () => arrivals.depth,
    "depth, webhooks out": () => departures.depth
  }
})

/** What a call needs besides its store. */
type Needed = IngestStore | MediaStore | SecureRandom

type Calls = Readonly<Record<string, (asked: Asked, n: number) => Effect.Effect<unknown, unknown, Needed>>>

/** Everything that is measured, by name. */
export const makeCalls = Effect.gen(function* () {
  const calls: Calls = {
    ...(yield* makeReads),
    ...(yield* makeWrites),
    ...(yield* makeClaims),
    ...(yield* makeLooks),
    ...(yield* makeSweeps)
  }
  return calls
})
