import { Effect, Option } from "effect"
import { type IngestUnit, IngestStore } from "@loopbox/core/inbox/IngestStore"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

/** What arrives is changed before it is stored. */
const changed = (change: (unit: IngestUnit) => IngestUnit["arrivals"]) =>
  wrong(IngestStore, (right) =>
    IngestStore.of({ ...right, ingest: (unit) => right.ingest({ ...unit, arrivals: change(unit) }) })
  )

/** What a person has done with an item at its network, and what is not stored of it. */
const forgotten = (tag: "Deleted" | "HiddenChanged") =>
  changed(({ arrivals, audit }) =>
    audit === undefined ? arrivals : arrivals.filter(({ activity }) => activity._tag !== tag)
  )

/** Takes tombstones away before each unit of a poll. */
const withoutTombstones = wrong(IngestStore, (right, { inbox }) =>
  IngestStore.of({
    ...right,
    ingest: (unit) =>
      Effect.suspend(() => {
        const items = inbox.accounts.get(unit.accountId)?.items
        if (Option.isSome(unit.poll))
          for (const [key, { _tag }] of items ?? []) if (_tag === "DeletedItem") items?.delete(key)
        return right.ingest(unit)
      })
  })
)

export const pollBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "a poll that reads several items keeps its progress and loses one of them",
    breaks: /was not polled/,
    plant: changed(({ arrivals, poll }) => (Option.isSome(poll) && arrivals.length > 1 ? arrivals.slice(1) : arrivals))
  },
  {
    name: "the accounts of one network are never claimed",
    breaks: /wait for a poll, and|was not polled/,
    plant: wrong(PollStore, (right) =>
      PollStore.of({
        ...right,
        claim: (request) => (request.network === "instagram" ? Effect.succeed([]) : right.claim(request))
      })
    )
  },
  {
    name: "an item that was deleted at its network stays",
    breaks: /was deleted, and is there/,
    plant: forgotten("Deleted")
  },
  {
    name: "an item that was hidden is answered as it was before",
    breaks: /is not as the answer|is hidden/,
    plant: forgotten("HiddenChanged")
  },
  {
    name: "what a poll has read counts as of its arrival, and undoes what was done meanwhile",
    near: 18,
    breaks: /is not hidden or shown as it was asked for/,
    plant: changed(({ arrivals, now, poll }) =>
      Option.isNone(poll) ? arrivals : arrivals.map((arrival) => ({ ...arrival, polledAt: Option.some(now) }))
    )
  },
  {
    name: "a deleted item comes back with the answer of a poll that began before",
    breaks: /was deleted, and is there/,
    plant: withoutTombstones
  },
  {
    name: "after an answer that asks to wait it is forgotten how far feeds were read",
    breaks: /how far its feeds are read|is not known any more/,
    plant: wrong(PollStore, (right, { inbox }) =>
      PollStore.of({
        ...right,
        settle: (claim, settlement, at) =>
          Effect.tap(right.settle(claim, settlement, at), () =>
            Effect.sync(() => {
              const entry = inbox.accounts.get(claim.accountId)
              if (entry !== undefined && Option.isSome(settlement.state.wait))
                entry.poll = { ...entry.poll, feeds: new Map() }
            })
          )
      })
    )
  }
]
