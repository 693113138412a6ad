import { Effect } from "effect"
import type { KeptEvent, MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

/** Runs a call, and gives the events that it wrote another order; their numbers stay in theirs. */
const reordered = <A, E>(
  inbox: MemoryInbox,
  call: Effect.Effect<A, E>,
  order: (events: ReadonlyArray<KeptEvent>) => ReadonlyArray<KeptEvent>
) =>
  Effect.suspend(() => {
    const before = new Map(Array.from(inbox.logs.values(), (log) => [log, log.last]))
    return Effect.tap(call, () =>
      Effect.sync(() => {
        for (const log of inbox.logs.values()) {
          const last = before.get(log) ?? 0
          const own = log.events.filter(({ seq }) => seq > last)
          const numbered = order(own).map((kept, n) => ({ ...kept, seq: own[n]?.seq ?? kept.seq }))
          log.events = [...log.events.filter(({ seq }) => seq <= last), ...numbered]
        }
      })
    )
  })

const isOfThread = ({ event }: KeptEvent) => event._tag === "ThreadUpdated"

const isPostEnd = ({ event: { _tag } }: KeptEvent) =>
  _tag === "PostPublished" || _tag === "PostPartial" || _tag === "PostFailed"

/** Those of a kind before all others. */
const first = (isFirst: (kept: KeptEvent) => boolean) => (events: ReadonlyArray<KeptEvent>) => [
  ...events.filter(isFirst),
  ...events.filter((kept) => !isFirst(kept))
]

const ofIngest = (order: Parameters<typeof reordered>[2]) =>
  wrong(IngestStore, (right, { inbox }) =>
    IngestStore.of({ ...right, ingest: (unit) => reordered(inbox, right.ingest(unit), order) })
  )

export const orderBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "the events of threads are written before those of the items that brought them back",
    breaks: /before the item that brought it back/,
    plant: ofIngest(first(isOfThread))
  },
  {
    name: "the events of one change are written the last first",
    breaks: /not in the order in which it arrived|has another number/,
    plant: ofIngest((events) => events.toReversed())
  },
  {
    name: "changes of items are written before new items",
    breaks: /not in the order in which it arrived|has another number/,
    plant: ofIngest(first(({ event }) => event._tag === "ItemUpdated" || event._tag === "ItemDeleted"))
  }
]

export const postOrderBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "that a post is published is written before what became of its last target",
    breaks: /comes before what it follows from/,
    plant: wrong(PostStore, (right, { inbox }) =>
      PostStore.of({ ...right, settle: (...of) => reordered(inbox, right.settle(...of), first(isPostEnd)) })
    )
  }
]
