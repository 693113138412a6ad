import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { WorkspaceId } from "../kernel/Ids.ts"
import { type FeedMessage, type Follower, seqOf } from "./FeedMessage.ts"
import { type DeliveredEvent, type RoutedEvent, usersOf } from "../items/InboxEvent.ts"
import { type Audience, type EventMemory, type RecentEvent, RecentEvents } from "./RecentEvents.ts"

/** Followers to serve before yielding to other fibers: for about two milliseconds. */
const followersPerYield = 250

/** The position of a subscriber: it has every event up to `seq` of a channel's run. */
export interface Place {
  /** Increases when a channel restarts; event numbers of earlier runs are then invalid. */
  readonly run: number
  readonly seq: number
}

/**
 * A follower to which new events are pushed. There may be thousands, and most of them only wait: so each is one small
 * object, without a fiber.
 */
export interface Subscription {
  readonly follower: Follower
  readonly audience: Audience
  /** It has every event up to here, which may be ahead of the channel. */
  readonly place: Place
  /** Whether events are pushed to it; the channel's to write. */
  isJoined: boolean
  /** Called once when nothing more is pushed, with the position from which the follower must pull. */
  readonly onBehind: (place: Place) => void
  /** The same when the follower can't go on: it or the channel has met a defect. */
  readonly onFailed: (cause: Cause.Cause<never>) => void
}

/** The subscriptions of one audience. */
interface Group {
  readonly audience: Audience
  readonly subscriptions: Set<Subscription>
}

/** The groups of one managed user, or of the workspace, by the name of the audience. */
type Groups = Map<string, Group>

const userOf = ({ scope: { scope } }: Audience): string | undefined =>
  scope._tag === "WorkspaceScope" ? undefined : scope.externalUserId

/**
 * The newest events of one workspace, read once for all subscribers in this process.
 *
 * The one fiber that reads events pushes them to all followers that keep up, so that thousands of followers need no
 * fiber each. A follower that does not keep up is unsubscribed and pulls from its own position, so that it misses
 * nothing and does not block the others.
 */
export class EventChannel {
  readonly workspaceId: WorkspaceId
  /** Number of the last event that was read. */
  #position: number
  /** Time of that event, if known. */
  #positionAt: DateTime.Utc | undefined
  /** The start of this run. */
  #start: Place
  #ended: Cause.Cause<never> | undefined
  #advanced = Deferred.makeUnsafe<void>()
  readonly #recent: RecentEvents
  readonly #groups = new Map<string | undefined, Groups>()

  constructor(workspaceId: WorkspaceId, position: number, memory: EventMemory) {
    this.workspaceId = workspaceId
    this.#position = position
    this.#start = { run: 0, seq: position }
    this.#recent = new RecentEvents(memory)
  }

  get position(): number {
    return this.#position
  }

  get positionAt(): DateTime.Utc | undefined {
    return this.#positionAt
  }

  get isEnded(): boolean {
    return this.#ended !== undefined
  }

  /** The start of this run: the position of a subscriber that must restart. */
  get start(): Place {
    return this.#start
  }

