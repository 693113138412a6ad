import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import type { LoggedJobEnd } from "@loopbox/core/feed/JobEnded"
import type { InboxEvent, RoutedEvent } from "@loopbox/core/items/InboxEvent"
import { logOf, type MemoryInbox, writeEvents } from "./memoryInbox.ts"
import { MemoryState } from "./MemoryState.ts"

/** The current owner of an event, and whether its items are visible. */
const routeOf = (inbox: MemoryInbox, event: InboxEvent): Pick<RoutedEvent, "isShown" | "owner"> => {
  if (!("accountId" in event)) return { owner: Option.none(), isShown: true }
  const account = inbox.accounts.get(event.accountId)?.account
  return {
    owner: account?.externalUserId ?? Option.none(),
    isShown: account !== undefined && account.status !== "disconnected"
  }
}

export const layer: Layer.Layer<InboxEvents, never, MemoryState> = Layer.effect(
  InboxEvents,
  Effect.map(MemoryState, (state) => {
    const { inbox } = state
    return InboxEvents.of({
      publish: (workspaceId, events, at) =>
        Effect.sync(() => {
          if (state.workspaces.has(workspaceId)) writeEvents(inbox, workspaceId, events, at)
        }),
      range: (workspaceId) =>
        Effect.sync(() => {
          const { last, removed } = logOf(inbox, workspaceId)
          return { last, removed }
        }),
      lastOf: (workspaceIds) =>
        Effect.sync(() => new Map(workspaceIds.map((id) => [id, inbox.logs.get(id)?.last ?? 0]))),
      read: (workspaceId, after, limit) =>
        Effect.sync(() => {
          const { events, last, removed } = logOf(inbox, workspaceId)
          const read: Array<RoutedEvent> = []
          const jobEnds: Array<LoggedJobEnd> = []
          for (const { at, event, seq } of events.filter((one) => one.seq > after).slice(0, limit)) {
            if (event._tag === "JobEnded") jobEnds.push({ seq, at, event })
            else read.push({ seq, at, event, workspaceId, ...routeOf(inbox, event) })
          }
          return {
            last,
            removed,
            anchor: Option.fromUndefinedOr(events.find(({ seq }) => seq === after)?.at),
            events: read,
            unreadable: [],
            jobEnds
          }
        }),
      changes: Stream.fromPubSub(inbox.changes),
      removeOlder: (before, limit) =>
        Effect.sync(() => {
          let removed = 0
          for (const log of inbox.logs.values()) {
            while (removed < limit) {
              const [oldest] = log.events
              if (oldest === undefined || !DateTime.isLessThan(oldest.at, before)) break
              log.events.shift()
              log.removed = oldest.seq
              removed += 1
            }
          }
          return removed
        })
    })
  })
)
