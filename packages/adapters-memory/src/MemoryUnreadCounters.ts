import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type CounterDrift, UnreadCounters } from "@loopbox/core/inbox/UnreadCounters"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { unreadDelta } from "@loopbox/core/items/unreadDelta"
import type { MemoryInbox } from "./memoryInbox.ts"
import { MemoryState } from "./MemoryState.ts"

const compareCounters = (
  inbox: MemoryInbox,
  repair: boolean,
  only?: ReadonlyArray<WorkspaceId>
): ReadonlyArray<CounterDrift> => {
  const drifts: Array<CounterDrift> = []
  for (const entry of inbox.accounts.values()) {
    const { account, items, unread } = entry
    if (only !== undefined && !only.includes(account.workspaceId)) continue
    const actual = new Map(Array.from(unread.keys(), (source) => [source, 0]))
    for (const item of items.values()) {
      if (item._tag === "LiveItem") {
        actual.set(item.source, (actual.get(item.source) ?? 0) + unreadDelta(undefined, item))
      }
    }
    for (const [source, count] of actual) {
      const counted = unread.get(source) ?? 0
      if (counted === count) continue
      drifts.push({ workspaceId: account.workspaceId, accountId: account.id, source, counted, actual: count })
      if (repair) unread.set(source, count)
    }
  }
  return drifts
}

export const layer: Layer.Layer<UnreadCounters, never, MemoryState> = Layer.effect(
  UnreadCounters,
  Effect.map(MemoryState, ({ inbox }) =>
    UnreadCounters.of({
      compare: ({ repair, workspaceIds }) => Effect.sync(() => compareCounters(inbox, repair, workspaceIds)),
      compareDue: ({ every, now }) =>
        Effect.sync(() => {
          const { comparedAt } = inbox
          if (comparedAt !== undefined && DateTime.isLessThan(now, DateTime.addDuration(comparedAt, every))) {
            return Option.none()
          }
          inbox.comparedAt = now
          return Option.some(compareCounters(inbox, false))
        })
    })
  )
)
