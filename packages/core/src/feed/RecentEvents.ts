import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { FeedMemoryLimits } from "./FeedMemory.ts"
import { type DeliveredEvent, deliver, type RoutedEvent } from "../items/InboxEvent.ts"
import type { ItemScope } from "../items/ItemScope.ts"

/** A scope with a name, so that all subscribers of one audience share the same objects. */
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

/** An event, with what each audience gets of it. */
export interface RecentEvent {
  routed: RoutedEvent
  readonly delivered: Map<string, Option.Option<DeliveredEvent>>
  /** In milliseconds. */
  readonly readAt: number
  /** Characters in the texts of the event. */
  readonly chars: number
  /** Estimated, including delivered copies. */
  bytes: number
  isKept: boolean
}

/**
 * Estimated bytes of an event without its characters: objects, options and times of an item. Measured on Node 24 with
 * direct messages of 20 to 5,000 characters. A delivered copy includes its WebSocket frame.
 */
const eventBytes = 2_900
const deliveryBytes = 1_300

const charsOf = (value: unknown): number => {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null) return 0
  return Object.values(value).reduce((sum: number, member) => sum + charsOf(member), 0)
}

/** The recent events of all workspaces with subscribers in this process, limited in bytes and age. */
export class EventMemory {
  readonly limits: FeedMemoryLimits
  /** Least recently used first. */
  readonly #lists = new Set<RecentEvents>()
  #bytes = 0

  constructor(limits: FeedMemoryLimits) {
    this.limits = limits
  }

  /** Estimated bytes of all events in memory. */
  get bytes(): number {
    return this.#bytes
  }

  /** Marks the events of a workspace as used, and drops others if there are too many bytes. */
  use(list: RecentEvents): void {
    this.#lists.delete(list)
    if (list.bytes > 0) this.#lists.add(list)
    for (const oldest of this.#lists) {
      if (this.#bytes <= this.limits.maxBytes) return
      oldest.forget(this.#bytes - this.limits.maxBytes)
    }
  }

  grow(bytes: number): void {
    this.#bytes += bytes
  }

  leave(list: RecentEvents): void {
    this.#lists.delete(list)
  }

  /** Drops events above the age limit. */
  forgetOld(now: number): void {
    const since = now - Duration.toMillis(this.limits.maxAge)
    for (const list of this.#lists) list.forgetOlder(since)
  }
}

/** The newest events of one workspace, without gaps. */
export class RecentEvents {
  #bytes = 0
  readonly #memory: EventMemory
  #entries: Array<RecentEvent> = []

  constructor(memory: EventMemory) {
    this.#memory = memory
  }

  get bytes(): number {
    return this.#bytes
  }

  add(routed: RoutedEvent, now: number): RecentEvent {
    const chars = charsOf(routed.event)
    const bytes = eventBytes + chars
    const entry: RecentEvent = { routed, delivered: new Map(), readAt: now, chars, bytes, isKept: true }
    this.#entries.push(entry)
    this.#grow(bytes)
    return entry
  }

  /** Drops events above the limit per workspace. */
  trim(): void {
    this.#drop(this.#entries.length - this.#memory.limits.maxEvents)
  }

  /** An audience's copy of an event; always the same object. */
  deliverTo(entry: RecentEvent, audience: Audience): Option.Option<DeliveredEvent> {
    const known = entry.delivered.get(audience.name)
    if (known !== undefined) return known
    const delivered = deliver(entry.routed, audience.scope)
    entry.delivered.set(audience.name, delivered)
    if (entry.isKept && Option.isSome(delivered)) {
      const grown = deliveryBytes + entry.chars
      entry.bytes += grown
      this.#grow(grown)
    }
    return delivered
  }

  /** The events after `after` for one audience; absent when they are no longer in memory. */
  take(after: number, audience: Audience): ReadonlyArray<DeliveredEvent> | undefined {
    const first = this.#entries[0]
    if (first === undefined || first.routed.seq > after + 1) return undefined
    this.#memory.use(this)
    // Searches from the end, because most subscribers need only the newest events.
    const start = this.#entries.findLastIndex(({ routed }) => routed.seq <= after) + 1
    return this.#entries.slice(start).flatMap((entry) => Option.toArray(this.deliverTo(entry, audience)))
  }

  /**
   * From now on the new owner gets the events of the account, including older ones. Events of a hidden account are
   * dropped: the account may have been erased, together with its owner.
   */
  moveAccount({ isShown, owner }: RoutedEvent, accountId: string): void {
    if (!isShown) return this.clear()
    for (const entry of this.#entries) {
      const { event } = entry.routed
      if (event._tag === "AccountMoved" || !("accountId" in event) || event.accountId !== accountId) continue
      entry.routed = { ...entry.routed, owner, isShown }
      entry.delivered.clear()
      this.#grow(eventBytes + entry.chars - entry.bytes)
      entry.bytes = eventBytes + entry.chars
    }
  }

  clear(): void {
    this.#drop(this.#entries.length)
  }

  /** Drops the oldest events, until at least `bytes` are freed. */
  forget(bytes: number): void {
    let count = 0
    for (let freed = 0; freed < bytes && count < this.#entries.length; count++)
      freed += this.#entries[count]?.bytes ?? 0
    this.#drop(count)
  }

  forgetOlder(since: number): void {
    const young = this.#entries.findIndex(({ readAt }) => readAt > since)
    this.#drop(young < 0 ? this.#entries.length : young)
  }

  #grow(bytes: number): void {
    this.#bytes += bytes
    this.#memory.grow(bytes)
    this.#memory.use(this)
  }

  #drop(count: number): void {
    if (count <= 0) return
    let freed = 0
    for (const entry of this.#entries.slice(0, count)) {
      entry.isKept = false
      freed += entry.bytes
    }
    this.#entries = this.#entries.slice(count)
    this.#bytes -= freed
    this.#memory.grow(-freed)
    if (this.#bytes === 0) this.#memory.leave(this)
  }
}
