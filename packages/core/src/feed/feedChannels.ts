import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as RcMap from "effect/RcMap"
import type * as Scope from "effect/Scope"
import type { WorkspaceId } from "../kernel/Ids.ts"
import { supervised, supervisedStream } from "../kernel/lease/supervised.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { EventChannel } from "./EventChannel.ts"
import { FeedMemory } from "./FeedMemory.ts"
import * as metrics from "./feedMetrics.ts"
import { type EventPage, InboxEvents, positionAfter } from "./InboxEvents.ts"
import { EventMemory } from "./RecentEvents.ts"

/** Events per read. */
export const pageSize = 500

/** Fallback poll, in case a notification is lost (design §4). */
const pollEvery = "2 seconds"

/** Maximum number of unknown event kinds to log. */
const loggedKinds = 100

/** Whether the numbers that a channel has read now belong to other events, or to none. */
const isRenumbered = ({ position, positionAt }: EventChannel, { anchor, last }: EventPage): boolean =>
  last < position ||
  (positionAt !== undefined && Option.exists(anchor, (at) => at.epochMilliseconds !== positionAt.epochMilliseconds))

interface Followed {
  readonly channel: EventChannel
  readonly wake: Queue.Enqueue<void>
}

/** The channels of the workspaces with subscribers in this process, each with a loop that reads it. */
export const makeFeedChannels = Effect.gen(function* () {
  const events = yield* InboxEvents
  const memory = new EventMemory(yield* FeedMemory)
  const followed = new Map<WorkspaceId, Followed>()
  /** Open while any workspace has subscribers. */
  const isFollowed = yield* Latch.make()
  const logged = new Set<string>()

  const gauge = Effect.fnUntraced(function* (behind: number) {
    yield* Metric.update(metrics.behind, behind)
    yield* Metric.update(metrics.followed, followed.size)
    yield* Metric.update(metrics.keptBytes, memory.bytes)
  })

  const noteUnreadable = Effect.fnUntraced(function* ({ workspaceId }: EventChannel, { unreadable }: EventPage) {
    for (const { kind, seq } of unreadable) {
      yield* Metric.update(Metric.withAttributes(metrics.unreadable, { kind }), 1)
      if (logged.has(kind) || logged.size >= loggedKinds) continue
      logged.add(kind)
      yield* Effect.logWarning("events that this version can't read are passed over").pipe(
        Effect.annotateLogs({ kind, workspace_id: workspaceId, seq })
      )
    }
  })

  const restart = Effect.fnUntraced(function* (channel: EventChannel, position: number, reason: string) {
    yield* Metric.update(Metric.withAttributes(metrics.restarts, { reason }), 1)
    yield* Effect.logWarning("a live feed begins anew").pipe(
      Effect.annotateLogs({ reason, workspace_id: channel.workspaceId, from: channel.position, to: position })
    )
    channel.restart(position)
  })

  /** Reads until there are no new events. */
  const advance = Effect.fnUntraced(function* (channel: EventChannel) {
    for (let isMore = true; isMore;) {
      const page = yield* events.read(channel.workspaceId, channel.position, pageSize)
      if (isRenumbered(channel, page)) return yield* restart(channel, page.last, "renumbered")
      yield* noteUnreadable(channel, page)
      const position = positionAfter(page, pageSize)
      if (position > channel.position) yield* channel.append(page.events, position)
      isMore = position < page.last
    }
  })

  /** Fails all subscriptions of a channel. The next subscriber gets a new channel. */
  const end = (channel: EventChannel, cause: Cause.Cause<unknown>) =>
    Effect.suspend(() => {
      channel.end(Cause.die(Cause.squash(cause)))
      return RcMap.invalidate(channels, channel.workspaceId)
    })

  /** One iteration of a channel's loop: waits for a wake-up, then reads new events. */
  const makeTurn = (channel: EventChannel, wake: Queue.Queue<void>) => {
    // After a defect it is unknown which events the subscribers got.
    let isBroken = false
    const recover = Effect.gen(function* () {
      const { last } = yield* Effect.onError(events.range(channel.workspaceId), (cause) =>
        Cause.hasDies(cause) ? end(channel, cause) : Effect.void
      )
      yield* restart(channel, last, "defect")
      isBroken = false
    })
    return Effect.gen(function* () {
      yield* Queue.take(wake)
      if (channel.isEnded) return yield* Effect.never
      if (isBroken) yield* recover
      yield* advance(channel)
    }).pipe(
      Effect.onError((cause) => {
        isBroken ||= Cause.hasDies(cause)
        return Queue.offer(wake, undefined)
      })
    )
  }

  const leave = Effect.fnUntraced(function* (channel: EventChannel) {
    channel.close()
    // Closing waits for a read in flight, and a new channel may have been opened meanwhile.
    if (followed.get(channel.workspaceId)?.channel === channel) followed.delete(channel.workspaceId)
    if (followed.size > 0) return
    yield* isFollowed.close
    yield* gauge(0)
  })

  const channels: RcMap.RcMap<WorkspaceId, EventChannel, StoreUnavailable> = yield* RcMap.make({
    lookup: Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
      const { last } = yield* events.range(workspaceId)
      const channel = new EventChannel(workspaceId, last, memory)
      const wake = yield* Queue.sliding<void>(1)
      yield* Effect.acquireRelease(
        Effect.andThen(
          Effect.sync(() => followed.set(workspaceId, { channel, wake })),
          isFollowed.open
        ),
        () => leave(channel)
      )
      yield* supervised("feed.channel", makeTurn(channel, wake))
      // Without this, an event written before the first notification would wait for the next poll.
      yield* Queue.offer(wake, undefined)
      return channel
    })
  })

  const wakeUp = (workspaceId: WorkspaceId) => {
    const found = followed.get(workspaceId)
    return found === undefined ? Effect.void : Effect.asVoid(Queue.offer(found.wake, undefined))
  }
  yield* supervisedStream("feed.changes", events.changes, wakeUp)

  const poll = Effect.gen(function* () {
    yield* isFollowed.await
    memory.forgetOld(yield* Clock.currentTimeMillis)
    const last = yield* events.lastOf(Array.from(followed.keys()))
    let behind = 0
    for (const [id, { channel, wake }] of followed) {
      const difference = (last.get(id) ?? 0) - channel.position
      behind += Math.max(0, difference)
      // A lower number may just be outdated, so the channel checks by itself.
      if (difference !== 0) yield* Queue.offer(wake, undefined)
    }
    yield* gauge(behind)
  })
  yield* supervised("feed.poll", poll, { every: pollEvery })

  return {
    /** The channel of a workspace, until the scope closes. All subscribers share it. */
    open: (workspaceId: WorkspaceId): Effect.Effect<EventChannel, StoreUnavailable, Scope.Scope> =>
      RcMap.get(channels, workspaceId)
  }
})
