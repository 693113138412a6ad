import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { WorkspaceId } from "../kernel/Ids.ts"
import { type FeedMessage, type Follower, seqOf } from "./FeedMessage.ts"
import { type DeliveredEvent, deliver, type RoutedEvent, usersOf } from "./InboxEvent.ts"
import type { ItemScope } from "./InboxStore.ts"

/** Events of a workspace that are kept at hand for its subscribers; who is further behind reads from the store. */
const kept = 1_024

/** Followers that are handed something before others of this process get their turn. */
const servedAtOnce = 100

/** A scope with its name, so that what two subscribers of one audience get is one object. */
export interface Audience {
  readonly scope: ItemScope
  readonly name: string
}

export const toAudience = (scope: ItemScope): Audience => ({
  scope,
  name: [
    scope.scope._tag === "WorkspaceScope" ? "" : `=${scope.scope.externalUserId}`,
    ...Array.from(scope.sources).sort()
  ].join(" ")
})

interface Entry {
  routed: RoutedEvent
  readonly delivered: Map<string, Option.Option<DeliveredEvent>>
}

const deliverTo = (entry: Entry, audience: Audience): Option.Option<DeliveredEvent> => {
  const known = entry.delivered.get(audience.name)
  if (known !== undefined) return known
  const delivered = deliver(entry.routed, audience.scope)
  entry.delivered.set(audience.name, delivered)
  return delivered
}

/** A follower that has everything up to the channel's position, and is handed what comes. */
interface Seat {
  readonly follower: Follower
  /** It has everything up to here; a seat may be taken ahead of the channel. */
  readonly since: number
  isTaken: boolean
  /** Ends the stay, with the number from behind which the follower is to go on. */
  readonly leave: (place: Effect.Effect<number>) => void
}

interface Row {
  readonly audience: Audience
  readonly seats: Set<Seat>
}

/** The rows of one managed user, or of the workspace, by the audience's name: sources may differ. */
type Rows = Map<string, Row>

const userOf = ({ scope: { scope } }: Audience): string | undefined =>
  scope._tag === "WorkspaceScope" ? undefined : scope.externalUserId

/**
 * The newest events of one workspace, read once for all of its subscribers in this process.
 *
 * Who keeps up has a seat, and is handed each event by the one fiber that reads them: thousands of followers cost no
 * fiber each. Who does not keep up leaves its seat and pulls from its own place, so it misses nothing and holds up
 * nobody.
 */
export class EventChannel {
  readonly workspaceId: WorkspaceId
  /** The number up to which events have been read. */
  position: number
  #entries: Array<Entry> = []
  #advanced = Deferred.makeUnsafe<void>()
  readonly #rows = new Map<string | undefined, Rows>()

  constructor(workspaceId: WorkspaceId, position: number) {
    this.workspaceId = workspaceId
    this.position = position
  }

