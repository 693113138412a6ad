import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as RcMap from "effect/RcMap"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { type Audience, EventChannel, toAudience } from "./EventChannel.ts"
import type { FeedMessage, Follower } from "./FeedMessage.ts"
import { type DeliveredEvent, deliver } from "./InboxEvent.ts"
import { InboxEvents } from "./InboxEvents.ts"

/** Events that are read at once. */
const pageSize = 500

/** The net under what processes tell each other (design §4). */
const lookEvery = "2 seconds"

/** Driving service: follows the events of a scope, live and from a number on. */
export class EventFeed extends Context.Service<
  EventFeed,
  {
    /**
     * Follows a scope from now on, or from behind the event `after`: each event once, in order.
     *
     * It answers when it is known where to begin. The stream never ends by itself; a store that is away makes it wait.
     * The entitlement holds as it was judged: who subscribes for long has it judged again.
     */
    readonly subscribe: (
      caller: EntitledCaller,
      after: Option.Option<number>
    ) => Effect.Effect<Stream.Stream<FeedMessage>, StoreUnavailable, Scope.Scope>
    /**
     * The same for one of many: instead of pulling, it is handed what comes. What it answers runs for as long as it is
     * followed, and fails only with a defect of the follower.
     */
    readonly follow: (
      caller: EntitledCaller,
      after: Option.Option<number>
    ) => Effect.Effect<(follower: Follower) => Effect.Effect<never>, StoreUnavailable, Scope.Scope>
  }
>()("@loopbox/core/inbox/EventFeed") {
  static readonly layer: Layer.Layer<EventFeed, never, InboxEvents> = Layer.effect(
    EventFeed,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const events = yield* InboxEvents
  const wakes = new Map<WorkspaceId, { readonly channel: EventChannel; readonly wake: Queue.Enqueue<void> }>()

  /** Reads what is new, until nothing is. */
  const advance = Effect.fnUntraced(function* (channel: EventChannel) {
    for (let count = pageSize; count === pageSize;) {
      const page = yield* events.read(channel.workspaceId, channel.position, pageSize)
      if (page.length > 0) yield* channel.append(page)
      count = page.length
    }
  })

  const channels = yield* RcMap.make({
    lookup: Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
      const { last } = yield* events.range(workspaceId)
      const channel = new EventChannel(workspaceId, last)
      const wake = yield* Queue.sliding<void>(1)
      yield* Effect.acquireRelease(
        Effect.sync(() => wakes.set(workspaceId, { channel, wake })),
        () => Effect.sync(() => wakes.delete(workspaceId))
      )
      yield* Queue.take(wake).pipe(
        Effect.andThen(advance(channel)),
        Effect.catchTag("StoreUnavailable", (error) => Effect.logDebug("events wait for their store", error)),
        Effect.forever,
        Effect.forkScoped
      )
      // What was written between the look and the first word would else wait for the net.
      yield* Queue.offer(wake, undefined)
      return channel
    })
  })

  const wakeUp = (workspaceId: WorkspaceId) => {
    const found = wakes.get(workspaceId)
    return found === undefined ? Effect.void : Effect.asVoid(Queue.offer(found.wake, undefined))
  }
  yield* events.changes.pipe(Stream.runForEach(wakeUp), Effect.forkScoped)
  yield* Effect.suspend(() =>
    wakes.size === 0 ? Effect.succeed(new Map<WorkspaceId, number>()) : events.lastOf(Array.from(wakes.keys()))
  ).pipe(
    Effect.flatMap((last) =>
      Effect.forEach(
        Array.from(last).filter(([id, seq]) => seq > (wakes.get(id)?.channel.position ?? seq)),
        ([id]) => wakeUp(id),
        { discard: true }
      )
    ),
    Effect.catchTag("StoreUnavailable", (error) => Effect.logDebug("events wait for their store", error)),
    Effect.repeat(Schedule.spaced(lookEvery)),
    Effect.forkScoped
  )

  /** What is above a place, from what is at hand or from the store. */
  const pull = Effect.fnUntraced(
    function* (channel: EventChannel, audience: Audience, after: number) {
      yield* channel.awaitAbove(after)
      const { position } = channel
      const atHand = channel.take(after, audience)
      if (atHand !== undefined) return toStep(atHand, position)
      const page = yield* events.read(channel.workspaceId, after, pageSize)
      // It fell behind by more than a day, and its next event is no longer kept.
      const { removed } = yield* events.range(channel.workspaceId)
      if (removed > after) return resync(position)
      return toStep(
        page.flatMap((routed) => Option.toArray(deliver(routed, audience.scope))),
        page[page.length - 1]?.seq ?? position
      )
    },
    Effect.retry({
      while: (error: StoreUnavailable) => error._tag === "StoreUnavailable",
      schedule: Schedule.spaced("1 second")
    }),
    Effect.orDie
  )

  /** Where a subscriber begins, and what it is told first. */
  const open = Effect.fnUntraced(function* (caller: EntitledCaller, after: Option.Option<number>) {
    const { workspaceId } = caller.scope
    const channel = yield* RcMap.get(channels, workspaceId)
    const { last, removed } = yield* events.range(workspaceId)
    const isKnown = Option.match(after, { onNone: () => true, onSome: (seq) => seq <= last && seq >= removed })
    const hello: ReadonlyArray<FeedMessage> = [
      { _tag: "Hello", seq: last },
      ...(isKnown ? [] : [{ _tag: "ResyncRequired", seq: last } as const])
    ]
    return { channel, audience: toAudience(caller), hello, start: isKnown ? Option.getOrElse(after, () => last) : last }
  })

  const subscribe = Effect.fn("EventFeed.subscribe")(function* (caller: EntitledCaller, after: Option.Option<number>) {
    const { audience, channel, hello, start } = yield* open(caller, after)
    const live = Stream.paginate(start, (place) =>
      Effect.map(pull(channel, audience, place), ([messages, next]) => [messages, Option.some(next)] as const)
    )
    return Stream.concat(Stream.fromIterable(hello), live)
  })

  const follow = Effect.fn("EventFeed.follow")(function* (caller: EntitledCaller, after: Option.Option<number>) {
    const { audience, channel, hello, start } = yield* open(caller, after)
    return Effect.fnUntraced(function* (follower: Follower) {
      yield* giveAll(follower, hello)
      for (let place = start; ;) {
        place = yield* channel.sit(follower, audience, place)
        const [messages, next] = yield* pull(channel, audience, place)
        yield* giveAll(follower, messages)
        place = next
      }
    })
  })

  return EventFeed.of({ subscribe, follow })
})

/** Gives a follower everything, however long it takes to make room. */
const giveAll = Effect.fnUntraced(function* (follower: Follower, messages: ReadonlyArray<FeedMessage>) {
  for (let rest = messages; rest.length > 0;) {
    yield* follower.ready
    rest = rest.slice(follower.take(rest))
  }
})

/** Messages, and the place behind them. */
type Step = readonly [messages: ReadonlyArray<FeedMessage>, place: number]

const toStep = (events: ReadonlyArray<DeliveredEvent>, place: number): Step => [
  events.map((event) => ({ _tag: "Delivered", event })),
  place
]

const resync = (seq: number): Step => [[{ _tag: "ResyncRequired", seq }], seq]
