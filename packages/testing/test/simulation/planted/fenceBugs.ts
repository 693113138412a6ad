import { Effect, Option } from "effect"
import type { AccountEntry } from "@loopbox/adapters-memory/memoryInbox"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { threadOf } from "@loopbox/core/items/StoredItem"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

/** An ingest, and what is put back behind it of the entry of its account. */
const forgetful = (note: (entry: AccountEntry) => () => void) =>
  wrong(IngestStore, (right, { inbox }) =>
    IngestStore.of({
      ...right,
      ingest: (unit) =>
        Effect.suspend(() => {
          const entry = inbox.accounts.get(unit.accountId)
          const putBack = entry === undefined ? () => {} : note(entry)
          return Effect.tap(right.ingest(unit), () => Effect.sync(putBack))
        })
    })
  )

/** What a transaction has to ask for, or to write beside what it is about. */
export const fenceBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "a delivery that came in is settled by whoever once had it: no fencing",
    breaks: /without a lease somebody could settle a delivery/,
    plant: wrong(WebhookDeliveries, (right, { inbox }) =>
      WebhookDeliveries.of({
        ...right,
        settle: (claim, ...of) =>
          Effect.suspend(() => {
            const entry = inbox.deliveries.get(claim.delivery.id)
            return right.settle({ ...claim, token: entry?.token ?? claim.token }, ...of)
          })
      })
    )
  },
  {
    name: "what a poll has read is stored after its lease was lost: no fencing",
    breaks: /a lease that nobody has|could store what a poll read/,
    plant: wrong(IngestStore, (right, { inbox }) =>
      IngestStore.of({
        ...right,
        ingest: (unit) =>
          Effect.suspend(() => {
            const token = inbox.accounts.get(unit.accountId)?.poll.token
            const poll = Option.map(unit.poll, ({ claim, notes }) => ({
              notes,
              claim: { ...claim, token: token ?? claim.token }
            }))
            return right.ingest({ ...unit, poll })
          })
      })
    )
  },
  {
    name: "whoever has read the log moves the position of deliveries, though another has moved it since",
    breaks: /could move the position of deliveries/,
    plant: wrong(OutgoingQueue, (right, { inbox: { outgoing } }) =>
      OutgoingQueue.of({
        ...right,
        append: (from, ...of) =>
          Effect.suspend(() =>
            right.append({ ...from, position: outgoing.positions.get(from.workspaceId) ?? 0 }, ...of)
          )
      })
    )
  },
  {
    name: "nobody is told that an account has become another's",
    breaks: /no AccountMoved tells of/,
    plant: wrong(SocialAccounts, (right, { inbox }) =>
      SocialAccounts.of({
        ...right,
        update: (workspaceId, ...of) =>
          Effect.tap(right.update(workspaceId, ...of), () =>
            Effect.sync(() => {
              const log = inbox.logs.get(workspaceId)
              if (log?.events.at(-1)?.event._tag !== "AccountMoved") return
              log.events = log.events.slice(0, -1)
              log.last -= 1
            })
          )
      })
    )
  },
  {
    name: "a reply of unknown outcome does not hear of the post that it has sent",
    breaks: /does not hear of the post/,
    plant: forgetful(({ operations }) => {
      const before = new Map(operations)
      return () => {
        for (const [id, { dueAt }] of before) {
          const entry = operations.get(id)
          if (entry !== undefined) operations.set(id, { ...entry, dueAt })
        }
      }
    })
  },
  {
    name: "a thread is begun with its latest item",
    breaks: /was begun/,
    plant: forgetful(({ begun, items }) => () => {
      for (const item of items.values()) if (item._tag === "LiveItem") begun.set(threadOf(item), item.createdAt)
    })
  }
]
