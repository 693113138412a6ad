import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import { supervised } from "../kernel/lease/supervised.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { EventChannel, Place } from "./EventChannel.ts"
import { makeFeedChannels, pageSize } from "./feedChannels.ts"
import type { FeedMessage, Follower } from "./FeedMessage.ts"
import { Following, type Opened } from "./Following.ts"
import { type DeliveredEvent, deliver } from "../items/InboxEvent.ts"
import { InboxEvents, positionAfter } from "./InboxEvents.ts"
import { type Audience, toAudience } from "./RecentEvents.ts"

/** Driving service: streams the events of a scope, live or from a number on. */
export class EventFeed extends Context.Service<
  EventFeed,
  {
    /**
     * Streams the events of a scope from now on, or after the event `after`: each event once, in order.
     *
     * Returns once the starting position is known. The stream never ends by itself and fails only with a defect; it
     * waits while the store is unavailable. Events that this version can't decode are skipped. The entitlement is not
     * checked again: a long-lived subscriber must do that.
     */
    readonly subscribe: (
      caller: EntitledCaller,
      after: Option.Option<number>
    ) => Effect.Effect<Stream.Stream<FeedMessage>, StoreUnavailable, Scope.Scope>
    /**
     * The same for one of many subscribers: events are pushed to a follower, from when it is given until the scope
     * closes. While it keeps up it has no fiber.
     */
    readonly follow: (
      caller: EntitledCaller,
      after: Option.Option<number>
    ) => Effect.Effect<(follower: Follower) => Effect.Effect<void>, StoreUnavailable, Scope.Scope>
  }
>()("@loopbox/core/feed/EventFeed") {
  static readonly layer: Layer.Layer<EventFeed, never, InboxEvents> = Layer.effect(
    EventFeed,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const events = yield* InboxEvents
  const channels = yield* makeFeedChannels

  /** The events after a position, from memory or from the store. */
  const pull = Effect.fnUntraced(
    function* (channel: EventChannel, audience: Audience, place: Place) {
      yield* channel.awaitAbove(place)
      const { run, seq } = place
      if (run !== channel.start.run) return resync(channel.start)
      const { position } = channel
      const atHand = channel.take(seq, audience)
      if (atHand !== undefined) return toStep(atHand, { run, seq: position })
      const page = yield* events.read(channel.workspaceId, seq, pageSize)
      // The store's numbers are lower than the subscriber's; the channel will restart soon.
      if (page.last < seq) return yield* Effect.as(Effect.sleep("1 second"), toStep([], place))
      // The subscriber is more than a day behind, and its next event was deleted.
      if (page.removed > seq) return resync({ run, seq: position })
      return toStep(
        page.events.flatMap((routed) => Option.toArray(deliver(routed, audience.scope))),
        { run, seq: positionAfter(page, pageSize) }
      )
    },
    Effect.retry({
      while: (error: StoreUnavailable) => error._tag === "StoreUnavailable",
      schedule: Schedule.spaced("1 second")
    }),
    Effect.orDie
  )

  /** The starting position of a subscriber, and its first message. */
  const open = Effect.fnUntraced(function* (caller: EntitledCaller, after: Option.Option<number>) {
    const { workspaceId } = caller.scope
    const channel = yield* channels.open(workspaceId)
    // Read before the range, so that a restart in between is detected.
    const { run } = channel.start
    const { last, removed } = yield* events.range(workspaceId)
    const isKnown = Option.match(after, { onNone: () => true, onSome: (seq) => seq <= last && seq >= removed })
    const hello: ReadonlyArray<FeedMessage> = [
      { _tag: "Hello", seq: last },
      ...(isKnown ? [] : [{ _tag: "ResyncRequired", seq: last } as const])
    ]
    const start: Place = { run, seq: isKnown ? Option.getOrElse(after, () => last) : last }
    const opened: Opened = { channel, audience: toAudience(caller), hello, start }
    return opened
  })

  const subscribe = Effect.fn("EventFeed.subscribe")(function* (caller: EntitledCaller, after: Option.Option<number>) {
    const { audience, channel, hello, start } = yield* open(caller, after)
    const live = Stream.paginate(start, (place) =>
      Effect.map(pull(channel, audience, place), ([messages, next]) => [messages, Option.some(next)] as const)
    )
    return Stream.concat(Stream.fromIterable(hello), live)
  })

  /** Brings a follower up to date, and then has events pushed to it. */
  const catchUp = Effect.fnUntraced(function* (following: Following) {
    const { audience, channel, follower } = following
    yield* giveAll(follower, yield* following.first)
    while (!channel.join(following)) {
      const [messages, next] = yield* pull(channel, audience, following.place)
      yield* giveAll(follower, messages)
      following.place = next
    }
  })
  const startCatchUp = (following: Following) =>
    Effect.catchCauseIf(catchUp(following), Cause.hasDies, (cause) => following.follower.failed(cause)).pipe(
      Effect.forkIn(following.scope, { startImmediately: true })
    )
  const behind = yield* Queue.unbounded<Following>()
  yield* supervised("feed.followers", Effect.flatMap(Queue.take(behind), startCatchUp))

  const follow = Effect.fn("EventFeed.follow")(function* (caller: EntitledCaller, after: Option.Option<number>) {
    const opened = yield* open(caller, after)
    const scope = yield* Effect.scope
    return (follower: Follower) => {
      const following = new Following(opened, follower, scope, behind)
      return Effect.andThen(Scope.addFinalizer(scope, following.leave), startCatchUp(following))
    }
  })

  return EventFeed.of({ subscribe, follow })
})

/** Delivers all messages to a follower, and waits when it has no room. */
const giveAll = Effect.fnUntraced(function* (follower: Follower, messages: ReadonlyArray<FeedMessage>) {
  for (let rest = messages; rest.length > 0;) {
    yield* follower.ready
    rest = rest.slice(follower.take(rest))
  }
})

/** Messages, and the position after them. */
type Step = readonly [messages: ReadonlyArray<FeedMessage>, place: Place]

const toStep = (events: ReadonlyArray<DeliveredEvent>, place: Place): Step => [
  events.map((event) => ({ _tag: "Delivered", event })),
  place
]

const resync = (place: Place): Step => [[{ _tag: "ResyncRequired", seq: place.seq }], place]
