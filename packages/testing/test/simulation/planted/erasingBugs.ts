import { Effect, Option } from "effect"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { AuditEvent } from "@loopbox/core/audit/AuditEvent"
import type { SocialAccountId } from "@loopbox/core/kernel/Ids"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

type State = MemoryState["Service"]

/** What an erasure of a managed user forgets: it is noted before, and put back behind it. */
const forgetting = (note: (state: State, accounts: ReadonlySet<SocialAccountId>, user: string) => () => void) =>
  wrong(ManagedUsers, (right, state) =>
    ManagedUsers.of({
      ...right,
      erase: (workspaceId, user, redact) =>
        Effect.suspend(() => {
          const own = Array.from(state.inbox.accounts.values()).filter(({ account }) =>
            Option.contains(account.externalUserId, user)
          )
          const putBack = note(state, new Set(own.map(({ account }) => account.id)), user)
          return Effect.tap(right.erase(workspaceId, user, redact), () => Effect.sync(putBack))
        })
    })
  )

/** Puts back the rows of a map that an erasure took, where they are to be kept. */
const keptRows = <K, V>(map: Map<K, V>, isKept: (value: V) => boolean) => {
  const rows = Array.from(map).filter(([, value]) => isKept(value))
  return () => rows.forEach(([key, value]) => map.set(key, value))
}

export const erasingBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "the events of an erased account stay in the log",
    breaks: /left in events|leaves one event|still names who was erased/,
    plant: forgetting(({ inbox }) => {
      const logs = Array.from(inbox.logs.values(), (log) => ({ log, events: log.events }))
      return () =>
        logs.forEach(({ events, log }) => {
          const last = events[events.length - 1]?.seq ?? 0
          log.events = [...events, ...log.events.filter(({ seq }) => seq > last)]
        })
    })
  },
  {
    name: "nobody is told that an account was erased",
    breaks: /leaves one event/,
    plant: forgetting(({ inbox }, accounts) => () => {
      for (const log of inbox.logs.values())
        log.events = log.events.filter(({ event }) => !("accountId" in event && accounts.has(event.accountId)))
    })
  },
  {
    name: "what waits for the webhook endpoint of an erased user is still sent",
    breaks: /left in (endpoints|deliveries)|was erased|still names who was erased/,
    plant: forgetting(({ inbox: { outgoing } }, _accounts, user) => {
      const ids = new Set(
        Array.from(outgoing.endpoints.values()).flatMap(({ endpoint }) =>
          Option.contains(endpoint.externalUserId, user) ? [endpoint.id] : []
        )
      )
      const endpoints = keptRows(outgoing.endpoints, ({ endpoint }) => ids.has(endpoint.id))
      const deliveries = keptRows(outgoing.deliveries, ({ delivery }) => ids.has(delivery.endpointId))
      return () => {
        endpoints()
        deliveries()
      }
    })
  },
  {
    name: "webhooks that came in for an erased account keep what they say of it",
    breaks: /still holds what was erased|holds too much or too little/,
    plant: wrong(ManagedUsers, (right) =>
      ManagedUsers.of({
        ...right,
        erase: (workspaceId, user) =>
          right.erase(
            workspaceId,
            user,
            Option.some(({ body }) => Option.some(body))
          )
      })
    )
  },
  {
    name: "the posts of an erased account are kept",
    breaks: /left in posts|targets after an erasure|still names who was erased/,
    plant: forgetting(({ inbox: { posts } }, accounts) =>
      keptRows(posts, ({ kept }) => kept.targets.some(({ accountId }) => accounts.has(accountId)))
    )
  },
  {
    name: "the record of changes keeps the name of an erased user",
    breaks: /left in audit|still names who was erased/,
    plant: forgetting(({ inbox: { audit } }) => {
      const before: ReadonlyArray<AuditEvent> = audit.kept
      return () => void (audit.kept = [...before, ...audit.kept.slice(before.length)])
    })
  }
]
