import { DateTime, Effect, Option } from "effect"
import type { AccountEntry, PersonEntry } from "@loopbox/adapters-memory/memoryInbox"
import { ConnectSession } from "@loopbox/core/connecting/ConnectSession"
import { ConnectSessionStore } from "@loopbox/core/connecting/ConnectSessionStore"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { type InboxPorts, type PlantedBug, wrong } from "../PlantedBug.ts"

type Health = AccountEntry["health"]

/** The end of a look-up, after which something of the person is put as it is not. */
const afterLookUp = (spoil: (after: PersonEntry, was: PersonEntry) => PersonEntry) =>
  wrong(AuthorProfiles, (right, { inbox: { accounts } }) =>
    AuthorProfiles.of({
      ...right,
      settle: (claim, ...of) =>
        Effect.suspend(() => {
          const people = accounts.get(claim.accountId)?.people
          const was = people?.get(claim.personId)
          return Effect.tap(right.settle(claim, ...of), () =>
            Effect.sync(() => {
              const after = people?.get(claim.personId)
              if (was !== undefined && after !== undefined) people?.set(claim.personId, spoil(after, was))
            })
          )
        })
    })
  )

/** A call, after which something of an account's health is put as it was. */
const keeping = <A, E>(
  entry: AccountEntry | undefined,
  call: Effect.Effect<A, E>,
  spoil: (after: Health, was: Health) => Health
) =>
  Effect.suspend(() => {
    const was = entry?.health
    return Effect.tap(call, () =>
      Effect.sync(() => {
        if (entry !== undefined && was !== undefined) entry.health = spoil(entry.health, was)
      })
    )
  })

/** Names, health, logins and feeds: what is found is not kept, or is not taken back. */
export const lookingBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "an attempt to find a name is not counted",
    breaks: /how many attempts are counted/,
    plant: afterLookUp((after, { attempts }) => ({ ...after, attempts }))
  },
  {
    name: "a look-up that was put off is due at once",
    breaks: /when it is tried again/,
    plant: afterLookUp((after, { claimableAt }) => ({ ...after, claimableAt }))
  },
  {
    name: "a look-up that is given back counts as tried",
    breaks: /whether it counts as tried/,
    plant: wrong(AuthorProfiles, (right, { inbox: { accounts } }) =>
      AuthorProfiles.of({
        ...right,
        release: (claim, now) =>
          Effect.tap(right.release(claim, now), () =>
            Effect.sync(() => {
              const people = accounts.get(claim.accountId)?.people
              const entry = people?.get(claim.personId)
              if (entry !== undefined) people?.set(claim.personId, { ...entry, attempts: entry.attempts + 1 })
            })
          )
      })
    )
  },
  {
    name: "a name that is found is written on the newest item only",
    breaks: /has no name/,
    plant: wrong(AuthorProfiles, (right, { inbox: { accounts } }) =>
      AuthorProfiles.of({
        ...right,
        settle: (claim, ...of) =>
          Effect.suspend(() => {
            const items = accounts.get(claim.accountId)?.items
            const own = Array.from(items ?? []).filter(
              ([, item]) => item._tag === "LiveItem" && Option.contains(item.authorId, claim.personId)
            )
            return Effect.tap(right.settle(claim, ...of), () =>
              Effect.sync(() => {
                for (const [key, item] of own.slice(0, -1)) items?.set(key, item)
              })
            )
          })
      })
    )
  },
  {
    name: "what a poll met stays known of an account whose next poll meets nothing",
    breaks: /what its last poll met/,
    plant: wrong(PollStore, (right, { inbox: { accounts } }) =>
      PollStore.of({
        ...right,
        settle: (claim, settlement, at) =>
          keeping(accounts.get(claim.accountId), right.settle(claim, settlement, at), (after, was) =>
            after.facts.pollFailures.length === 0
              ? { ...after, facts: { ...after.facts, pollFailures: was.facts.pollFailures } }
              : after
          )
      })
    )
  },
  {
    name: "what polls found stays known once a webhook comes",
    breaks: /what polls found that no webhook brought/,
    plant: wrong(IngestStore, (right, { inbox: { accounts } }) =>
      IngestStore.of({
        ...right,
        ingest: (unit) =>
          keeping(accounts.get(unit.accountId), right.ingest(unit), (after, was) =>
            unit.isHeard ? { ...after, facts: { ...after.facts, foundAt: was.facts.foundAt } } : after
          )
      })
    )
  },
  {
    name: "what was told of an account is forgotten, so that the same is told with each check",
    breaks: /how often its change is told|what was told/,
    plant: wrong(AccountHealthStore, (right, { inbox: { accounts } }) =>
      AccountHealthStore.of({
        ...right,
        settle: (claim, ...of) =>
          keeping(accounts.get(claim.account.id), right.settle(claim, ...of), (after, was) => ({
            ...after,
            facts: { ...after.facts, told: was.facts.told }
          }))
      })
    )
  },
  {
    name: "a check is made again only after a quarter of a day, whatever it met",
    breaks: /is checked again too late|when it is looked at next/,
    plant: wrong(AccountHealthStore, (right) =>
      AccountHealthStore.of({
        ...right,
        settle: (claim, notes, judge, at) =>
          right.settle(
            claim,
            notes,
            (known) => ({ ...judge(known), dueAt: Option.some(DateTime.add(at, { hours: 6 })) }),
            at
          )
      })
    )
  },
  {
    name: "a session to connect by is found in another workspace",
    breaks: /in another workspace/,
    plant: wrong(ConnectSessionStore, (right, { connecting }) =>
      ConnectSessionStore.of({
        ...right,
        find: (_workspaceId, id) => Effect.sync(() => Option.fromUndefinedOr(connecting.get(id)?.kept))
      })
    )
  },
  {
    name: "an answer of a network may be exchanged by whoever comes with it",
    breaks: /is worked on by two at a time|what is kept of it|was exchanged twice/,
    plant: wrong(ConnectSessionStore, (right, { connecting }) =>
      ConnectSessionStore.of({
        ...right,
        change: (name, decide) =>
          Effect.suspend(() => {
            const before = new Map(connecting)
            return Effect.tap(right.change(name, decide), () =>
              Effect.sync(() => {
                for (const [id, entry] of before) connecting.set(id, entry)
              })
            )
          })
      })
    )
  },
  {
    name: "a link to connect by never ends",
    breaks: /and is over|until when it is good/,
    plant: wrong(ConnectSessionStore, (right) => {
      const endless = (session: ConnectSession) =>
        new ConnectSession({ ...session, expiresAt: DateTime.add(session.expiresAt, { days: 9 }) })
      return ConnectSessionStore.of({
        ...right,
        begin: (workspaceId, id, decide) =>
          right.begin(workspaceId, id, (session, attempts) =>
            Option.map(decide(endless(session), attempts), (begun) => ({ ...begun, session }))
          )
      })
    })
  },
  {
    name: "who goes on behind an event is told that event again",
    breaks: /which there are, in their order|events after \d+ in their order/,
    plant: wrong(InboxEvents, (right) =>
      InboxEvents.of({
        ...right,
        read: (workspaceId, after, limit) => right.read(workspaceId, Math.max(0, after - 1), limit)
      })
    )
  },
  {
    name: "up to which number events were deleted is not known",
    breaks: /has to read anew|how many there are/,
    plant: wrong(InboxEvents, (right) =>
      InboxEvents.of({
        ...right,
        range: (workspaceId) => Effect.map(right.range(workspaceId), ({ last }) => ({ last, removed: last }))
      })
    )
  }
]
