import { DateTime, Effect, Layer, Option } from "effect"
import type { EventLog, MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import type { LoggedEvent } from "@loopbox/core/feed/JobEnded"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { StateLaw } from "../watchStates.ts"
import { differing, type Judged, judged } from "./judged.ts"

/** Whose an event is now, and whether its account is shown; what is about no account is the workspace's. */
const routeOf = ({ accounts }: MemoryInbox, event: LoggedEvent) => {
  if (!("accountId" in event)) return [Option.none(), true]
  const account = accounts.get(event.accountId)?.account
  return [account?.externalUserId ?? Option.none(), account !== undefined && account.status !== "disconnected"]
}

const rangeOf = (log: EventLog | undefined) => ({ last: log?.last ?? 0, removed: log?.removed ?? 0 })

const watch = (right: InboxEvents["Service"], judge: Judged, inbox: MemoryInbox) => {
  const logOf = (id: WorkspaceId) => inbox.logs.get(id)
  return InboxEvents.of({
    ...right,
    range: (workspaceId) =>
      judge(
        () => undefined,
        right.range(workspaceId),
        (_, range) =>
          differing(`the events of ${workspaceId}`, { "how many there are": [range, rangeOf(logOf(workspaceId))] })
      ),
    lastOf: (ids) =>
      judge(
        () => undefined,
        right.lastOf(ids),
        (_, found) =>
          ids.flatMap((id) =>
            differing(`the events of ${id}`, { "which is the last": [found.get(id) ?? 0, rangeOf(logOf(id)).last] })
          )
      ),
    read: (workspaceId, after, limit) =>
      judge(
        () => undefined,
        right.read(workspaceId, after, limit),
        (_, page) => {
          const log = logOf(workspaceId)
          const all = log?.events ?? []
          const next = all.filter(({ seq }) => seq > after).slice(0, limit)
          const isJob = ({ event }: { readonly event: LoggedEvent }) => event._tag === "JobEnded"
          return differing(`the events of ${workspaceId} after ${after}`, {
            "which there are, in their order": [
              page.events.map(({ at, event, seq }) => [seq, at, event]),
              next.filter((one) => !isJob(one)).map(({ at, event, seq }) => [seq, at, event])
            ],
            "which tell of media jobs": [page.jobEnds.map(({ seq }) => seq), next.filter(isJob).map(({ seq }) => seq)],
            "whose they are": [
              page.events.map(({ isShown, owner }) => [owner, isShown]),
              next.filter((one) => !isJob(one)).map(({ event }) => routeOf(inbox, event))
            ],
            "whether some were deleted": [{ last: page.last, removed: page.removed }, rangeOf(log)],
            "when the one before was": [page.anchor, Option.fromUndefinedOr(all.find(({ seq }) => seq === after)?.at)]
          })
        }
      ),
    removeOlder: (before, limit) =>
      judge(
        () => new Map(Array.from(inbox.logs, ([id, { events }]) => [id, events.slice()])),
        right.removeOlder(before, limit),
        (were, count) => {
          const wrong: Array<string> = []
          let gone = 0
          for (const [id, was] of were) {
            const log = logOf(id)
            const [first] = log?.events ?? []
            const lost = was.filter(({ seq }) => first === undefined || seq < first.seq)
            gone += lost.length
            if (lost.some(({ at }) => !DateTime.isLessThan(at, before)))
              wrong.push(`an event of ${id} is deleted too soon`)
            const newest = lost.at(-1)?.seq
            if (newest !== undefined && log?.removed !== newest)
              wrong.push(`the events of ${id}: up to ${newest} they are deleted, and ${log?.removed} is said`)
          }
          if (gone !== count || gone > limit) wrong.push(`${gone} events are deleted, and ${count} are counted`)
          return wrong
        }
      )
  })
}

/** The port of events, under the law that who goes on behind a number gets all that follows it. */
export const watchReading = Layer.effect(
  InboxEvents,
  Effect.gen(function* () {
    return watch(yield* InboxEvents, judged((yield* StateLaw).violations), (yield* MemoryState).inbox)
  })
)
