import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { WorkspaceId } from "../kernel/Ids.ts"
import { type DeliveredEvent, deliver, type RoutedEvent } from "./InboxEvent.ts"
import type { ItemScope } from "./InboxStore.ts"

/** Events of a workspace that are kept at hand for its subscribers; who is further behind reads from the store. */
const kept = 1_024

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

/**
 * The newest events of one workspace, read once for all of its subscribers in this process.
 *
 * Each subscriber keeps its own place and pulls, so a slow one costs no memory and misses nothing.
 */
export class EventChannel {
  readonly workspaceId: WorkspaceId
  /** The number up to which events have been read. */
  position: number
  #entries: Array<Entry> = []
  #advanced = Deferred.makeUnsafe<void>()

  constructor(workspaceId: WorkspaceId, position: number) {
    this.workspaceId = workspaceId
    this.position = position
  }

  /** Takes what was read above the position, and wakes who waits. */
  append(events: ReadonlyArray<RoutedEvent>): void {
    for (const routed of events) {
      if (routed.event._tag === "AccountMoved") this.#moveAccount(routed, routed.event.accountId)
      this.#entries.push({ routed, delivered: new Map() })
      this.position = routed.seq
    }
    if (this.#entries.length > kept) this.#entries = this.#entries.slice(-kept)
    const advanced = this.#advanced
    this.#advanced = Deferred.makeUnsafe<void>()
    Deferred.doneUnsafe(advanced, Effect.void)
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