  /**
   * Adds the events that were read after the current position, up to `position`, which may be above the last event.
   * Wakes waiting subscribers and pushes the events to followers.
   */
  append(events: ReadonlyArray<RoutedEvent>, position: number): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const before = this.#position
      const batches = new Map<Group, Array<FeedMessage>>()
      for (const routed of events) {
        if (routed.event._tag === "AccountMoved") this.#recent.moveAccount(routed, routed.event.accountId)
        this.#sortInto(batches, this.#recent.add(routed, now))
      }
      this.#recent.trim()
      const last = events[events.length - 1]
      this.#position = position
      this.#positionAt = last?.seq === position ? last.at : undefined
      this.#wake()
      return this.#pushAll(batches, before)
    })
  }

  /** Restarts at a number. All subscribers continue there, and get `ResyncRequired`. */
  restart(position: number): void {
    const { run } = this.#start
    this.#recent.clear()
    this.#position = position
    this.#positionAt = undefined
    this.#start = { run: run + 1, seq: position }
    this.#wake()
    this.#endAll((subscription) => subscription.onBehind({ run, seq: subscription.place.seq }))
  }

  /** Ends the channel permanently: all subscribers fail. */
  end(cause: Cause.Cause<never>): void {
    this.#ended = cause
    this.#wake()
    this.#endAll((subscription) => subscription.onFailed(cause))
  }

  /** Drops the events; for a channel without subscribers. */
  close(): void {
    this.#recent.clear()
  }

  /** The events after `after` for one audience; absent when they are no longer in memory. */
  take(after: number, audience: Audience): ReadonlyArray<DeliveredEvent> | undefined {
    return this.#recent.take(after, audience)
  }

  /** Whether there is nothing new for a subscriber at this position, which may be ahead of the channel. */
  isUpToDate({ run, seq }: Place): boolean {
    return run === this.#start.run && this.#position <= seq
  }

  /** Waits until there are events after a position, or until the channel restarts. */
  awaitAbove(place: Place): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#ended !== undefined) return Effect.failCause(this.#ended)
      if (!this.isUpToDate(place)) return Effect.void
      return Effect.andThen(Deferred.await(this.#advanced), () => this.awaitAbove(place))
    })
  }

  /** The same audience as an object that all its subscriptions share. */
  audienceOf(audience: Audience): Audience {
    return this.#groups.get(userOf(audience))?.get(audience.name)?.audience ?? audience
  }

  /**
   * Pushes new events from now on, as long as the follower has room. Does nothing and returns false if there are events
   * after its place already, or if the channel has ended.
   */
  join(subscription: Subscription): boolean {
    if (this.#ended !== undefined || !this.isUpToDate(subscription.place)) return false
    this.#groupOf(subscription.audience).subscriptions.add(subscription)
    subscription.isJoined = true
    return true
  }

  /** Pushes no more; true if it was pushed to until now. */
  leave(subscription: Subscription): boolean {
    if (!subscription.isJoined) return false
    subscription.isJoined = false
    const { audience } = subscription
    const user = userOf(audience)
    const groups = this.#groups.get(user)
    const subscriptions = groups?.get(audience.name)?.subscriptions
    subscriptions?.delete(subscription)
    if (subscriptions?.size === 0) groups?.delete(audience.name)
    if (groups?.size === 0) this.#groups.delete(user)
    return true
  }

  #wake(): void {
    const advanced = this.#advanced
    this.#advanced = Deferred.makeUnsafe<void>()
    Deferred.doneUnsafe(advanced, Effect.void)
  }

  /** Ends all subscriptions. */
  #endAll(tell: (subscription: Subscription) => void): void {
    const groups = Array.from(this.#groups.values()).flatMap((some) => Array.from(some.values()))
    for (const subscription of groups.flatMap(({ subscriptions }) => Array.from(subscriptions))) {
      if (this.leave(subscription)) tell(subscription)
    }
  }

  #groupOf(audience: Audience): Group {
    const user = userOf(audience)
    const groups: Groups = this.#groups.get(user) ?? new Map()
    this.#groups.set(user, groups)
    const group = groups.get(audience.name) ?? { audience, subscriptions: new Set() }
    groups.set(audience.name, group)
    return group
  }

  /** Adds an event to the batch of each group that gets it, and skips groups of managed users that it can't reach. */
  #sortInto(batches: Map<Group, Array<FeedMessage>>, entry: RecentEvent): void {
    const users = usersOf(entry.routed)
    const groups =
      users === "everyone"
        ? this.#groups.values()
        : [undefined, ...users].flatMap((user) => this.#groups.get(user) ?? [])
    for (const group of Array.from(groups).flatMap((some) => Array.from(some.values()))) {
      const delivered = this.#recent.deliverTo(entry, group.audience)
      if (Option.isNone(delivered)) continue
      const message: FeedMessage = { _tag: "Delivered", event: delivered.value }
      const batch = batches.get(group)
      if (batch === undefined) batches.set(group, [message])
      else batch.push(message)
    }
  }

  /** Pushes to each group its messages, and lets other fibers run now and then. */
  #pushAll(batches: ReadonlyMap<Group, ReadonlyArray<FeedMessage>>, before: number): Effect.Effect<void> {
    // Only current subscriptions: a new one already has these messages.
    const turns = Array.from(batches, ([{ subscriptions }, messages]) => ({
      messages,
      subscriptions: Array.from(subscriptions)
    }))
    let [group, next] = [0, 0]
    let current: Subscription | undefined
    const pushSome = Effect.sync(() => {
      for (let pushed = 0; pushed < followersPerYield && group < turns.length;) {
        const turn = turns[group]
        current = turn?.subscriptions[next++]
        if (turn === undefined || current === undefined) {
          group++
          next = 0
          continue
        }
        pushed++
        this.#push(current, turn.messages, before)
      }
    })
    return pushSome.pipe(
      // A follower's defect ends only its own subscription.
      Effect.catchCause((cause) =>
        Effect.sync(() => {
          if (current !== undefined && this.leave(current)) current.onFailed(cause)
        })
      ),
      Effect.andThen(Effect.suspend(() => (group < turns.length ? Effect.yieldNow : Effect.void))),
      Effect.repeat({ while: () => group < turns.length })
    )
  }

  #push(subscription: Subscription, messages: ReadonlyArray<FeedMessage>, before: number): void {
    const since = subscription.place.seq
    const own = since <= before ? messages : messages.filter((message) => seqOf(message) > since)
    if (own.length === 0 || !subscription.isJoined) return
    const taken = subscription.follower.take(own)
    if (taken === own.length) return
    const last = own[taken - 1]
    const seq = last === undefined ? Math.max(before, since) : seqOf(last)
    if (this.leave(subscription)) subscription.onBehind({ run: this.#start.run, seq })
  }
}
