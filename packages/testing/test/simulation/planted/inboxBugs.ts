import { DateTime, Effect, Option } from "effect"
import type { AccountEntry, EventLog, MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { IngestStore, type IngestUnit } from "@loopbox/core/inbox/IngestStore"
import type { ItemActivity } from "@loopbox/core/items/mergeActivity"
import { keyOf } from "@loopbox/core/items/StoredItem"
import { InboxItemId } from "@loopbox/core/kernel/Ids"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { away } from "../../../src/fixtures/mediaFixtures.ts"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

type Ingest = IngestStore["Service"]["ingest"]

/** An ingest that is wrong, with the entry of its account. */
const wrongIngest = (make: (right: Ingest, inbox: MemoryInbox) => (unit: IngestUnit) => ReturnType<Ingest>) =>
  wrong(IngestStore, (right, { inbox }) => {
    const ingest = make(right.ingest, inbox)
    return IngestStore.of({ ...right, ingest: (unit) => Effect.suspend(() => ingest(unit)) })
  })

const withActivities = (unit: IngestUnit, change: (activity: ItemActivity) => ItemActivity): IngestUnit => ({
  ...unit,
  arrivals: unit.arrivals.map((arrival) => ({ ...arrival, activity: change(arrival.activity) }))
})

/** The events that were written since, as if they never had been. */
const takeBack = (log: EventLog | undefined, last: number): void => {
  if (log === undefined) return
  log.events = log.events.filter(({ seq }) => seq <= last)
  log.last = last
}

const lowest = InboxItemId.make("itm_00000000000000000000000000")

/** The unread counters of an account stay as they are, whatever the call does. */
const keepCounters = (entries: Iterable<AccountEntry>) => {
  const before = Array.from(entries, (entry) => ({ entry, unread: new Map(entry.unread) }))
  return Effect.sync(() => {
    for (const { entry, unread } of before) for (const [source, count] of unread) entry.unread.set(source, count)
  })
}

export const inboxBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "events are written after the commit, and the process dies in between",
    breaks: /no event told of it/,
    plant: wrongIngest((right, inbox) => {
      let calls = 0
      return (unit) => {
        const last = inbox.logs.get(unit.workspaceId)?.last ?? 0
        return Effect.tap(right(unit), () =>
          Effect.sync(() => {
            if (++calls % 5 === 0) takeBack(inbox.logs.get(unit.workspaceId), last)
          })
        )
      }
    })
  },
  {
    name: "an item that is read already is taken off the counter again",
    breaks: /counters that are wrong/,
    plant: wrong(InboxStore, (right, { inbox }) =>
      InboxStore.of({
        ...right,
        markRead: (scope, id, at) =>
          Effect.suspend(() => {
            const place = inbox.index.get(id)
            const entry = place === undefined ? undefined : inbox.accounts.get(place.accountId)
            const item = place === undefined ? undefined : entry?.items.get(place.key)
            if (entry !== undefined && item?._tag === "LiveItem" && item.isRead && !item.isOwn) {
              entry.unread.set(item.source, (entry.unread.get(item.source) ?? 0) - 1)
            }
            return right.markRead(scope, id, at)
          })
      })
    )
  },
  {
    name: "marking all does not change the counters",
    breaks: /counters that are wrong/,
    plant: wrong(InboxStore, (right, { inbox }) =>
      InboxStore.of({
        ...right,
        markBatch: (scope, batch) =>
          Effect.suspend(() => Effect.ensuring(right.markBatch(scope, batch), keepCounters(inbox.accounts.values())))
      })
    )
  },
  {
    name: "an unread item that is deleted stays in the counter",
    breaks: /counters that are wrong/,
    plant: wrongIngest((right, inbox) => (unit) => {
      const entry = inbox.accounts.get(unit.accountId)
      const isOnlyDeleted = unit.arrivals.every(({ activity }) => activity._tag === "Deleted")
      return isOnlyDeleted && entry !== undefined ? Effect.ensuring(right(unit), keepCounters([entry])) : right(unit)
    })
  },
  {
    name: "what was deleted comes back with a late delivery: tombstones are not kept",
    breaks: /items and what was delivered/,
    plant: wrongIngest((right, inbox) => (unit) => {
      const entry = inbox.accounts.get(unit.accountId)
      for (const [key, item] of Array.from(entry?.items ?? [])) {
        if (item._tag === "DeletedItem") entry?.items.delete(key)
      }
      return right(unit)
    })
  },
  {
    name: "the edit that arrives last wins, not the newest",
    breaks: /items and what was delivered/,
    plant: wrongIngest((right) => {
      let version = 100
      return (unit) =>
        right(
          withActivities(unit, (activity) =>
            activity._tag === "Edited" ? Object.assign(Object.create(activity), { version: ++version }) : activity
          )
        )
    })
  },
  {
    name: "the hiding that arrives last wins, not the newest",
    near: 54,
    breaks: /items and what was delivered/,
    plant: wrongIngest((right) => {
      let version = 100
      return (unit) =>
        right(
          withActivities(unit, (activity) =>
            activity._tag === "HiddenChanged"
              ? Object.assign(Object.create(activity), { version: ++version })
              : activity
          )
        )
    })
  },
  {
    name: "an edit takes the place of its item, and its hiding is forgotten",
    breaks: /items and what was delivered/,
    plant: wrongIngest((right, inbox) => (unit) => {
      const entry = inbox.accounts.get(unit.accountId)
      for (const { activity } of unit.arrivals) {
        if (activity._tag !== "Edited" || entry === undefined) continue
        const item = entry.items.get(keyOf(activity))
        if (item?._tag === "LiveItem") entry.items.set(keyOf(activity), { ...item, isHidden: false })
      }
      return right(unit)
    })
  },
  {
    name: "a cursor has the time alone: what came in the same moment is left out on the next page",
    breaks: /unread items in pages, and in the counter/,
    plant: wrong(InboxStore, (right) =>
      InboxStore.of({
        ...right,
        list: (scope, query) =>
          right.list(scope, { ...query, after: Option.map(query.after, (place) => ({ ...place, id: lowest })) })
      })
    )
  },
  {
    name: "a list of a managed user shows the workspace",
    breaks: /unread items in pages, and in the counter/,
    plant: wrong(InboxStore, (right) =>
      InboxStore.of({
        ...right,
        list: ({ scope: { workspaceId }, sources }, query) =>
          right.list({ scope: new WorkspaceScope({ workspaceId }), sources }, query)
      })
    )
  },
  {
    name: "a delivery is done once it is claimed",
    breaks: /items and what was delivered/,
    plant: wrong(WebhookDeliveries, (right, { inbox }) =>
      WebhookDeliveries.of({
        ...right,
        claim: (request) =>
          Effect.map(right.claim(request), (claims) => {
            for (const { delivery } of claims) {
              const entry = inbox.deliveries.get(delivery.id)
              if (entry === undefined) continue
              inbox.deliveries.set(delivery.id, { ...entry, state: "done", endedAt: delivery.arrivedAt })
            }
            return claims
          })
      })
    )
  },
  {
    name: "a unit is noted as done before it is stored, and the process dies in between",
    breaks: /items and what was delivered/,
    plant: wrongIngest((right, inbox) => {
      let calls = 0
      return (unit) => {
        if (++calls % 5 !== 0) return right(unit)
        for (const id of unit.completes) {
          inbox.doneUnits.set(id, new Set([...(inbox.doneUnits.get(id) ?? []), unit.accountId]))
        }
        return Effect.fail(away("no"))
      }
    })
  },
  {
    name: "who resumes is given what follows the next event",
    breaks: /which there are, in their order|a listener did not hear all/,
    plant: wrong(InboxEvents, (right) =>
      InboxEvents.of({
        ...right,
        read: (workspaceId, after, limit) => right.read(workspaceId, after === 0 ? 0 : after + 1, limit)
      })
    )
  },
  {
    name: "a page of events that is not full counts as the end",
    breaks: /a listener did not hear all/,
    plant: wrong(InboxEvents, (right) =>
      InboxEvents.of({
        ...right,
        read: (workspaceId, after, limit) =>
          Effect.map(right.read(workspaceId, after, limit), (page) =>
            // The log as a whole is what it is.
            limit >= 100_000 ? page : { ...page, events: page.events.slice(0, 3) }
          )
      })
    )
  },
  {
    name: "two transactions give their events the same number",
    breaks: /numbers of events|stands behind event/,
    plant: wrongIngest((right, inbox) => {
      let calls = 0
      return (unit) =>
        Effect.tap(right(unit), () =>
          Effect.sync(() => {
            const log = inbox.logs.get(unit.workspaceId)
            if (++calls % 7 === 0 && log !== undefined && log.last > 1) log.last -= 1
          })
        )
    })
  },
  {
    name: "a delivery that fails is kept waiting for ever",
    breaks: /items and what was delivered/,
    plant: wrong(WebhookDeliveries, (right) =>
      WebhookDeliveries.of({
        ...right,
        settle: (claim, outcome, at) =>
          right.settle(
            claim,
            outcome._tag === "Waiting" ? { ...outcome, until: DateTime.add(outcome.until, { days: 9 }) } : outcome,
            at
          )
      })
    )
  },
  {
    name: "an item that is marked as unread again is not counted",
    breaks: /counters that are wrong/,
    plant: wrong(InboxStore, (right, { inbox }) =>
      InboxStore.of({
        ...right,
        markUnread: (...of) =>
          Effect.suspend(() => Effect.ensuring(right.markUnread(...of), keepCounters(inbox.accounts.values())))
      })
    )
  },
  {
    name: "how often a delivery was tried is written nowhere",
    breaks: /says that it was begun/,
    plant: wrong(WebhookDeliveries, (right, { inbox: { deliveries } }) =>
      WebhookDeliveries.of({
        ...right,
        claim: (request) =>
          Effect.tap(right.claim(request), (claims) =>
            Effect.sync(() => {
              for (const { attempts, delivery } of claims) {
                const entry = deliveries.get(delivery.id)
                if (entry !== undefined) deliveries.set(delivery.id, { ...entry, attempts })
              }
            })
          )
      })
    )
  },
  {
    name: "a delivery is claimed while another worker has it",
    breaks: /was claimed while another had it/,
    plant: wrong(WebhookDeliveries, (right, { inbox: { deliveries } }) =>
      WebhookDeliveries.of({
        ...right,
        claim: (request) =>
          Effect.suspend(() => {
            for (const [id, entry] of deliveries)
              if (entry.token !== undefined) deliveries.set(id, { ...entry, claimableAt: request.leaseNow })
            return right.claim(request)
          })
      })
    )
  },
  {
    name: "what a delivery has brought before counts as new when it comes again",
    breaks: /was done before, and counts again/,
    plant: wrong(IngestStore, (right) =>
      IngestStore.of({
        ...right,
        ingest: (unit) => Effect.map(right.ingest(unit), (outcome) => ({ ...outcome, isRepeated: false }))
      })
    )
  }
]
