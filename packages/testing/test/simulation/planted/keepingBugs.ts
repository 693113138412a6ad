import { DateTime, Effect } from "effect"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

/** Replies and posts are purged as on another day. */
const purgingAt = (days: number) =>
  wrong(RetentionStore, (right) =>
    RetentionStore.of({
      ...right,
      purgeRows: (now, limit) => right.purgeRows(DateTime.add(now, { days }), limit)
    })
  )

export const keepingBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "replies and posts are removed a month too early",
    breaks: /removed before its time/,
    plant: purgingAt(30)
  },
  {
    name: "replies and posts are kept a month too long",
    breaks: /kept for longer/,
    plant: purgingAt(-30)
  },
  {
    name: "webhooks that were sent are removed after a week",
    breaks: /removed before its time/,
    plant: wrong(OutgoingQueue, (right) =>
      OutgoingQueue.of({
        ...right,
        removeOlder: (before, limit) => right.removeOlder(DateTime.add(before, { days: 23 }), limit)
      })
    )
  },
  {
    name: "webhooks that came in are kept for as long as those that failed",
    breaks: /kept for longer/,
    plant: wrong(WebhookDeliveries, (right) =>
      WebhookDeliveries.of({
        ...right,
        removeOlder: (before, limit) => right.removeOlder({ ...before, done: before.failed }, limit)
      })
    )
  },
  {
    name: "a reply is kept from when it was asked for, not from its end",
    breaks: /removed before its time/,
    plant: wrong(RetentionStore, (right, { inbox }) =>
      RetentionStore.of({
        ...right,
        purgeRows: (now, limit) =>
          Effect.tap(right.purgeRows(now, limit), () =>
            Effect.sync(() => {
              for (const { operations } of inbox.accounts.values())
                for (const [id, { operation }] of operations) {
                  const isOld = DateTime.isLessThan(DateTime.add(operation.createdAt, { days: 90 }), now)
                  if ("endedAt" in operation.state && isOld) operations.delete(id)
                }
            })
          )
      })
    )
  },
  {
    name: "how many items came is forgotten before the last 30 days are over",
    breaks: /removed before its time|has used/,
    plant: wrong(RetentionStore, (right, { inbox }) =>
      RetentionStore.of({
        ...right,
        purgeRows: (now, limit) =>
          Effect.tap(right.purgeRows(now, limit), () =>
            Effect.sync(() => {
              const oldest = DateTime.subtract(now, { days: 20 }).epochMilliseconds
              for (const { itemHours } of inbox.logs.values())
                for (const hour of itemHours.keys()) if (hour < oldest) itemHours.delete(hour)
            })
          )
      })
    )
  }
]