  /** Takes what was read above the position, wakes who waits, and hands it round to the seats. */
  append(events: ReadonlyArray<RoutedEvent>): Effect.Effect<void> {
    return Effect.suspend(() => {
      const before = this.position
      const batches = new Map<Row, Array<FeedMessage>>()
      for (const routed of events) {
        if (routed.event._tag === "AccountMoved") this.#moveAccount(routed, routed.event.accountId)
        const entry: Entry = { routed, delivered: new Map() }
        this.#entries.push(entry)
        this.position = routed.seq
        this.#sortInto(batches, entry)
      }
      if (this.#entries.length > kept) this.#entries = this.#entries.slice(-kept)
      const advanced = this.#advanced
      this.#advanced = Deferred.makeUnsafe<void>()
      Deferred.doneUnsafe(advanced, Effect.void)
      return Effect.forEach(batches, ([row, messages]) => this.#handRound(row, messages, before), { discard: true })
    })
  }

  /** What is above `after`, for one audience; absent when that is no longer at hand. */
  take(after: number, audience: Audience): ReadonlyArray<DeliveredEvent> | undefined {
    const first = this.#entries[0]
    if (first === undefined || first.routed.seq > after + 1) return undefined
    // Most subscribers want the newest only, so the search begins at the end.
    const start = this.#entries.findLastIndex(({ routed }) => routed.seq <= after) + 1
    return this.#entries.slice(start).flatMap((entry) => Option.toArray(deliverTo(entry, audience)))
  }

  /** Ends when there is something above `after`. */
  awaitAbove(after: number): Effect.Effect<void> {
    return Effect.suspend(() => (this.position > after ? Effect.void : Deferred.await(this.#advanced)))
  }

  /**
   * Hands a follower all that comes, for as long as it takes it; answers the number from behind which it has to pull.
   * That is `place` at once, if there is something above it already.
   */
  sit(follower: Follower, audience: Audience, place: number): Effect.Effect<number> {
    return Effect.callback((resume) => {
      if (this.position > place) return resume(Effect.succeed(place))
      const row = this.#rowOf(audience)
      const seat: Seat = { follower, since: place, isTaken: true, leave: resume }
      row.seats.add(seat)
      return Effect.sync(() => this.#leave(row, seat))
    })
  }

  #rowOf(audience: Audience): Row {
    const user = userOf(audience)
    const rows: Rows = this.#rows.get(user) ?? new Map()
    this.#rows.set(user, rows)
    const row = rows.get(audience.name) ?? { audience, seats: new Set() }
    rows.set(audience.name, row)
    return row
  }

  #leave({ audience, seats }: Row, seat: Seat): void {
    seats.delete(seat)
    seat.isTaken = false
    if (seats.size > 0) return
    const user = userOf(audience)
    const rows = this.#rows.get(user)
    rows?.delete(audience.name)
    if (rows?.size === 0) this.#rows.delete(user)
  }

  /** Adds an event to what each row gets that it is for; rows of managed users whom it can't reach are not looked at. */
  #sortInto(batches: Map<Row, Array<FeedMessage>>, entry: Entry): void {
    const users = usersOf(entry.routed)
    const rows =
      users === "everyone" ? this.#rows.values() : [undefined, ...users].flatMap((user) => this.#rows.get(user) ?? [])
    for (const row of Array.from(rows).flatMap((some) => Array.from(some.values()))) {
      const delivered = deliverTo(entry, row.audience)
      if (Option.isNone(delivered)) continue
      const message: FeedMessage = { _tag: "Delivered", event: delivered.value }
      const batch = batches.get(row)
      if (batch === undefined) batches.set(row, [message])
      else batch.push(message)
    }
  }

  #handRound(row: Row, messages: ReadonlyArray<FeedMessage>, before: number): Effect.Effect<void> {
    // As they sit now: whoever comes during the round has what is handed round.
    const seats = Array.from(row.seats)
    let next = 0
    const leave = (seat: Seat, place: Effect.Effect<number>) => {
      this.#leave(row, seat)
      seat.leave(place)
    }
    const hand = (seat: Seat): void => {
      const own = seat.since <= before ? messages : messages.filter((message) => seqOf(message) > seat.since)
      if (own.length === 0 || !seat.isTaken) return
      const taken = seat.follower.take(own)
      if (taken === own.length) return
      const last = own[taken - 1]
      leave(seat, Effect.succeed(last === undefined ? Math.max(before, seat.since) : seqOf(last)))
    }
    const handSome = Effect.sync(() => {
      for (const seat of seats.slice(next, next + servedAtOnce)) {
        next++
        hand(seat)
      }
    })
    return handSome.pipe(
      // One follower's defect is its own.
      Effect.catchCause((cause) =>
        Effect.sync(() => {
          const seat = seats[next - 1]
          if (seat !== undefined) leave(seat, Effect.failCause(cause))
        })
      ),
      Effect.andThen(Effect.yieldNow),
      Effect.repeat({ while: () => next < seats.length })
    )
  }

  /**
   * Who owns the account now gets what is sent from now on, also of what happened before. Nothing is kept at hand of an
   * account whose items are hidden: it may have been erased, and its owner with all that names the owner.
   */
  #moveAccount({ isShown, owner }: RoutedEvent, accountId: string): void {
    if (!isShown) {
      this.#entries = []
      return
    }
    for (const entry of this.#entries) {
      const { event } = entry.routed
      if (event._tag === "AccountMoved" || !("accountId" in event) || event.accountId !== accountId) continue
      entry.routed = { ...entry.routed, owner, isShown }
      entry.delivered.clear()
    }
  }
}
